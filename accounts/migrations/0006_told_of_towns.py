from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0005_letter_keys'),
    ]

    operations = [
        migrations.AddField(
            model_name='pushchoice',
            name='town',
            field=models.BooleanField(db_default=False, default=False, verbose_name='somebody opens a town for people, once an hour at most'),
        ),
        migrations.AddField(
            model_name='pushchoice',
            name='town_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
    ]
