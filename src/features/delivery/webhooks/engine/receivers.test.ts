import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { attemptHeaders, signingKeys } from './signature.ts'
import { newSigningSecret } from '../registration/signing-secret.ts'

interface Signed {
  body: string
  headers: Record<string, string>
}
type Verifier = (request: Signed, secret: string, now: Date) => boolean

const sentAt = new Date('2026-03-02T10:00:42.000Z')
const secret = newSigningSecret()
const body = JSON.stringify({
  id: 'evt_1',
  type: 'response.completed',
  data: { text: [{ questionId: 'q3', value: 'Schön — 👍' }] },
})

function signedAt(now: Date): Signed {
  const timestamp = Math.floor(now.getTime() / 1000)
  return {
    body,
    headers: attemptHeaders({
      deliveryId: 'whd_01jd8m3x2pf5t6v7w8x9y0z1a2',
      keys: [signingKeys(secret)],
      timestamp,
      body,
      version: '1.0.0',
      own: {},
    }),
  }
}

function accepts(verify: () => unknown): boolean {
  try {
    verify()
    return true
  } catch {
    return false
  }
}

// The libraries read the wall clock, so it is set for them.
function at<T>(now: Date, work: () => T): T {
  vi.useFakeTimers({ toFake: ['Date'], now })
  try {
    return work()
  } finally {
    vi.useRealTimers()
  }
}

const folders: string[] = []
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-guide-'))
  folders.push(folder)
  return folder
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

async function guideCode(name: string): Promise<string> {
  const guide = await readFile(new URL('../../../../../docs/webhooks.md', import.meta.url), 'utf8')
  const code = new RegExp('```\\w+ ' + name.replace('.', '\\.') + '\\n([\\s\\S]*?)```').exec(guide)?.[1]
  if (!code) throw new Error(`docs/webhooks.md holds no ${name}`)
  return code
}

const python = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).status === 0
const verifiers = new Map<string, Verifier>([
  [
    'standardwebhooks',
    (request, key, now) => at(now, () => accepts(() => new StandardWebhook(key).verify(request.body, request.headers))),
  ],
  [
    'svix',
    (request, key, now) => at(now, () => accepts(() => new SvixWebhook(key).verify(request.body, request.headers))),
  ],
  [
    'stripe',
    (request, key, now) =>
      at(now, () =>
        accepts(() =>
          new Stripe('sk_test_unused').webhooks.constructEvent(
            request.body,
            `t=${request.headers['X-VOC-Timestamp']},${request.headers['X-VOC-Signature']}`,
            key,
          ),
        ),
      ),
  ],
])

beforeAll(async () => {
  const folder = await newFolder()
  await writeFile(join(folder, 'verify.ts'), await guideCode('verify.ts'))
  const guide = (await import(/* @vite-ignore */ pathToFileURL(join(folder, 'verify.ts')).href)) as {
    verify: (...args: [string, string, string, string[], number]) => boolean
  }
  verifiers.set('the TypeScript of the guide', (request, key, now) =>
    guide.verify(
      request.body,
      request.headers['X-VOC-Timestamp'] ?? '',
      request.headers['X-VOC-Signature'] ?? '',
      [key],
      now.getTime(),
    ),
  )
  if (!python) return
  await writeFile(join(folder, 'verify.py'), await guideCode('verify.py'))
  await writeFile(
    join(folder, 'run.py'),
    'import json, sys\nfrom verify import verify\na = json.load(sys.stdin)\nprint(verify(a["body"].encode(), a["timestamp"], a["signature"], [a["secret"]], a["now"]))\n',
  )
  verifiers.set('the Python of the guide', (request, key, now) => {
    const input = JSON.stringify({
      body: request.body,
      timestamp: request.headers['X-VOC-Timestamp'],
      signature: request.headers['X-VOC-Signature'],
      secret: key,
      now: now.getTime() / 1000,
    })
    return execFileSync('python3', ['run.py'], { cwd: folder, input }).toString().trim() === 'True'
  })
})

const names = [
  'standardwebhooks',
  'svix',
  'stripe',
  'the TypeScript of the guide',
  ...(python ? ['the Python of the guide'] : []),
]

describe.each(names)('%s', (name) => {
  const verify: Verifier = (request, key, now) => (verifiers.get(name) as Verifier)(request, key, now)
  const later = (seconds: number) => new Date(sentAt.getTime() + seconds * 1000)

  test('accepts a delivery, until 300 seconds later', () => {
    expect(verify(signedAt(sentAt), secret, sentAt)).toBe(true)
    expect(verify(signedAt(sentAt), secret, later(300))).toBe(true)
  })
  test('refuses one changed byte', () => {
    expect(verify({ ...signedAt(sentAt), body: body.replace('q3', 'q4') }, secret, sentAt)).toBe(false)
  })
  test('refuses a wrong secret', () => {
    expect(verify(signedAt(sentAt), newSigningSecret(), sentAt)).toBe(false)
  })
  test('refuses the same body and signature with another timestamp', () => {
    const { headers } = signedAt(sentAt)
    const other = String(Number(headers['X-VOC-Timestamp']) + 1)
    expect(
      verify({ body, headers: { ...headers, 'X-VOC-Timestamp': other, 'webhook-timestamp': other } }, secret, sentAt),
    ).toBe(false)
  })
  test('refuses what is 301 seconds old', () => {
    expect(verify(signedAt(sentAt), secret, later(301))).toBe(false)
  })
})

test('during a rotation the guide’s code accepts the old secret and the new one', async () => {
  const folder = await newFolder()
  await writeFile(join(folder, 'verify.ts'), await guideCode('verify.ts'))
  const { verify } = (await import(/* @vite-ignore */ pathToFileURL(join(folder, 'verify.ts')).href)) as {
    verify: (...args: [string, string, string, string[], number]) => boolean
  }
  const { headers } = signedAt(sentAt)
  const both = [newSigningSecret(), secret]
  expect(verify(body, headers['X-VOC-Timestamp'] ?? '', headers['X-VOC-Signature'] ?? '', both, sentAt.getTime())).toBe(
    true,
  )
})
