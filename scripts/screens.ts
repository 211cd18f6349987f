// Takes the pictures in docs/screens: the states of the page, the embed script, the other public pages, the mails and
// the console, on a phone and a desktop, and those of the tour. `npm run screens -- console` takes those of the console
// alone, `npm run screens -- console home roles` those of these screens, and `npm run screens -- tour` those of the
// tour.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContextOptions, Frame, Page } from 'playwright-core'
import { startBrowser } from '../web/testing/browser.ts'
import { startSite } from '../web/testing/site.ts'
import { shootConsole } from './screens/console.ts'
import { publicPages } from './screens/public-pages.ts'
import { shootTour } from './screens/tour.ts'
import { COVER, SHOWN, THEMES } from './screens/survey.ts'
import { ROOT } from './project.ts'

const FOLDER = `${ROOT}docs/screens/`
const PHONE = { viewport: { width: 390, height: 780 } }
const DESKTOP = { viewport: { width: 1440, height: 900 } }
const DARK = { colorScheme: 'dark' } as const

if (process.argv[2] === 'console') {
  await shootConsole(picture, process.argv.slice(3))
  process.exit()
}
if (process.argv[2] === 'tour') {
  await shootTour(picture)
  process.exit()
}
const site = await startSite()
await site.call('PATCH', '/v1/org', { branding: { color: '#0f766e' } })
const chrome = await startBrowser()
const survey = await site.publish(SHOWN)
const whole = await site.publish({ ...SHOWN, layout: 'page', logic: [] })
await rm(FOLDER, { recursive: true, force: true })
await mkdir(FOLDER, { recursive: true })

await shoot('score', '', async () => {})
await shoot('score-arabic', '?lang=ar', async () => {}, { ...DARK })
await shoot('choices', '', (page) => answerUntil(page, 'why'))
await shoot('ranking', '', async (page) => {
  await answerUntil(page, 'order')
  await page.click('.ranked li:nth-child(2) .move >> nth=0')
})
await shoot('matrix', '', (page) => answerUntil(page, 'parts'), { ...DARK })
await shoot('contact', '', (page) => answerUntil(page, 'person'))
await shoot('elsewhere', '', async (page) => {
  await answerUntil(page, 'words')
  await page.click('.status button:not([hidden])')
})
await shoot('offline', '', async (page) => {
  await page.context().setOffline(true)
  await answerUntil(page, 'why')
  await page.waitForSelector('.status button:not([hidden])')
})
await shoot('ending', '', async (page) => {
  await answerUntil(page, 'person')
  await page.click('.actions [name=_next]')
  await page.waitForSelector('.notice h1')
})
await shoot('errors', '', async (page) => page.click('.actions [name=_next]'), {}, whole)
await shoot('without-javascript', '', async () => {}, { javaScriptEnabled: false }, whole)
const cover_url = await site.upload(COVER)
for (const [layout, look] of Object.entries(THEMES)) {
  const id = await site.publish({ ...SHOWN, theme: { layout, cover_url, ...look } })
  await shoot(`theme-${layout}`, '', async () => {}, {}, id)
}
for (const mode of ['popup', 'slide_in', 'inline']) await shootEmbedded(mode)
for (const { name, address, act, html, options } of await publicPages(site)) {
  await shootPage(name, address, act, html, options)
}

await chrome.close()
await site.close()
await shootConsole(picture)
await shootTour(picture)

async function shoot(
  name: string,
  query: string,
  act: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
  id = survey,
): Promise<void> {
  for (const [size, view] of [
    ['390', PHONE],
    ['1440', DESKTOP],
  ] as const) {
    const page = await chrome.open(`${site.base}/public/s/${id}${query}`, {
      reducedMotion: 'reduce',
      ...view,
      ...options,
    })
    await act(page)
    await picture(page, `${name}-${size}`)
  }
}

/** A page that is not the survey's, or a mail. */
async function shootPage(
  name: string,
  address: string,
  act: (page: Page) => Promise<void> = async () => {},
  html: string | undefined = undefined,
  options: BrowserContextOptions = {},
): Promise<void> {
  for (const [size, view] of [
    ['390', PHONE],
    ['1440', DESKTOP],
  ] as const) {
    const page = await chrome.open(address, { reducedMotion: 'reduce', ...view, ...options })
    if (html !== undefined) await page.setContent(html)
    await act(page)
    await picture(page, `${name}-${size}`)
  }
}

/** Goes on without an answer, after the required score, until a question is shown. */
async function answerUntil(page: Page, question: string): Promise<void> {
  await page.click('[id="score.9"]')
  await page.waitForSelector('#q-why:not([hidden])')
  while (!(await page.isVisible(`#q-${question}`))) await page.click('.actions [name=_next]')
}

async function shootEmbedded(mode: string): Promise<void> {
  const html = `<!doctype html><meta name="viewport" content="width=device-width"><title>Shop</title><style>body{font:17px/1.6 system-ui;margin:3rem auto;max-width:46rem;padding:0 1.25rem}</style><h1>Thank you for your order</h1><p>It ships tomorrow.</p><div id="here"></div><script src="${site.base}/public/embed.js" data-voc-survey="${survey}" data-voc-mode="${mode}" data-voc-target="#here"></script>`
  const server = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(html))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const [size, view] of [
    ['390', PHONE],
    ['1440', DESKTOP],
  ] as const) {
    const page = await chrome.open(address, { reducedMotion: 'reduce', ...view })
    // The frame stands in a closed shadow root.
    const isSurvey = (frame: Frame) => frame.url().includes('/public/s/')
    const frame = page.frames().find(isSurvey) ?? (await page.waitForEvent('framenavigated', isSurvey))
    await frame.waitForSelector('form.steps')
    await page.waitForLoadState('networkidle')
    await picture(page, `embed-${mode.replace('_', '-')}-${size}`)
  }
  server.close()
}

async function picture(page: Page, name: string): Promise<void> {
  await page.bringToFront()
  const devtools = await page.context().newCDPSession(page)
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 70 })
  await writeFile(`${FOLDER}${name}.webp`, Buffer.from(data, 'base64'))
  await page.context().close()
}
