import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { cidrMatcher } from '../networks.ts'
import { ConfigError, parseConfig } from './config.ts'

const PRODUCTION = {
  ENVIRONMENT: 'production',
  DATABASE_URL: 'postgres://app:hunter2@db/earshot',
  SECRETS_KEY: 'hunter2-hunter2-hunter2-hunter2-hunter2',
  PUBLIC_BASE_URL: 'https://feedback.example.com/',
}

test('nothing has to be set in development', () => {
  expect(parseConfig({})).toMatchObject({
    production: false,
    role: 'all',
    port: 8080,
    signups: 'open',
    database: { kind: 'pglite', dataDir: './data' },
    webhooks: { retrySeconds: [5, 300, 1800, 7200], sweepSeconds: 30, leaseSeconds: 45, httpsOnly: false },
    retention: { payloadsDays: 90, attemptsDays: 30, mailDays: 30, responsesDays: null, sendsDays: 365 },
    workerPort: null,
  })
  expect(parseConfig({ PORT: '', DATABASE_URL: '' })).toEqual(parseConfig({}))
})

test('production reaches no private address by webhook unless told, and keeps its secrets out of print', () => {
  const config = parseConfig(PRODUCTION)
  expect(config).toMatchObject({
    production: true,
    publicBaseUrl: 'https://feedback.example.com',
    webhooks: { allowCidrs: [], httpsOnly: true },
  })
  expect(`${inspect(config, { depth: 9 })}${JSON.stringify(config)}${String(config.secretsKeys)}`).not.toContain(
    'hunter2',
  )
})

test('a secret from a file may end its line, and a prefix may end in slashes', () => {
  const config = parseConfig({
    METRICS_TOKEN: 'token\r\n',
    STORAGE: 's3',
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'key\n',
    S3_PREFIX: 'earshot//',
  })
  expect(config.metricsToken?.reveal()).toBe('token')
  expect(config.storage).toMatchObject({ prefix: 'earshot/' })
})

