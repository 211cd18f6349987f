-- A value that an older key of SECRETS_KEY sealed is sealed anew by `npm run reseal`. The key of a
-- workspace's addresses was the only one that nothing could change.
grant update (sealed) on address_keys to earshot_tenant;
