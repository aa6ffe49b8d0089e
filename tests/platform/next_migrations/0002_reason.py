"""Adds the column."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds the reason of proposals."""

    dependencies = [("contests", "0001_initial")]
    operations = [
        migrations.AddField("proposal", "reason", models.CharField(max_length=200, default=""))
    ]
