"""Time-outs of a browser's push service, and locks of tasks."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="TaskLock",
            fields=[
                ("name", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("held_until", models.DateTimeField(null=True)),
            ],
        ),
        migrations.AddField(
            model_name="pushsubscription",
            name="time_outs",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
    ]