test.each([
  [{ PORT: '70000' }, ['PORT']],
  [{ PORT: '1e3', LOG_LEVEL: 'loud' }, ['PORT', 'LOG_LEVEL']],
  [{ PUBLIC_BASE_URL: 'feedback.example.com' }, ['PUBLIC_BASE_URL']],
  [{ PUBLIC_BASE_URL: 'https://feedback.example.com/?a=1' }, ['PUBLIC_BASE_URL']],
  [{ PUBLIC_BASE_URL: 'https://feedback.example.com#top' }, ['PUBLIC_BASE_URL']],
  [{ CORS_ORIGINS: 'not an origin' }, ['CORS_ORIGINS']],
  [{ CORS_ORIGINS: 'https://a.example, https://b.example/' }, ['CORS_ORIGINS']],
  [{ CORS_ORIGINS: 'https://a.example:443' }, ['CORS_ORIGINS']],
  [{ CORS_ORIGINS: '*' }, ['CORS_ORIGINS']],
  [{ EMAIL_FROM: 'Acme' }, ['EMAIL_FROM']],
  [{ EMAIL_FROM: 'Acme <feedback@example.com' }, ['EMAIL_FROM']],
  [{ DATABASE_URL: 'mysql://db/earshot' }, ['DATABASE_URL']],
  [{ TRUSTED_PROXIES: '10.0.0.0/33' }, ['TRUSTED_PROXIES']],
  [{ WEBHOOK_ALLOW_CIDRS: '10.0.0.0' }, ['WEBHOOK_ALLOW_CIDRS']],
  [{ WEBHOOK_RETRY_SECONDS: '5,300,1800' }, ['WEBHOOK_RETRY_SECONDS']],
  [{ SECRETS_KEY: 'short' }, ['SECRETS_KEY']],
  [{ METRICS_TOKEN: 'to\nken' }, ['METRICS_TOKEN']],
  [{ S3_PREFIX: '../other' }, ['S3_PREFIX']],
  [{ S3_PREFIX: '/earshot' }, ['S3_PREFIX']],
  [{ S3_PREFIX: 'a//b' }, ['S3_PREFIX']],
  [{ AI_BASE_URL: 'https://user:hunter2@ai.example' }, ['AI_BASE_URL']],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user@collector:4318' }, ['OTEL_EXPORTER_OTLP_ENDPOINT']],
  [{ ROLE: 'worker' }, ['ROLE']],
  [{ EMAIL_PROVIDER: 'smtp' }, ['SMTP_URL']],
  [{ LEASE_SECONDS: '61', WEBHOOK_SWEEP_SECONDS: '0' }, ['LEASE_SECONDS', 'WEBHOOK_SWEEP_SECONDS']],
  [
    { RETENTION_PAYLOADS_DAYS: '0', RETENTION_ATTEMPTS_DAYS: 'forever' },
    ['RETENTION_PAYLOADS_DAYS', 'RETENTION_ATTEMPTS_DAYS'],
  ],
  [{ ...PRODUCTION, REQUIRE_SIGNED_WEBHOOKS: 'off' }, ['REQUIRE_SIGNED_WEBHOOKS']],
  [{ STORAGE: 's3', S3_BUCKET: 'b' }, ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']],
  [{ STORAGE: 'tape', S3_ENDPOINT: 'hunter2' }, ['STORAGE', 'S3_ENDPOINT']],
  [{ AI_BASE_URL: 'hunter2' }, ['AI_BASE_URL']],
  [{ ENVIRONMENT: 'production' }, ['DATABASE_URL', 'SECRETS_KEY', 'PUBLIC_BASE_URL']],
  [{ ...PRODUCTION, SECRETS_KEY: 'hunter2', PORT: 'x' }, ['SECRETS_KEY', 'PORT']],
])('%o stops the start and names %o', (environment, names) => {
  const error = refusal(environment)
  expect(error.problems.map((problem) => problem.split(':')[0]).sort()).toEqual([...names].sort())
  expect(error.message).not.toContain('hunter2')
})

const PATH =
  'Earshot does not run under a path; give it a host for itself, such as https://feedback.example.com (docs/live.md)'

test.each([
  ['https://example.com/feedback', PATH],
  ['https://example.com/feedback/', PATH],
  ['https://example.com\\feedback', PATH],
  ['https://example.com/%2e%2e/a/?b#c', PATH],
  ['https://example.com/?', 'leave out the query and the fragment, such as https://feedback.example.com'],
  ['https://example.com?a=hunter2', 'leave out the query and the fragment, such as https://feedback.example.com'],
  ['https://example.com/#', 'leave out the query and the fragment, such as https://feedback.example.com'],
  ['https://ada:hunter2@example.com', 'leave out the user name and the password, such as https://feedback.example.com'],
  ['ftp://example.com', 'use an http(s) URL, such as https://feedback.example.com'],
  ['localhost:8080', 'use an http(s) URL, such as https://feedback.example.com'],
  ['/feedback', 'use an http(s) URL, such as https://feedback.example.com'],
])('PUBLIC_BASE_URL=%s says what to do', (PUBLIC_BASE_URL, problem) => {
  expect(refusal({ PUBLIC_BASE_URL }).problems).toEqual([`PUBLIC_BASE_URL: ${problem}`])
})

test.each([
  ['https://feedback.example.com/', 'https://feedback.example.com'],
  ['https://feedback.example.com//', 'https://feedback.example.com'],
  ['HTTPS://Feedback.Example.com', 'https://feedback.example.com'],
  ['https://feedback.example.com:443', 'https://feedback.example.com'],
  ['https://feedback.example.com:8443/', 'https://feedback.example.com:8443'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://[::1]:8080/', 'http://[::1]:8080'],
  ['https://rückmeldung.example', 'https://xn--rckmeldung-9db.example'],
])('PUBLIC_BASE_URL=%s is %s', (PUBLIC_BASE_URL, origin) => {
  expect(parseConfig({ PUBLIC_BASE_URL }).publicBaseUrl).toBe(origin)
})

test.each([
  [{ PORT: '70000' }, 'PORT: use a whole number from 0 to 65535'],
  [{ LEASE_SECONDS: '5' }, 'LEASE_SECONDS: use a whole number from 20 to 60'],
  [
    { SMS_RATE_PER_SECOND: '0' },
    'SMS_RATE_PER_SECOND: use a number of messages a second from 0.01 to 10000, such as 10',
  ],
  [{ RETENTION_MAIL_DAYS: '0' }, 'RETENTION_MAIL_DAYS: use a whole number of days from 1 to 36500, or never'],
  [{ EMAIL_PROVIDER: 'pigeon' }, 'EMAIL_PROVIDER: use one of console, smtp, resend'],
  [{ SIGNUP: 'closed' }, 'SIGNUP: there is no such setting; use SIGNUPS'],
])('%o is explained as a person would', (environment, message) => {
  expect(refusal(environment).problems).toEqual([message])
})

test('defaults that are spelled out are accepted, and so are unsigned callbacks while developing', () => {
  expect(
    parseConfig({ STORAGE: 'filesystem', REDIS_URL: '', REQUIRE_SIGNED_WEBHOOKS: 'off' }).emailCallbacks.requireSigned,
  ).toBe(false)
  expect(parseConfig({ ...PRODUCTION, REQUIRE_SIGNED_WEBHOOKS: 'on' }).emailCallbacks.requireSigned).toBe(true)
})

test.each([
  ['SIGNUP', 'SIGNUPS'],
  ['signups', 'SIGNUPS'],
  ['SIGN_UPS', 'SIGNUPS'],
  ['S3_BUKET', 'S3_BUCKET'],
  ['S3BUCKET', 'S3_BUCKET'],
  ['S3_BUCKETS', 'S3_BUCKET'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABASEURL', 'DATABASE_URL'],
  ['DATABASE-URL', 'DATABASE_URL'],
  ['database_url', 'DATABASE_URL'],
  ['DATBASE_URL', 'DATABASE_URL'],
  ['SECRET_KEY', 'SECRETS_KEY'],
  ['SECRETS_KEYS', 'SECRETS_KEY'],
  ['ENVIROMENT', 'ENVIRONMENT'],
  ['ENVIRONEMNT', 'ENVIRONMENT'],
  ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  ['CORS_ORIGIN', 'CORS_ORIGINS'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['EMAIL_FORM', 'EMAIL_FROM'],
  ['SMPT_URL', 'SMTP_URL'],
  ['PUBLIC_BASEURL', 'PUBLIC_BASE_URL'],
  ['RETENTION_RESPONSE_DAY', 'RETENTION_RESPONSES_DAYS'],
  ['WEBHOOK_ALOW_CIDR', 'WEBHOOK_ALLOW_CIDRS'],
  ['METRIC_TOKEN', 'METRICS_TOKEN'],
  ['OTEL_EXPORTER_OLTP_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['PROT', 'PORT'],
  ['RLOE', 'ROLE'],
])('%s is taken for a misspelt %s', (name, setting) => {
  const error = refusal({ [name]: 'hunter2', LEASE_SECONDS: '5' })
  expect(error.problems).toEqual([
    expect.stringMatching(/^LEASE_SECONDS: /),
    `${name}: there is no such setting; use ${setting}`,
  ])
  expect(error.message).not.toContain('hunter2')
  expect(() => parseConfig({ [name]: '' })).not.toThrow()
})

test('names of other programs, of platforms and of shells are none of our business', () => {
  const others =
    'HOME HOSTNAME HOSTS PORTS POST ROOT SHELL PATH PWD USER LANG TZ TERM SHLVL LOGNAME NODE_ENV NODE_OPTIONS NO_COLOR CI ' +
    'REDIS_URL REDIS_TLS_URL DATABASE_HOST DATABASE_USER DATABASE_NAME DATABASE_SSL DATABASE_PRIVATE_URL ' +
    'DATABASE_PUBLIC_URL DATABASE_PASSWORD POSTGRES_URL POSTGRES_PASSWORD PGHOST PGUSER MYSQL_URL API_BASE_URL API_KEY ' +
    'BASE_URL PUBLIC_URL APP_URL SMTP_HOST SMTP_PORT SMTP_USER SMTP_PASSWORD SMTP_FROM EMAIL_HOST EMAIL_PORT ' +
    'AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY OPENAI_API_KEY XAI_API_KEY SENTRY_DSN EARSHOT_PORT ' +
    'EARSHOT_SERVICE_HOST EARSHOT_PORT_80_TCP_ADDR EARSHOT_DATABASE_PASSWORD KUBERNETES_SERVICE_HOST DYNO RENDER ' +
    'RAILWAY_ENVIRONMENT FLY_APP_NAME WEB_CONCURRENCY XDG_DATA_DIRS XDG_DATA_HOME OTEL_EXPORTER_OTLP_TIMEOUT ' +
    'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT OTEL_EXPORTER_OTLP_LOGS_ENDPOINT OTEL_EXPORTER_OTLP_TRACES_HEADERS ' +
    'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL OTEL_TRACES_EXPORTER OTEL_METRICS_EXPORTER OTEL_PROPAGATORS ' +
    'npm_config_cache npm_lifecycle_event npm_package_name INVOCATION_ID JOURNAL_STREAM STORAGE_DIR SECRET TOKEN'
  expect(parseConfig(Object.fromEntries(others.split(' ').map((name) => [name, 'value'])))).toEqual(parseConfig({}))
})

test('a platform may set REDIS_URL, and production has no open sign-ups unless told', () => {
  expect(parseConfig({ ...PRODUCTION, REDIS_URL: 'redis://cache' }).signups).toBe('closed')
  expect(parseConfig({ ...PRODUCTION, SIGNUPS: 'open' }).signups).toBe('open')
})

test('what is kept for ever says never', () => {
  const { retention } = parseConfig({ RETENTION_PAYLOADS_DAYS: 'never', RETENTION_RESPONSES_DAYS: '365' })
  expect(retention).toEqual({ payloadsDays: null, attemptsDays: 30, mailDays: 30, responsesDays: 365, sendsDays: 365 })
})

test('origins and senders as people write them are taken', () => {
  expect(parseConfig({ CORS_ORIGINS: 'https://a.example, http://b.example:8080' }).corsOrigins).toEqual([
    'https://a.example',
    'http://b.example:8080',
  ])
  for (const sender of ['feedback@example.com', 'Acme, Inc. <feedback@example.com>', '"Acme" <feedback@example.com>']) {
    expect(parseConfig({ EMAIL_FROM: sender }).email.from).toBe(sender)
  }
})

test('a CIDR range matches its family, and an IPv4 address in IPv6 clothes', () => {
  const matches = cidrMatcher(['10.0.0.0/8', 'fd00::/8'])
  expect(['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1'].map(matches)).toEqual([true, true, true])
  expect(['11.1.2.3', '::ffff:11.1.2.3', 'fe80::1', 'localhost', ''].map(matches)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ])
})

function refusal(environment: Record<string, string>): ConfigError {
  try {
    parseConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error
  }
  throw new Error('the environment was accepted')
}

test.each([
  ['postgres://ada:pa/ss@db/earshot', 'percent-encode'],
  ['postgres://ada:pa#ss@db/earshot', 'percent-encode'],
  ['postgres://ada:12/ss@db/earshot', 'percent-encode'],
  ['postgres://ada:12#ss@db/earshot', 'percent-encode'],
  ['postgres://db/earshot?sslmode=verify_full', 'use one of disable, allow, prefer, require, verify-ca, verify-full'],
  ['postgres://db/earshot?sslmode=verify-full&sslrootcert=/no/such.pem', 'the file that its sslrootcert names'],
  ['postgres://db/earshot?sslcert=/no/such.pem', 'the file that its sslcert names'],
])('%s is refused in both settings of the database, without repeating it', (url, reason) => {
  for (const name of ['DATABASE_URL', 'DATABASE_MIGRATION_URL']) {
    const [problem, ...more] = refusal({ [name]: url }).problems
    expect(problem).toMatch(new RegExp(`^${name}: .*${reason}`))
    expect(problem).not.toMatch(/ada|ss@|no\/such/)
    expect(more).toEqual([])
  }
})

test.each([
  'postgres://ada:p@ss@db/earshot',
  'postgres://ada:p%2Fss@db/earshot?sslmode=no-verify',
  'postgres://postgres@localhost:5432/earshot?host=/tmp',
  'postgresql:///earshot?host=/var/run/postgresql',
  'postgres://ada:50%off@db/earshot?sslmode=verify-full',
])('%s is a database', (DATABASE_URL) => {
  expect(parseConfig({ DATABASE_URL }).database.kind).toBe('pg')
})
