import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { startPostgres } from '../src/testing/database/postgres.ts'
import { startProcess } from '../src/testing/process.ts'
import { onScreen, untilReady, visitsAt } from '../web/testing/whole-console.ts'
import { seconds } from './parts/house.ts'
import { createApi } from './parts/load.ts'
import { machine, say, SECRETS_KEY } from './parts/rig.ts'
import { fillYear } from './parts/year.ts'

// The three largest things that a person does in the console, each in a browser against a whole server: people from a
// file, an invitation that is watched and stopped, and an export that is downloaded and checked.
const MAILS_PER_SECOND = 200
const WATCHED = 5

const { values: options } = parseArgs({
  options: {
    people: { type: 'string', default: '20000' },
    invited: { type: 'string', default: '10000' },
    responses: { type: 'string', default: '1000000' },
  },
})
const [people, invited, responses] = [Number(options.people), Number(options.invited), Number(options.responses)]

const folder = await mkdtemp(join(tmpdir(), 'earshot-many-'))
const postgres = await startPostgres([])
const sink = fork(new URL('parts/sink.ts', import.meta.url), { stdio: 'inherit' })
const [{ port }] = (await once(sink, 'message')) as [{ port: number }]
const server = startProcess({
  DATABASE_URL: postgres.url('postgres'),
  DATA_DIR: folder,
  SECRETS_KEY,
  LOG_LEVEL: 'error',
  EMAIL_PROVIDER: 'smtp',
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  EMAIL_RATE_PER_SECOND: String(MAILS_PER_SECOND),
})
process.on('exit', () => void server.kill('SIGKILL'))
const base = await server.url
await untilReady(base)
const api = createApi(base)
const { token } = await api.post<{ token: string }>('/public/workspaces', {
  workspace_name: 'Bench',
  name: 'Bench',
  email: 'bench@example.com',
  password: 'a long password',
})
await api.close()
const owner = new pg.Client({ connectionString: postgres.url('postgres') })
await owner.connect()
const visits = await visitsAt(base, token)
say(machine())
try {
  await importPeople()
  await inviteMany()
  await exportMany()
} finally {
  await visits.close()
  await owner.end()
  await server.kill('SIGTERM')
  sink.disconnect()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

/** A CSV with a column to leave out and a column to rename. */
async function importPeople(): Promise<void> {
  say(`\n${people.toLocaleString('en')} people from a file:`)
  const lines = Array.from({ length: people }, (_, n) => `Person ${n},person${n}@example.com,${n % 9},note ${n}`)
  const buffer = Buffer.from(['Full name,E-Mail,Seats used,Note', ...lines].join('\n'))
  const page = await visits.open('/app/people/import')
  await countTasks(page)
  await step(page, 'the file is read', async () => {
    await page.getByLabel('File').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
    await page.getByLabel('Note becomes').selectOption({ label: 'left out' })
    await page.getByLabel('Name of the attribute of Seats used').fill('seats')
  })
  await step(page, 'the dry run', async () => {
    await page.getByRole('button', { name: 'Look at what will happen' }).click()
    await longWait(page, `${people.toLocaleString('en')} new, 0 known, 0 rejected. Nothing is stored yet.`)
  })
  await step(page, 'all are stored', async () => {
    await page.getByRole('button', { name: /^Import / }).click()
    await longWait(page, `${people.toLocaleString('en')} added, 0 updated, 0 rejected.`)
  })
  const { rows } = await owner.query<{ n: number }>(
    `select count(*)::int as n from people where email_hash is not null and attributes ->> 'seats' is not null`,
  )
  check('people with their attribute', rows[0]?.n ?? 0, people)
  await page.context().close()
}

/** Addresses are pasted, the message goes out at a provider's rate, and the rest is stopped half way. */
async function inviteMany(): Promise<void> {
  say(`\nAn invitation to ${invited.toLocaleString('en')}, ${MAILS_PER_SECOND} mails a second:`)
  const survey = await visits.call<{ id: string }>('POST', '/v1/surveys', {
    name: 'After delivery',
    metric: 'nps',
    questions: [{ id: 'q1', type: 'nps', title: 'How likely?' }],
  })
  await visits.call('POST', `/v1/surveys/${survey.id}/publish`)
  // The mail of the sign-up.
  const before = await countMails()
  const page = await visits.open('/app/invitations/new')
  await countTasks(page)
  await page.getByLabel('Survey').selectOption({ label: 'After delivery' })
  const addresses = Array.from({ length: invited }, (_, n) => `person${n}@example.com`).join('\n')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(addresses)})`)
  await step(page, 'the addresses are pasted', async () => {
    await page.getByLabel('Addresses', { exact: true }).focus()
    await page.keyboard.press('Control+v')
  })
  await step(page, 'they are counted', async () => {
    await page.getByRole('button', { name: 'Count first' }).click()
    await longWait(page, `${invited.toLocaleString('en')} people will get it.`)
  })
  await step(page, 'they are accepted', async () => {
    await page.getByRole('button', { name: /^Send to / }).click()
    await longWait(page, /^[\d,]+ of [\d,]+ messages sent/)
  })
  const seen: number[] = []
  await step(page, 'it is watched', async () => {
    while (new Set(seen).size < WATCHED || (seen.at(-1) ?? 0) < invited / 4) {
      const text = await page.getByText(/^[\d,]+ of [\d,]+ messages sent/).innerText()
      seen.push(Number(text.split(' ')[0]?.replaceAll(',', '')))
      await page.waitForTimeout(1_000)
    }
  })
  say(`    messages as the page showed them: ${seen.join(', ')}`)
  await step(page, 'it is stopped', async () => {
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop', exact: true }).click()
    await longWait(page, /^It was stopped after/)
  })
  // A batch that a worker had claimed before may still go out.
  await page.waitForTimeout(3_000)
  await page.reload()
  const shown = await page.getByText(/^It was stopped after [\d,]+ messages/).innerText()
  const sent = Number(/[\d,]+/.exec(shown)?.[0].replaceAll(',', ''))
  check('messages that the provider took, and the page says', (await countMails()) - before, sent)
  if (sent >= invited) check('messages that were stopped', 0, 1)
  await page.context().close()
}

/**
 * An export of all columns is built, downloaded by the browser to a file, and checked against its digest in the page.
 */
async function exportMany(): Promise<void> {
  say(`\nAn export of ${responses.toLocaleString('en')} responses:`)
  const sql = async <Row>(text: string, values: unknown[] = []) =>
    (await owner.query(text, values as never[])).rows as Row[]
  await fillYear({ call: visits.call as never, sql }, responses)
  const page = await visits.open('/app/exports/new')
  await countTasks(page)
  await step(page, 'ten rows and the count', async () => {
    await page.getByLabel('Survey', { exact: true }).selectOption({ label: 'Bench' })
    await page.getByRole('button', { name: /^Start, / }).waitFor({ timeout: 120_000 })
  })
  await step(page, 'the files are built', async () => {
    await page.getByRole('button', { name: /^Start, / }).click()
    await onScreen(page, 'Responses')
    await page.getByText(/ rows in .+ files?\.$/).waitFor({ timeout: 600_000 })
  })
  say(`    ${await page.getByText(/ rows in .+ files?\.$/).innerText()}`)
  const paths: string[] = []
  await step(page, 'they are downloaded', async () => {
    const buttons = page.getByRole('table', { name: 'Files' }).getByRole('button', { name: 'Download', exact: true })
    for (let n = 0; n < (await buttons.count()); n++) {
      const downloading = page.waitForEvent('download', { timeout: 300_000 })
      await buttons.nth(n).click()
      paths.push(await (await downloading).path())
    }
  })
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size))
  const before = await heapOf(page)
  let most = before
  const watching = setInterval(() => void heapOf(page).then((heap) => (most = Math.max(most, heap))), 200)
  await step(page, 'they are checked', async () => {
    await page.getByLabel('Check downloaded files').setInputFiles(paths)
    await page
      .getByText('is whole and unchanged.')
      .nth(paths.length - 1)
      .waitFor({ timeout: 300_000 })
  })
  clearInterval(watching)
  const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MB`
  say(
    `    ${paths.length} files of ${megabytes(sizes.reduce((sum, size) => sum + size, 0))}; heap of the page ${megabytes(before)} before, ${megabytes(most)} at most`,
  )
  await page.context().close()
}

async function countMails(): Promise<number> {
  sink.send('received')
  const [{ messages }] = (await once(sink, 'message')) as [{ messages: number }]
  return messages
}

async function longWait(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor({ timeout: 300_000 })
}

/** The JavaScript heap of a page, in bytes, with array buffers. */
async function heapOf(page: Page): Promise<number> {
  return (await page.evaluate('performance.memory.usedJSHeapSize')) as number
}

async function countTasks(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    window.tasks = []
    new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: 'longtask' })
  })()`)
}

async function step(page: Page, name: string, act: () => Promise<unknown>): Promise<void> {
  await page.evaluate('void (window.tasks.length = 0)')
  const started = performance.now()
  await act()
  const took = performance.now() - started
  const tasks = (await page.evaluate('window.tasks')) as number[]
  say(`    ${seconds(took).padStart(7)}  ${name}; longest task of the page ${Math.max(0, ...tasks).toFixed(0)} ms`)
}

function check(what: string, is: number, wanted: number): void {
  say(`    ${is === wanted ? 'ok  ' : 'MISS'} ${what}: ${is.toLocaleString('en')} of ${wanted.toLocaleString('en')}`)
  if (is !== wanted) process.exitCode = 1
}
