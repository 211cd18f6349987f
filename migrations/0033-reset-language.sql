-- The language in which somebody asked for a new password, for the mail. Null is English.
alter table password_resets add column language text;
