from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('arena', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='round',
            name='candidates',
            field=models.TextField(null=True),
        ),
        migrations.AddField(
            model_name='round',
            name='chooser',
            field=models.CharField(max_length=30, null=True),
        ),
        migrations.AddField(
            model_name='round',
            name='parts',
            field=models.CharField(max_length=64, null=True),
        ),
    ]
