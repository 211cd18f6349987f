import { createTransport } from 'nodemailer'
import { createStorage } from '../../src/adapters/storage/storage.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { StorageError } from '../../src/platform/ports/storage-port.ts'
import { fail, ok, warn, type Finding } from './finding.ts'

const WAIT_MS = 8_000
// As Node and Nodemailer say that a name was not found.
const UNREACHED = new Set(['ESOCKET', 'ECONNECTION', 'ECONNREFUSED', 'ETIMEDOUT'])
const NO_NAME = new Set(['EDNS', 'ENOTFOUND', 'EAI_AGAIN'])

/** Whether mail leaves: it connects and signs in, and sends nothing. */
export async function lookAtMail({ email, emailCallbacks, production }: Config): Promise<Finding[]> {
  switch (email.provider) {
    case 'console': {
      const says = 'EMAIL_PROVIDER=console writes mail to files, and nobody gets it'
      const todo = 'Set EMAIL_PROVIDER to smtp or resend.'
      return [production ? fail('mail', says, todo) : warn('mail', says, todo)]
    }
    case 'smtp':
      return [await lookAtSmtp(email.url.reveal())]
    case 'resend':
      return [await lookAtResend(email), lookAtCallbacks(emailCallbacks)]
  }
}

async function lookAtResend({ apiKey, baseUrl }: Extract<Config['email'], { provider: 'resend' }>): Promise<Finding> {
  if (!apiKey) return fail('mail', 'RESEND_API_KEY is missing', 'Set it. Nothing is sent without it.')
  const answer = await ask(`${baseUrl}/domains`, { authorization: `Bearer ${apiKey.reveal()}` })
  if (!answer) return warn('mail', 'Resend cannot be reached', 'Open the way to RESEND_BASE_URL.')
  return answer.status < 300 || answer.text.includes('restricted_api_key')
    ? ok('mail', 'Resend takes the key')
    : fail('mail', `Resend answers ${answer.status}`, 'Check RESEND_API_KEY.')
}

function lookAtCallbacks({ secret }: Config['emailCallbacks']): Finding {
  return secret
    ? ok('mail callbacks', 'bounces and complaints are verified')
    : warn(
        'mail callbacks',
        'EMAIL_WEBHOOK_SECRET is missing, so bounces and complaints are refused',
        'Point a webhook of Resend at /public/email/events, and set its secret.',
      )
}

async function lookAtSmtp(url: string): Promise<Finding> {
  const transport = createTransport({
    url,
    connectionTimeout: WAIT_MS,
    greetingTimeout: WAIT_MS,
    socketTimeout: WAIT_MS,
  })
  try {
    await transport.verify()
    return ok('mail', 'the SMTP server lets us in')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer'
    if (NO_NAME.has(code))
      return fail('mail', 'no name server knows the host of SMTP_URL', 'Check how it is spelled, and the DNS here.')
    if (UNREACHED.has(code))
      return fail(
        'mail',
        `nothing answers at the host and port of SMTP_URL: ${code}`,
        'Check both, and the firewalls between.',
      )
    return fail(
      'mail',
      `the SMTP server does not let us in: ${code}`,
      'Check host, port, user and password in SMTP_URL.',
    )
  } finally {
    transport.close()
  }
}

/** Writes, reads and removes one object. */
export async function lookAtStorage(config: Config): Promise<Finding[]> {
  const where = config.storage.kind === 's3' ? 'the bucket' : `${config.dataDir}/objects`
  const key = `doctor/${process.pid}-${Date.now()}`
  try {
    const storage = createStorage(config)
    await storage.put(key, bytes())
    let read = 0
    for await (const chunk of await storage.read(key, { from: 0, until: 7 })) read += chunk.byteLength
    await storage.remove([key])
    if (read !== 7) return [fail('storage', `${where} gives back other bytes`, 'Check what stands before the store.')]
  } catch (error) {
    const reason = error instanceof StorageError ? error.reason : error instanceof Error ? error.name : 'unknown'
    return [fail('storage', `${where} does not keep files: ${reason}`, 'Check STORAGE, DATA_DIR or the S3_* settings.')]
  }
  if (config.storage.kind === 'filesystem' && config.role !== 'all')
    return [warn('storage', `${where} keeps files`, 'Several machines need STORAGE=s3, or a folder that they share.')]
  return [ok('storage', `${where} keeps files`)]
}

async function* bytes(): AsyncIterable<Uint8Array> {
  yield Buffer.from('earshot')
}

/** Whether people reach the server by its public address. */
export async function lookAtAddress({ publicBaseUrl, production, port }: Config): Promise<Finding[]> {
  const base = publicBaseUrl ?? `http://localhost:${port}`
  const scheme =
    production && !base.startsWith('https:')
      ? [
          fail(
            'public address',
            `${base} is not https`,
            'Put a proxy with a certificate in front, and change PUBLIC_BASE_URL.',
          ),
        ]
      : []
  const answer = await ask(`${base}/health`)
  if (!answer)
    return [
      ...scheme,
      warn('reachable', `nothing answers at ${base}`, 'Start the server, or check DNS, proxy and firewall.'),
    ]
  const isOurs = answer.status === 200 && answer.text.includes('"service":"earshot"')
  return [
    ...scheme,
    isOurs
      ? ok('reachable', `Earshot answers at ${base}`)
      : fail('reachable', `something else answers ${answer.status} at ${base}/health`, 'Check the proxy’s target.'),
  ]
}

async function ask(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string } | null> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(WAIT_MS), redirect: 'manual' })
    return { status: response.status, text: (await response.text()).slice(0, 10_000) }
  } catch {
    return null
  }
}
