from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('economy', '0002_codes'),
    ]

    operations = [
        migrations.CreateModel(
            name='Adjustment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token', models.CharField(max_length=64, unique=True)),
                ('proposer', models.CharField(max_length=64)),
                ('target', models.CharField(max_length=64)),
                ('approver', models.CharField(blank=True, max_length=64)),
                ('amount', models.BigIntegerField()),
                ('reason', models.CharField(max_length=200)),
                ('state', models.CharField(choices=[('proposed', 'Proposed'), ('approved', 'Approved'), ('refused', 'Refused'), ('expired', 'Expired')], default='proposed', max_length=10)),
                ('proposed_at', models.DateTimeField()),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'permissions': [('approve_adjustment', "Can approve another administrator's adjustment")],
                'constraints': [models.CheckConstraint(condition=models.Q(('amount__gte', -1000000000), ('amount__lte', 1000000000), models.Q(('amount', 0), _negated=True)), name='adjustment_amount_bounds'), models.CheckConstraint(condition=models.Q(('proposer', models.F('target')), _negated=True), name='adjustment_not_ones_own'), models.CheckConstraint(condition=models.Q(models.Q(('approver', models.F('target')), _negated=True), models.Q(('approver', models.F('proposer')), _negated=True)), name='adjustment_four_eyes'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'approved'), _negated=True), models.Q(('approver', ''), _negated=True), models.Q(('amount__gte', -1000), ('amount__lte', 1000)), _connector='OR'), name='adjustment_large_needs_a_second')],
            },
        ),
        migrations.CreateModel(
            name='AdminRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('actor', models.CharField(max_length=64)),
                ('actor_name', models.CharField(max_length=150)),
                ('action', models.CharField(max_length=60)),
                ('target', models.CharField(max_length=160)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('before', models.TextField(blank=True)),
                ('after', models.TextField(blank=True)),
            ],
            options={
                'verbose_name': 'record',
                'verbose_name_plural': 'records of administrators',
                'permissions': [('unmask_match', 'Can look at the hidden state of a live match'), ('void_match', 'Can void a match')],
                'indexes': [models.Index(fields=['target', 'action'], name='record_target_action'), models.Index(fields=['at'], name='record_at')],
            },
        ),
    ]
