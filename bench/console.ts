import { readdir, stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { visitsAt, WIDE, type ConsoleVisits } from '../web/testing/whole-console.ts'
import { listFiles, readScreens } from '../scripts/project.ts'
import { openHouse } from './parts/house.ts'
import { say } from './parts/rig.ts'
import { fillYear, rollAll } from './parts/year.ts'

const TASK_MS = 50
const SLOWER_CPU = 4
const QUESTIONS = 200
const RULES = 50
const KEYS = 120
const { values: options } = parseArgs({ options: { responses: { type: 'string', default: '100000' } } })
const responses = Number(options.responses)

// Both lead to another screen.
const LEAVES = new Set(['/app/welcome', '/app/settings'])

const house = await openHouse()
const surveyId = await fillYear(house, responses)
await house.call('GET', `/v1/surveys/${surveyId}/report?interval=month`)
await rollAll(house)
const visits = await visitsAt(house.base, house.token)
try {
  await rows()
  await typing()
  await screens()
  await weight()
} finally {
  await visits.close()
  await house.close()
}

/** A long list under a wheel, keys, a search and a filter. */
async function rows(): Promise<void> {
  say(`The list of ${responses.toLocaleString('en')} responses, CPU ${SLOWER_CPU} times slower:`)
  const page = await open(visits, '/app/responses')
  await page.locator('tbody tr[data-id]').first().waitFor()
  const devtools = await page.context().newCDPSession(page)
  const slowDown = (rate: number) => devtools.send('Emulation.setCPUThrottlingRate', { rate })
  // At full speed: the search for an element by its name is work of the bench, and runs in the page.
  const find = async (wanted: Locator) => {
    await slowDown(1)
    const found = await wanted.elementHandle()
    await slowDown(SLOWER_CPU)
    if (found === null) throw new Error(`${wanted} is not on the page`)
    return found
  }
  await page.locator('tbody tr[data-id]').first().hover()
  await slowDown(SLOWER_CPU)
  const wheel = async (times: number, pixels: number) => {
    for (let n = 0; n < times; n++) await page.mouse.wheel(0, pixels)
  }
  await tasksIn(page, 'the wheel', () => wheel(60, 120))
  await tasksIn(page, 'the wheel, fast', () => wheel(20, 4_000))
  await tasksIn(page, 'arrow keys', async () => {
    for (let n = 0; n < 100; n++) await page.keyboard.press('j')
  })
  await tasksIn(page, 'back to the top', () => wheel(10, -1_000_000))
  await tasksIn(page, 'a search', async () => {
    const search = await find(page.getByRole('searchbox'))
    await search.focus()
    await page.keyboard.type('parcel', { delay: 60 })
    await quiet(page)
    await search.fill('')
  })
  await tasksIn(page, 'a filter', async () => {
    await (await find(page.getByRole('button', { name: 'Filter' }))).click()
    await (await find(page.getByLabel('Field'))).selectOption({ label: 'Score' })
    await (await find(page.getByLabel('Condition'))).selectOption({ label: 'at most' })
    await (await find(page.getByLabel('Value'))).fill('2')
    await (await find(page.getByRole('button', { name: 'Apply' }))).click()
  })
  await page.context().close()
}

/** Words typed into a question of a long survey. */
async function typing(): Promise<void> {
  say(`\nTyping in a survey of ${QUESTIONS} questions and ${RULES} rules:`)
  const questions = Array.from({ length: QUESTIONS }, (_, n) => ({ id: `q${n}`, type: 'nps', title: `Question ${n}` }))
  const logic = Array.from({ length: RULES }, (_, n) => ({
    when: { question: `q${n}`, op: 'lte', value: 6 },
    then: [{ action: 'jump', to: `q${n + 100}` }],
  }))
  const { id } = await house.call<{ id: string }>('POST', '/v1/surveys', {
    name: 'Long',
    metric: 'nps',
    questions,
    logic,
  })
  const page = await open(visits, `/app/surveys/${id}/build`)
  await page.locator('.editor .title').click()
  await tasksIn(page, `${KEYS} letters`, () =>
    page.keyboard.type('The delivery was late. '.repeat(KEYS).slice(0, KEYS), { delay: 60 }),
  )
  await page.context().close()
}

/** Every screen as its first page, with an empty cache: when it stands still, and what it loads. */
async function screens(): Promise<void> {
  say('\nScreens as a first page with an empty cache, slowest first:')
  const measured: Array<{ path: string; ms: number; bytes: number }> = []
  const paths = (await readScreens(await listFiles())).map((path) => path.replace('$surveyId', surveyId))
  for (const path of paths.filter((each) => !each.includes('$') && !LEAVES.has(each))) {
    const page = await visits.open('/health', { viewport: WIDE, hasStream: false })
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    let bytes = 0
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength))
    const started = performance.now()
    await page.goto(`${house.base}${path}`)
    await page.locator('main h1').first().waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    measured.push({ path: path.replace(surveyId, '…'), ms: performance.now() - started, bytes })
    await page.context().close()
  }
  for (const { path, ms, bytes } of measured.toSorted((a, b) => b.ms - a.ms))
    say(`    ${ms.toFixed(0).padStart(5)} ms ${(bytes / 1024).toFixed(0).padStart(4)} KiB  ${path}`)
}

/** All files of the console, as they travel. */
async function weight(): Promise<void> {
  const folder = new URL('../dist/web/', import.meta.url)
  const names = (await readdir(folder)).filter((name) => name.startsWith('console-'))
  const sent = names
    .filter((name) => name.endsWith('.br') || !names.includes(`${name}.br`))
    .filter((name) => !name.endsWith('.gz'))
  const sizes = await Promise.all(sent.map(async (name) => (await stat(new URL(name, folder))).size))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  say(`\nThe whole console: ${sent.length} files, ${(bytes / 1024).toFixed(0)} KiB.`)
}

/** A page that counts its long tasks. */
async function open({ open }: ConsoleVisits, path: string): Promise<Page> {
  const page = await open(path, { hasStream: false })
  await page.waitForLoadState('networkidle')
  await page.evaluate(`(() => {
    window.tasks = []
    new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: 'longtask' })
  })()`)
  return page
}

async function quiet(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(500)
}

async function tasksIn(page: Page, name: string, act: () => Promise<unknown>): Promise<void> {
  await page.evaluate('void (window.tasks.length = 0)')
  await act()
  await quiet(page)
  const tasks = (await page.evaluate('window.tasks')) as number[]
  const longest = Math.max(0, ...tasks)
  if (longest > TASK_MS) process.exitCode = 1
  say(
    `    ${longest > TASK_MS ? 'MISS' : 'ok  '} ${name}: ${tasks.length} tasks over ${TASK_MS} ms, longest ${longest.toFixed(0)} ms`,
  )
}
