import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVERY_TYPE } from '../../src/survey-engine/survey.fixture.ts'
import { createWorkspace } from '../../src/testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../src/testing/harness.ts'
import { uploadPicture } from '../../src/testing/makers.ts'
import { publishSurvey, submit } from '../../src/testing/survey-fixtures.ts'
import { fitsItsWindow, startBrowser, type TestBrowser } from '../testing/browser.ts'

let server: TestServer
let base: string
let token: string
let logo: string
let chrome: TestBrowser
beforeAll(async () => {
  ;[server, chrome] = await Promise.all([startTestServer({ engine: 'pglite' }), startBrowser()])
  const workspace = await createWorkspace(server)
  token = workspace.token
  logo = (await uploadPicture(server, workspace)).url
  base = await server.listen()
})
afterAll(async () => {
  await chrome.close()
  await server.close()
})

const at = (id: string) => `${base}/public/s/${id}`

interface Colors {
  ground: string
  text: string
  outline: string
}

/** The colours of an element: its own background, text and ring. */
function colorsOf(page: Page, selector: string): Promise<Colors> {
  return page.evaluate(`(() => {
    const { backgroundColor, color, outlineColor } = getComputedStyle(document.querySelector(${JSON.stringify(selector)}))
    return { ground: backgroundColor, text: color, outline: outlineColor }
  })()`)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
    const channel = Number(part) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, two: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(two)].toSorted((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

describe.each(['light', 'dark'] as const)('in forced colours, %s', (colorScheme) => {
  test('what is chosen and what has the focus stay visible', async () => {
    const id = await publishSurvey(server, token, { layout: 'page', questions: EVERY_TYPE })
    const page = await chrome.open(at(id), { colorScheme, reducedMotion: 'reduce' })
    await page.emulateMedia({ forcedColors: 'active', colorScheme })
    expect(await page.evaluate("matchMedia('(forced-colors: active)').matches")).toBe(true)
    const canvas: string = await page.evaluate(`(() => {
      const probe = document.body.appendChild(document.createElement('i'))
      probe.style.backgroundColor = 'Canvas'
      return getComputedStyle(probe).backgroundColor
    })()`)
    for (const [input, box] of [
      ['nps.8', '[id="nps.8"] + label'],
      ['csat.4', '[id="csat.4"] + label'],
      ['rating.2', '[id="rating.2"] + label'],
      ['single.c.a', '.choice:has([id="single.c.a"])'],
      ['multi.c.a', '.choice:has([id="multi.c.a"])'],
      ['picture.c.a', '.choice:has([id="picture.c.a"])'],
      ['consent.yes', '.choice:has([id="consent.yes"])'],
    ] as const) {
      const before = await colorsOf(page, box)
      await page.locator(`[id="${input}"]`).focus()
      await page.keyboard.press('Space')
      expect(await page.locator(`[id="${input}"]`).isChecked(), input).toBe(true)
      const chosen = await colorsOf(page, box)
      expect(chosen.ground, input).not.toBe(before.ground)
      expect(contrast(chosen.ground, canvas), input).toBeGreaterThanOrEqual(3)
      expect(contrast(chosen.text, chosen.ground), input).toBeGreaterThanOrEqual(4.5)
      expect(contrast(chosen.outline, canvas), input).toBeGreaterThanOrEqual(3)
    }
    await page.context().close()
  })
})

describe('in the look of a workspace', () => {
  test.each([
    ['light', { background: '#fff7ed', corners: 'round', color: '#c2410c' }],
    ['dark', { background: '#102030', corners: 'square', color: '#facc15' }],
  ] as const)('axe finds nothing on a %s background, and its logo is there', async (_name, look) => {
    const branding = { ...look, logo_url: logo }
    expect((await server.request('PATCH', '/v1/org', { token, body: { branding } })).status).toBe(200)
    const id = await publishSurvey(server, token, { layout: 'page', questions: EVERY_TYPE })
    for (const colorScheme of ['light', 'dark'] as const) {
      const asked: string[] = []
      const page = await chrome.open('about:blank', { colorScheme, reducedMotion: 'reduce' })
      page.on('request', (request) => asked.push(request.url()))
      await page.goto(at(id))
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
        .analyze()
      expect(violations).toEqual([])
      expect(await page.evaluate("document.querySelector('.brand img').naturalWidth")).toBe(8)
      expect(asked.filter((url) => !url.startsWith(base))).toEqual([])
      await page.context().close()
    }
  })
})

describe('in the theme of a survey', () => {
  test.each([
    ['plain', 'serif', {}],
    ['card', 'nunito', { background: '#102030' }],
    ['split', 'literata', { color: '#facc15' }],
  ] as const)('%s fits a phone and a desktop, and axe finds nothing', async (layout, font, more) => {
    const theme = { layout, font, cover_url: logo, logo_url: null, ...more }
    const id = await publishSurvey(server, token, { layout: 'page', questions: EVERY_TYPE, theme })
    for (const [colorScheme, width] of [
      ['light', 320],
      ['dark', 1440],
    ] as const) {
      const viewport = { width, height: 800 }
      const page = await chrome.open(at(id), { colorScheme, viewport, reducedMotion: 'reduce' })
      expect(await fitsItsWindow(page)).toBe(true)
      expect(await page.evaluate("document.querySelector('.cover').naturalWidth")).toBe(8)
      const family = font === 'serif' ? 'ui-serif' : font
      const families: string = await page.evaluate('getComputedStyle(document.querySelector("h2")).fontFamily')
      expect(families.toLowerCase()).toContain(family)
      if (font !== 'serif') expect(await page.evaluate('document.fonts.ready.then((all) => all.size)')).toBe(1)
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
        .analyze()
      expect(violations.map((found) => ({ id: found.id, html: found.nodes[0]?.html }))).toEqual([])
      await page.context().close()
    }
  })
})

test.each(['light', 'dark'] as const)('axe finds nothing on a shared dashboard, in the %s', async (colorScheme) => {
  const query = { source: 'responses', measure: 'nps' }
  const widgets = [
    { id: 'a', kind: 'number', title: 'Score', query, layout: { x: 0, y: 0, w: 4, h: 2 } },
    {
      id: 'b',
      kind: 'line',
      title: 'Weeks',
      query: { ...query, interval: 'week' },
      layout: { x: 4, y: 0, w: 8, h: 2 },
    },
    {
      id: 'c',
      kind: 'table',
      title: 'Bands',
      query: { ...query, by: ['channel'] },
      layout: { x: 0, y: 2, w: 12, h: 2 },
    },
  ]
  const id = await publishSurvey(server, token)
  for (const q1 of [9, 10, 3, 7, 9, 8]) await submit(server, id, { q1 })
  const made = await server.request('POST', '/v1/dashboards', { token, body: { name: 'Ours', widgets } })
  const share = await server.request('POST', `/v1/dashboards/${made.body.id}/share`, { token, body: {} })
  for (const width of [320, 1440]) {
    const page = await chrome.open(`${base}/public/d/${share.body.token}`, {
      colorScheme,
      viewport: { width, height: 800 },
    })
    expect(await fitsItsWindow(page)).toBe(true)
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
      .analyze()
    expect(violations.map((found) => ({ id: found.id, html: found.nodes[0]?.html }))).toEqual([])
    await page.context().close()
  }
})

test('nothing moves for a person who asks for reduced motion, the bar neither', async () => {
  const id = await publishSurvey(server, token, { questions: EVERY_TYPE })
  const timings = `[['progress', '::-webkit-progress-value'], ['.choice'], ['.question']].flatMap(([selector, part]) => {
    const { transitionDuration, animationDuration } = getComputedStyle(document.querySelector(selector), part)
    return [transitionDuration, animationDuration]
  })`
  for (const [reducedMotion, moves] of [
    ['reduce', false],
    ['no-preference', true],
  ] as const) {
    const page = await chrome.open(at(id), { reducedMotion })
    await page.waitForSelector('progress')
    const durations: string[] = await page.evaluate(timings)
    expect([reducedMotion, durations.slice(0, 3).some((duration) => duration !== '0s')]).toEqual([reducedMotion, moves])
    await page.context().close()
  }
})
