from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0010_habits'),
    ]

    operations = [
        migrations.AlterField(
            model_name='logleaf',
            name='kind',
            field=models.CharField(choices=[('opened', 'Opened'), ('closed', 'Closed'), ('event', 'Event')], max_length=6),
        ),
    ]
