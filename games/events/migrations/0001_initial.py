import django.core.validators
import django.db.models.deletion
import games.events.models
import games.matches.models.matches
from django.conf import settings
from django.db import migrations, models


def deliver(apps, schema_editor):
    """Add the schedules of a new site."""
    schedules = apps.get_model("events", "Schedule").objects
    schedules.create(name="Hourly Train", every="hour", lead=30, fill=8)
    schedules.create(name="Evening Train", every="day", hour=20, lead=1440)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('games', '0011_log_of_events'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Schedule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('every', models.CharField(choices=[('hour', 'each hour'), ('day', 'daily'), ('week', 'weekly')], max_length=4)),
                ('weekday', models.PositiveSmallIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(6)])),
                ('hour', models.PositiveSmallIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(23)])),
                ('minute', models.PositiveSmallIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(59)])),
                ('zone', models.CharField(default='UTC', max_length=50, validators=[games.events.models._require_zone])),
                ('lead', models.PositiveSmallIntegerField(default=60, validators=[django.core.validators.MaxValueValidator(10080)])),
                ('fill', models.PositiveSmallIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(16)])),
                ('for_programs', models.BooleanField(default=False)),
                ('is_on', models.BooleanField(default=True)),
            ],
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=games.matches.models.matches.new_public_id, max_length=32, unique=True)),
                ('name', models.CharField(max_length=40)),
                ('game', models.CharField(max_length=20)),
                ('listed', models.BooleanField(default=True)),
                ('for_programs', models.BooleanField(default=False)),
                ('fill', models.PositiveSmallIntegerField(default=0)),
                ('status', models.CharField(choices=[('announced', 'Announced'), ('running', 'Running'), ('over', 'Over'), ('void', 'Void'), ('skipped', 'Skipped')], default='announced', max_length=9)),
                ('reason', models.CharField(blank=True, max_length=100)),
                ('opens_at', models.DateTimeField()),
                ('starts_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(null=True)),
                ('has_cups', models.BooleanField(default=False)),
                ('station', models.PositiveSmallIntegerField(default=0)),
                ('drawn_at', models.DateTimeField(null=True)),
                ('looked_at', models.DateTimeField(null=True)),
                ('founder', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('pledge', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='event', to='games.pledge')),
                ('schedule', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='events', to='events.schedule')),
            ],
        ),
        migrations.CreateModel(
            name='Entrant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('entered_at', models.DateTimeField()),
                ('no', models.PositiveSmallIntegerField(null=True)),
                ('is_in', models.BooleanField(default=True)),
                ('is_called', models.BooleanField(default=False)),
                ('seen_at', models.DateTimeField(null=True)),
                ('left', models.CharField(blank=True, max_length=10)),
                ('place', models.PositiveSmallIntegerField(null=True)),
                ('rode_longest', models.BooleanField(default=False)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to=settings.AUTH_USER_MODEL)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entrants', to='events.event')),
            ],
        ),
        migrations.CreateModel(
            name='Meeting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('station', models.PositiveSmallIntegerField()),
                ('no', models.PositiveSmallIntegerField()),
                ('limit_at', models.DateTimeField(null=True)),
                ('how', models.CharField(blank=True, max_length=6)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='meetings', to='events.event')),
                ('first', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='events.entrant')),
                ('match', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='meeting', to='games.match')),
                ('pledge', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.pledge')),
                ('second', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='events.entrant')),
                ('winner', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='events.entrant')),
            ],
        ),
        migrations.AddConstraint(
            model_name='entrant',
            constraint=models.UniqueConstraint(fields=('event', 'user'), name='events_entered_once'),
        ),
        migrations.AddConstraint(
            model_name='meeting',
            constraint=models.UniqueConstraint(fields=('event', 'station', 'no'), name='events_meeting_no'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['status', 'starts_at'], name='events_due'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.UniqueConstraint(fields=('schedule', 'starts_at'), name='events_once'),
        ),
        migrations.RunPython(deliver, migrations.RunPython.noop),
    ]
