import { accessSync, constants } from 'node:fs'
import { z } from 'zod'
import { isCidr } from '../networks.ts'
import { Secret } from './secrets.ts'

export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)
// A file of a secret often ends its line.
export const secret = z
  .string()
  .transform((text) => text.replace(/\r?\n$/, ''))
  .refine((text) => /^\P{Cc}+$/u.test(text), 'leave out line ends and other control characters')
  .transform((text) => new Secret(text))
/** The address of a PostgreSQL, with a user such as `user`. */
export const databaseUrl = (user: string) =>
  secret.superRefine((url, refused) => {
    const message = problemOfDatabase(url.reveal(), user)
    if (message !== null) refused.addIssue({ code: 'custom', message })
  })
export const integer = (min: number, max: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,15}$/.test(text) && within(Number(text), min, max),
      `use a whole number from ${min} to ${max}`,
    )
    .transform(Number)
export const rate = z
  .string()
  .refine(
    (text) => /^\d{1,9}(\.\d{1,9})?$/.test(text) && within(Number(text), 0.01, 10_000),
    'use a number of messages a second from 0.01 to 10000, such as 10',
  )
  .transform(Number)
export const flag = z
  .enum(['on', 'off', 'true', 'false', '1', '0'], 'use on or off')
  .transform((text) => ['on', 'true', '1'].includes(text))
export const days = z
  .string()
  .refine(
    (text) => text === 'never' || (/^\d{1,9}$/.test(text) && within(Number(text), 1, 36_500)),
    'use a whole number of days from 1 to 36500, or never',
  )
  .transform((text) => (text === 'never' ? null : Number(text)))
export const baseUrl = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !/[?#]/.test(text),
    'use an http(s) URL without query and fragment, such as https://feedback.example.com',
  )
  // It stands in logs and errors, and no call takes credentials in its URL.
  .refine(hasNoUser, 'leave out the user name and the password: they have settings of their own')
  .transform((text) => text.replace(/(?<!\/)\/+$/, ''))
/** The pages, scripts and calls of a server begin at the root of its host. */
export const publicUrl = z
  .string()
  .superRefine((text, refused) => {
    const problem = problemOf(text)
    if (problem !== null) refused.addIssue({ code: 'custom', message: problem })
  })
  .transform((text) => new URL(text).origin)
export const origins = list.refine(
  (items) => items.every((item) => URL.canParse(item) && new URL(item).origin === item),
  'use a comma-separated list of origins as browsers send them, such as https://app.example.com: in lower ' +
    'case, without a path, a slash at the end or a default port',
)
export const sender = z
  .string()
  .regex(
    /^(?:[^<>\r\n]*<[^\s<>@,]+@[^\s<>@,]+>|[^\s<>@,]+@[^\s<>@,]+)$/,
    'use an address such as Acme <feedback@example.com>',
  )
/** `name=value` with commas between, both percent-encoded, as OpenTelemetry has it. */
export const pairs = z
  .string()
  .refine((text) => canRead(text), 'use names and values, such as team=voice,region=eu')
  .transform((text) => readPairs(text))
export const share = z
  .string()
  .refine((text) => /^(0|1|0?\.\d{1,9}|1\.0+)$/.test(text), 'use a share from 0 to 1, such as 0.1')
  .transform(Number)
export const cidrs = list.refine(
  (items) => items.every(isCidr),
  'use a comma-separated list of CIDR ranges, such as 10.0.0.0/8,fd00::/8',
)

export function readPairs(text: string): Record<string, string> {
  const entries = text.split(',').flatMap((pair) => {
    const [name = '', ...value] = pair.split('=')
    return name.trim() === '' ? [] : [[decodeURIComponent(name.trim()), decodeURIComponent(value.join('=').trim())]]
  })
  return Object.fromEntries(entries) as Record<string, string>
}

function canRead(text: string): boolean {
  try {
    return text.split(',').every((pair) => pair.includes('=')) && Object.keys(readPairs(text)).length > 0
  } catch {
    return false
  }
}

function problemOf(publicUrl: string): string | null {
  const use = 'such as https://feedback.example.com'
  if (!URL.canParse(publicUrl)) return `use an http(s) URL, ${use}`
  const url = new URL(publicUrl)
  if (!/^https?:$/.test(url.protocol)) return `use an http(s) URL, ${use}`
  if (!/^\/*$/.test(url.pathname))
    return `Earshot does not run under a path; give it a host for itself, ${use} (docs/live.md)`
  if (/[?#]/.test(publicUrl)) return `leave out the query and the fragment, ${use}`
  if (!hasNoUser(publicUrl)) return `leave out the user name and the password, ${use}`
  return null
}

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

function problemOfDatabase(text: string, user: string): string | null {
  const form = `use a URL such as postgres://${user}:password@host:5432/earshot`
  if (!/^postgres(ql)?:\/\//.test(text)) return form
  if (!isWhole(text)) return `${form}, and percent-encode signs such as @ / # ? % in the password`
  const { searchParams } = new URL(text)
  const mode = searchParams.get('sslmode')
  if (mode !== null && !SSL_MODES.includes(mode)) return `use one of ${SSL_MODES.join(', ')} as its sslmode`
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = searchParams.get(name)
    if (file !== null && !canOpen(file)) return `the file that its ${name} names cannot be read`
  }
  return null
}

function hasNoUser(text: string): boolean {
  if (!URL.canParse(text)) return true
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

/** A bare `/` or `#` in the password ends the host early. Then the rest, with its `@`, stands behind it. */
function isWhole(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { pathname, hash } = new URL(text)
  return hash === '' && !pathname.includes('@')
}

function canOpen(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}

function within(number: number, min: number, max: number): boolean {
  return number >= min && number <= max
}
