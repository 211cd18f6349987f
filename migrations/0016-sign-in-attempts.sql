-- Where each account was signed in from. Both are keyed hashes: of the email address, and of the IPv4 address or the /64 of IPv6.
create table known_addresses (
  account text not null,
  address text not null,
  last_used_at timestamptz not null,
  primary key (account, address)
);
create index known_addresses_age on known_addresses (last_used_at);
grant select, insert, update, delete on known_addresses to earshot_system;

-- Wrong passwords for an account, known or not, from addresses that it was never signed in from.
create table sign_in_delays (
  account text primary key,
  failures integer not null,
  -- Until then, new addresses may not try.
  blocked_until timestamptz,
  last_failed_at timestamptz not null
);
create index sign_in_delays_age on sign_in_delays (last_failed_at);
grant select, insert, update, delete on sign_in_delays to earshot_system;
