import { z } from 'zod'
import { nearestSetting } from './near-names.ts'
import { Secret } from './secrets.ts'
import {
  baseUrl,
  cidrs,
  databaseUrl,
  days,
  flag,
  integer,
  list,
  origins,
  pairs,
  publicUrl,
  rate,
  readPairs,
  secret,
  sender,
  share,
} from './setting-types.ts'

const EMAIL_PROVIDERS = ['console', 'smtp', 'resend'] as const
type EmailProvider = (typeof EMAIL_PROVIDERS)[number]
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

const Environment = z.object({
  PORT: integer(0, 65_535).default(8080),
  HOST: z.string().default('0.0.0.0'),
  PUBLIC_BASE_URL: publicUrl.optional(),
  ENVIRONMENT: z.enum(['development', 'production']).default('development'),
  DATABASE_URL: databaseUrl('user').optional(),
  DATABASE_MIGRATION_URL: databaseUrl('owner').optional(),
  DATABASE_POOL_SIZE: integer(2, 500).default(20),
  DATABASE_CONNECTION: z.enum(['pool', 'request']).default('pool'),
  DATA_DIR: z.string().min(1).default('./data'),
  CORS_ORIGINS: origins.default([]),
  SIGNUPS: z.enum(['open', 'closed']).optional(),
  SECRETS_KEY: z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((key) => key.trim())
        .filter(Boolean),
    )
    .refine(
      (keys) => keys.length > 0 && keys.every((key) => key.length >= 32),
      'each key needs at least 32 characters; `openssl rand -base64 32` makes one',
    )
    .transform((keys) => keys.map((key) => new Secret(key)))
    .optional(),
  TRUSTED_PROXIES: cidrs.default([]),
  CAPTURE_PER_MINUTE: integer(0, 1_000_000).default(600),
  WEBHOOK_ALLOW_CIDRS: cidrs.optional(),
  WEBHOOK_RETRY_SECONDS: list
    .refine(
      (items) => items.length === 4 && items.every((item) => /^\d{1,6}$/.test(item)),
      'use four whole numbers of seconds, such as 5,300,1800,7200',
    )
    .transform((items) => items.map(Number))
    .default([5, 300, 1800, 7200]),
  WEBHOOK_SWEEP_SECONDS: integer(1, 3600).default(30),
  RECOVERY_SWEEP_SECONDS: integer(1, 86_400).default(900),
  LEASE_SECONDS: integer(20, 60).default(45),
  RETENTION_PAYLOADS_DAYS: days.default(90),
  RETENTION_ATTEMPTS_DAYS: days.default(30),
  RETENTION_MAIL_DAYS: days.default(30),
  RETENTION_RESPONSES_DAYS: days.default(null),
  RETENTION_SENDS_DAYS: days.default(365),
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  WORKER_PORT: integer(0, 65_535).optional(),
  EMAIL_PROVIDER: z.enum(EMAIL_PROVIDERS).default('console'),
  EMAIL_FROM: sender.default('Earshot <earshot@localhost>'),
  SMTP_URL: secret
    .refine((url) => /^smtps?:\/\//.test(url.reveal()), 'use a URL such as smtp://user:password@host:587')
    .optional(),
  RESEND_API_KEY: secret.optional(),
  RESEND_BASE_URL: baseUrl.default('https://api.resend.com'),
  EMAIL_WEBHOOK_SECRET: secret
    .refine(
      (text) => isWebhookSecret(text.reveal()),
      'use the secret that the provider shows: whsec_ and base64 after it',
    )
    .optional(),
  REQUIRE_SIGNED_WEBHOOKS: flag.optional(),
  EMAIL_RATE_PER_SECOND: rate.optional(),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC\w{2,64}$/, 'use the account SID that Twilio shows: AC and letters and digits after it')
    .optional(),
  TWILIO_AUTH_TOKEN: secret.optional(),
  TWILIO_BASE_URL: baseUrl.default('https://api.twilio.com'),
  SMS_RATE_PER_SECOND: rate.default(1),
  VOICE_RATE_PER_SECOND: rate.default(1),
  AI_BASE_URL: baseUrl.optional(),
  AI_API_KEY: secret.optional(),
  AI_MODEL: z.string().min(1).max(200).default('gpt-4o-mini'),
  STORAGE: z.enum(['filesystem', 's3']).default('filesystem'),
  S3_ENDPOINT: baseUrl.optional(),
  S3_REGION: z.string().min(1).max(60).default('us-east-1'),
  S3_BUCKET: z.string().min(3).max(63).optional(),
  S3_PREFIX: z
    .string()
    .max(200)
    .refine((text) => isFolder(text), 'use names with slashes between them, such as earshot or files/earshot')
    .default(''),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: secret.optional(),
  S3_FORCE_PATH_STYLE: flag.default(false),
  METRICS_TOKEN: secret.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: baseUrl.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: secret.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(['http/json', 'http/protobuf']).default('http/json'),
  OTEL_SERVICE_NAME: z.string().min(1).max(200).default('earshot'),
  OTEL_RESOURCE_ATTRIBUTES: pairs.optional(),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: share.default(1),
  OTEL_SDK_DISABLED: flag.default(false),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
})

