import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { About, Stores } from '../../src/features/trust/data-protection/archive-document.ts'
import { writeHtml } from '../../src/features/trust/data-protection/archive-html.ts'
import { startBrowser, type TestBrowser } from './browser.ts'

let chromium: TestBrowser
let folder: string
beforeAll(async () => {
  chromium = await startBrowser()
  folder = await mkdtemp(join(tmpdir(), 'archive-'))
}, 60_000)
afterAll(async () => {
  await chromium.close()
  await rm(folder, { recursive: true })
})

test('the page of an archive opens without a server, and runs nothing that somebody typed', async () => {
  const canary = `I am <img src=x onerror="document.title='ran'"><script>document.title='ran'</script>`
  const about: About = {
    version: 1,
    request_id: 'gdr_01h455vb4pex5vsknk084sn02q',
    kind: 'access',
    workspace: canary,
    created_at: '2026-03-02T10:00:00.000Z',
    addresses: [{ kind: 'email', address: 'ada@example.com' }],
  }
  const stores: Stores = new Map([
    [
      'responses',
      async function* records() {
        yield { answers: [{ question: canary, answer: canary }] }
      },
    ],
  ])
  const file = join(folder, 'index.html')
  await writeFile(file, writeHtml(about, stores))
  const page = await chromium.open('about:blank', { offline: true })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(pathToFileURL(file).href)
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(`Your data at ${canary}`)
  expect(await page.getByText(canary, { exact: true }).count()).toBe(2)
  expect(await page.title()).toBe(`Your data at ${canary}`)
  expect(asked).toEqual([pathToFileURL(file).href])
})
