import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { createPgliteDatabase } from '../src/adapters/pglite/pglite.ts'
import { createApp } from '../src/app.ts'
import { createDatabaseClock } from '../src/platform/clock.ts'
import { parseConfig } from '../src/platform/config.ts'
import { createLog } from '../src/platform/log.ts'
import { migrate } from '../src/platform/migrate.ts'
import { createServices } from '../src/services.ts'
import { startBrowser } from '../web/testing/browser.ts'
import { FIVE_QUESTIONS, weigh } from '../web/testing/weight.ts'

const PAGE_KIB = 30
const EMBED_KIB = 6
const INTERACTIVE_MS = 1_000
const ROUNDS = 7
// Slow 4G as Lighthouse simulates it: 1.6 Mbit/s down, 0.75 up, 150 ms there and back.
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const SLOWER_CPU = 4

const config = parseConfig({
  LOG_LEVEL: 'error',
  SECRETS_KEY: 'a-key-for-a-bench-that-is-long-enough',
  DATA_DIR: '/nonexistent',
})
const database = await createPgliteDatabase({ dataDir: null, onStatement: () => {} })
await migrate(database)
const services = await createServices(config, { log: createLog('error'), clock: createDatabaseClock(), database })
const server = serve({ fetch: createApp(services).fetch, port: 0, hostname: '127.0.0.1', createServer })
if (!server.listening) await once(server, 'listening')
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const chrome = await startBrowser()

const { token } = await call<{ token: string }>('/public/workspaces', {
  workspace_name: 'Bench',
  name: 'Bench',
  email: 'bench@example.com',
  password: 'a long password',
})
const { id } = await call<{ id: string }>('/v1/surveys', { name: 'Five questions', ...FIVE_QUESTIONS }, token)
await call(`/v1/surveys/${id}/publish`, {}, token)
const address = `${base}/public/s/${id}`

const html = await weigh(address)
const script = await weigh(`${base}${/src="(\/assets\/[^"]+)"/.exec(html.text)?.[1]}`)
const embed = await weigh(`${base}/public/embed.js`)
say('A survey of five questions, gzip:')
report('the page', html.bytes + script.bytes, PAGE_KIB)
say(`    HTML ${kib(html.bytes)}, script ${kib(script.bytes)}, 2 requests before it can be answered`)
report('embed.js', embed.bytes, EMBED_KIB)

const times: number[] = []
for (let round = 0; round < ROUNDS; round++) times.push(await interactiveMs())
times.sort((a, b) => a - b)
const median = times[Math.floor(ROUNDS / 2)] ?? 0
say(`\nFrom the request to the first question ready for keys, CPU ${SLOWER_CPU} times slower, slow 4G, empty cache:`)
say(
  `    median ${Math.round(median)} ms of ${ROUNDS} (${times.map(Math.round).join(', ')}); at most ${INTERACTIVE_MS} ms`,
)
if (median > INTERACTIVE_MS) process.exitCode = 1

await chrome.close()
server.close()
await services.close()

async function interactiveMs(): Promise<number> {
  const page = await chrome.open('about:blank')
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', SLOW_4G)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_CPU })
  await page.addInitScript(`new MutationObserver((_, observer) => {
    if (!document.querySelector('form.steps')) return
    observer.disconnect()
    setTimeout(() => { window.interactiveMs = performance.now() })
  }).observe(document, { subtree: true, childList: true, attributes: true })`)
  await page.goto(address)
  await page.waitForFunction('window.interactiveMs')
  const ms = Number(await page.evaluate('window.interactiveMs'))
  await page.context().close()
  return ms
}

function report(name: string, bytes: number, mostKib: number): void {
  say(`    ${name}: ${kib(bytes)} of ${mostKib} KiB`)
  if (bytes > mostKib * 1024) process.exitCode = 1
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`
}

async function call<Answer>(path: string, body: object, token?: string): Promise<Answer> {
  const response = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Answer
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