const S3_NEEDS = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
const SMTP_URL_MISSING = 'SMTP_URL: required when EMAIL_PROVIDER is smtp'

const EMAIL_SETTINGS = {
  console: () => ({ provider: 'console' as const }),
  smtp({ SMTP_URL: url }) {
    if (!url) throw new ConfigError([SMTP_URL_MISSING])
    return { provider: 'smtp' as const, url }
  },
  resend: ({ RESEND_API_KEY: apiKey = null, RESEND_BASE_URL: baseUrl }) => ({
    provider: 'resend' as const,
    apiKey,
    baseUrl,
  }),
} satisfies { [P in EmailProvider]: (env: z.output<typeof Environment>) => { provider: P } }

// The console writes mail to files, and nobody gets it.
const IS_MAIL_SENT: Record<EmailProvider, (env: z.output<typeof Environment>) => boolean> = {
  console: () => false,
  smtp: () => true,
  resend: ({ RESEND_API_KEY: apiKey }) => apiKey !== undefined,
}

// Resend takes two messages a second, unless an account has a higher limit.
const EMAIL_RATES: Record<EmailProvider, number | null> = { console: null, smtp: null, resend: 2 }

export type Config = ReturnType<typeof parseConfig>

export class ConfigError extends Error {
  readonly problems: string[]
  constructor(problems: string[]) {
    super(
      `Earshot cannot start, because ${problems.length === 1 ? 'a setting is' : 'settings are'} wrong:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    )
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/**
 * Reads the settings of docs/operations.md from an environment. An empty value counts as absent.
 * @throws ConfigError naming each malformed setting, never its value.
 */
export function parseConfig(environment: Record<string, string | undefined>) {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = Environment.safeParse(present, { error: explainSetting })
  const problems: string[] = []
  for (const issue of parsed.error?.issues ?? []) problems.push(`${issue.path.join('.')}: ${issue.message}`)

  problems.push(...misspeltSettings(Object.keys(present)))

  const production = present['ENVIRONMENT'] === 'production'
  if (production) {
    if (parsed.data?.REQUIRE_SIGNED_WEBHOOKS === false) {
      problems.push(
        'REQUIRE_SIGNED_WEBHOOKS: it cannot be off when ENVIRONMENT is production. Leave it out, and set ' +
          'EMAIL_WEBHOOK_SECRET',
      )
    }
    for (const name of ['DATABASE_URL', 'SECRETS_KEY', 'PUBLIC_BASE_URL']) {
      if (!present[name]) problems.push(`${name}: required when ENVIRONMENT is production`)
    }
  }
  if (present['ROLE'] && present['ROLE'] !== 'all' && !present['DATABASE_URL']) {
    problems.push('ROLE: set DATABASE_URL before you split processes, because the embedded database serves one process')
  }
  if (present['EMAIL_PROVIDER'] === 'smtp' && !present['SMTP_URL']) problems.push(SMTP_URL_MISSING)
  if (present['STORAGE'] === 's3')
    for (const name of S3_NEEDS) if (!present[name]) problems.push(`${name}: required when STORAGE is s3`)
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems)

  const env = parsed.data
  return {
    environment: env.ENVIRONMENT,
    production,
    role: env.ROLE,
    port: env.PORT,
    workerPort: env.WORKER_PORT ?? null,
    host: env.HOST,
    publicBaseUrl: env.PUBLIC_BASE_URL ?? null,
    database: env.DATABASE_URL
      ? ({
          kind: 'pg',
          url: env.DATABASE_URL,
          migrationUrl: env.DATABASE_MIGRATION_URL ?? env.DATABASE_URL,
          poolSize: env.DATABASE_POOL_SIZE,
          connection: env.DATABASE_CONNECTION,
        } as const)
      : ({ kind: 'pglite', dataDir: env.DATA_DIR } as const),
    dataDir: env.DATA_DIR,
    corsOrigins: env.CORS_ORIGINS,
    signups: env.SIGNUPS ?? (production ? ('closed' as const) : ('open' as const)),
    configured: configured(env),
    secretsKeys: env.SECRETS_KEY ?? null,
    trustedProxies: env.TRUSTED_PROXIES,
    // Null means without a limit.
    capturePerMinute: env.CAPTURE_PER_MINUTE === 0 ? null : env.CAPTURE_PER_MINUTE,
    webhooks: {
      allowCidrs: env.WEBHOOK_ALLOW_CIDRS ?? (production ? [] : ['127.0.0.0/8', '::1/128']),
      httpsOnly: production,
      retrySeconds: env.WEBHOOK_RETRY_SECONDS,
      sweepSeconds: env.WEBHOOK_SWEEP_SECONDS,
      leaseSeconds: env.LEASE_SECONDS,
    },
    recoverySweepSeconds: env.RECOVERY_SWEEP_SECONDS,
    retention: {
      payloadsDays: env.RETENTION_PAYLOADS_DAYS,
      attemptsDays: env.RETENTION_ATTEMPTS_DAYS,
      mailDays: env.RETENTION_MAIL_DAYS,
      responsesDays: env.RETENTION_RESPONSES_DAYS,
      sendsDays: env.RETENTION_SENDS_DAYS,
    },
    email: { ...EMAIL_SETTINGS[env.EMAIL_PROVIDER](env), from: env.EMAIL_FROM },
    emailCallbacks: {
      secret: env.EMAIL_WEBHOOK_SECRET ?? null,
      requireSigned: env.REQUIRE_SIGNED_WEBHOOKS ?? production,
    },
    twilio: {
      accountSid: env.TWILIO_ACCOUNT_SID ?? null,
      authToken: env.TWILIO_AUTH_TOKEN ?? null,
      baseUrl: env.TWILIO_BASE_URL,
    },
    ai: { baseUrl: env.AI_BASE_URL ?? null, apiKey: env.AI_API_KEY ?? null, model: env.AI_MODEL },
    storage: storageOf(env),
    // The messages a second that a provider takes. Null means as fast as it answers.
    rates: {
      email: env.EMAIL_RATE_PER_SECOND ?? EMAIL_RATES[env.EMAIL_PROVIDER],
      sms: env.SMS_RATE_PER_SECOND,
      voice: env.VOICE_RATE_PER_SECOND,
    },
    metricsToken: env.METRICS_TOKEN ?? null,
    tracing: tracingOf(env),
    logLevel: env.LOG_LEVEL,
  }
}

function configured(env: z.output<typeof Environment>) {
  const phone = env.TWILIO_ACCOUNT_SID !== undefined && env.TWILIO_AUTH_TOKEN !== undefined
  return {
    email: IS_MAIL_SENT[env.EMAIL_PROVIDER](env),
    sms: phone,
    voice: phone,
    ai: env.AI_BASE_URL !== undefined,
    // The file system, when nothing else is set.
    storage: true,
  }
}

/** Null without a collector. */
function tracingOf(env: z.output<typeof Environment>) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = env
  const url = own ?? (base && `${base}/v1/traces`)
  if (!url || env.OTEL_SDK_DISABLED) return null
  const headers = env.OTEL_EXPORTER_OTLP_HEADERS
  return {
    url,
    headers: headers ? () => readPairs(headers.reveal()) : null,
    serviceName: env.OTEL_SERVICE_NAME,
    resource: env.OTEL_RESOURCE_ATTRIBUTES ?? {},
    sampler: env.OTEL_TRACES_SAMPLER,
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
  }
}

function storageOf(env: z.output<typeof Environment>) {
  const { STORAGE, S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (STORAGE === 'filesystem' || !bucket || !accessKeyId || !secretAccessKey) return { kind: 'filesystem' as const }
  return {
    kind: 's3' as const,
    endpoint: env.S3_ENDPOINT ?? null,
    region: env.S3_REGION,
    bucket,
    prefix: env.S3_PREFIX === '' ? '' : env.S3_PREFIX.replace(/(?<!\/)\/*$/, '/'),
    accessKeyId,
    secretAccessKey,
    forcePathStyle: env.S3_FORCE_PATH_STYLE,
  }
}

/** A misspelt setting would be ignored in silence. Names of other programs are none of our business. */
function misspeltSettings(names: string[]): string[] {
  const settings = Object.keys(Environment.shape)
  return names
    .filter((name) => !settings.includes(name))
    .flatMap((name) => {
      const near = nearestSetting(name, settings)
      return near === null ? [] : [`${name}: there is no such setting; use ${near}`]
    })
}

function explainSetting(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_value') return `use one of ${issue.values.map(String).join(', ')}`
  return undefined
}

function isFolder(text: string): boolean {
  const names = text.replace(/(?<!\/)\/+$/, '').split('/')
  return text === '' || names.every((name) => name !== '' && name !== '.' && name !== '..' && /^\P{Cc}*$/u.test(name))
}

function isWebhookSecret(text: string): boolean {
  const key = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1]
  return key !== undefined && Buffer.from(key, 'base64').length > 0
}
