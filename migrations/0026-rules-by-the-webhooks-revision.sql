-- Alert rules are read again when the revision in webhook_revisions changes.
drop table alert_rule_revisions;
