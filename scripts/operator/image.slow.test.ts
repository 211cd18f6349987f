// The folder that the image would hold, made from the Dockerfile: it is small, and everything works from it.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { drawPicture } from '../../src/features/access/assets/pictures.fixture.ts'
import { createDatabase } from '../../src/testing/harness.ts'
import { startProcess, type TestProcess } from '../../src/testing/process.ts'
import { readiness, STARTING } from '../../src/testing/server-processes.ts'
import { startSmtpSink, type SmtpSink } from '../../src/testing/providers/smtp-sink.ts'
import type { Lock } from '../checks/lock-file.ts'
import { readText, ROOT } from '../project.ts'

const MOST_MB = 90

let folder: string
let database: { url: string; drop(): Promise<void> }
let smtp: SmtpSink
let server: TestProcess
let url: string
let key: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ear-image-'))
  await fill()
  database = await createDatabase()
  smtp = await startSmtpSink()
  const settings = {
    ENVIRONMENT: 'production',
    DATABASE_URL: database.url,
    SECRETS_KEY: 'a-key-of-this-test-that-is-long-enough',
    PUBLIC_BASE_URL: 'https://feedback.example.com',
    EMAIL_PROVIDER: 'smtp',
    EMAIL_FROM: 'earshot@example.com',
    SMTP_URL: smtp.url,
    DATA_DIR: join(folder, 'data'),
    // The line that names the address.
    LOG_LEVEL: 'info',
  }
  const made = await promisify(execFile)(
    process.execPath,
    ['dist/server/bootstrap.js', '--email', 'ada@example.com', '--workspace', 'Acme', '--json'],
    { cwd: folder, env: { PATH: process.env['PATH'], ...settings } },
  )
  key = JSON.parse(made.stdout).api_key.key
  server = startProcess(settings, folder)
  url = await server.url
  await vi.waitUntil(async () => (await readiness(url)) === 200, STARTING)
})
afterAll(async () => {
  await server?.kill('SIGKILL')
  await smtp?.close()
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Copies what the Dockerfile copies, and of the packages those that `npm prune --omit=dev` leaves. */
async function fill(): Promise<void> {
  const text = await readText('Dockerfile')
  const last = text.slice(text.lastIndexOf('\nFROM '))
  for (const [, names = ''] of last.matchAll(/^COPY (?:--from=build )?(.+) \S+$/gm))
    for (const name of names.replaceAll('/app/', '').split(' ')) if (name !== 'node_modules') await copy(name)
  const lock = JSON.parse(await readText('package-lock.json')) as Lock
  const kept = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev)
  for (const [path] of kept) if (path !== 'node_modules/node') await copy(path)
}

async function copy(name: string): Promise<void> {
  if (!(await stat(join(ROOT, name)).catch(() => null))) return
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await cp(join(ROOT, name), join(folder, name), { recursive: true })
}

async function call(method: string, path: string, body?: object | FormData) {
  const isForm = body instanceof FormData
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && !isForm && { 'content-type': 'application/json' }) },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json')
  return { status: answer.status, text, body: isJson ? JSON.parse(text) : null }
}

test(`holds less than ${MOST_MB} MB, with the licences of what is in the bundle`, async () => {
  const names = await readdir(folder, { recursive: true })
  const files = await Promise.all(names.map((name) => stat(join(folder, name))))
  const bytes = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
  expect(bytes / 1e6).toBeLessThan(MOST_MB)
  const licences = await readText('dist/server/licenses.txt')
  for (const name of ['hono', 'kysely', 'pdfkit', 'echarts', '@aws-sdk/client-s3'])
    expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'))
})

test('serves its pages, its reference and the programs of the pages', async () => {
  expect((await call('GET', '/openapi.json')).body.openapi).toMatch(/^3\./)
  expect((await call('GET', '/docs')).status).toBe(200)
  expect((await call('GET', '/public/embed.js')).status).toBe(200)
})

test('reads pictures on its thread', async () => {
  const form = new FormData()
  form.append('file', new File([drawPicture('png')], 'logo.png'))
  expect(await call('POST', '/v1/assets', form)).toMatchObject({ status: 201, body: { width: 8, height: 4 } })
})

test('renders templates on its thread', async () => {
  const content = { en: { subject: 'Hello {{ name }}', html: '<a href="{{ unsubscribe_url }}">Stop</a>' } }
  const made = await call('POST', '/v1/email-templates', { name: 'First', default_language: 'en', content })
  expect(made.status, made.text).toBe(201)
  const shown = await call('POST', `/v1/email-templates/${made.body.id}/preview`, {})
  expect(shown.status, shown.text).toBe(200)
})

test('draws charts, writes a PDF and sends it by SMTP', async () => {
  const survey = await call('POST', '/v1/surveys', {
    name: 'After delivery',
    metric: 'nps',
    default_language: 'en',
    questions: [
      { id: 'q1', type: 'nps', title: { en: 'Would you recommend us?' }, required: true },
      { id: 'q2', type: 'open_text', title: { en: 'Why?' }, format: 'text' },
    ],
  })
  await call('POST', `/v1/surveys/${survey.body.id}/publish`, {})
  for (let n = 0; n < 6; n++)
    await call('POST', `/public/surveys/${survey.body.id}/responses`, {
      answers: { q1: 9, q2: 'The driver was very friendly.' },
    })
  const [dashboard] = (await call('GET', '/v1/dashboards')).body.data
  const [owner] = (await call('GET', '/v1/members')).body.data
  const report = await call('POST', '/v1/reports', {
    name: 'Week',
    dashboard_id: dashboard.id,
    recipients: [owner.id],
    format: 'pdf',
  })
  expect(report.status, report.text).toBe(201)
  const run = await call('POST', `/v1/reports/${report.body.id}/run`)
  const path = `/v1/reports/${report.body.id}/runs/${run.body.id}`
  await expect.poll(async () => (await call('GET', path)).body.status, STARTING).toBe('completed')
  expect((await call('GET', `${path}/document`)).text.slice(0, 5)).toBe('%PDF-')
  await expect.poll(() => smtp.messages.map(({ to }) => to).flat(), STARTING).toContain('ada@example.com')
  const verbatim = async () => {
    const texts: Array<{ sentiment: { label: string } | null }> = (await call('GET', '/v1/verbatim')).body.data
    return texts.map(({ sentiment }) => sentiment?.label)
  }
  await expect.poll(verbatim, STARTING).toEqual(Array.from({ length: 6 }, () => 'positive'))
})
