from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('arena', '0002_lottery_of_a_round'),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='rounds_before',
            field=models.PositiveIntegerField(null=True),
        ),
    ]
