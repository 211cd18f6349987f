import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorkspace } from '../../src/testing/fixtures.ts'
import { publishSurvey } from '../../src/testing/survey-fixtures.ts'
import { startShop, type Shop } from '../testing/shop.ts'
import { rulesCame, surveyFrame, voc } from '../testing/website.ts'

let shop: Shop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop.close())

const SURVEY = {
  metric: null,
  custom_fields: ['plan'],
  questions: [{ id: 'q1', type: 'rating', scale: 5, title: 'How was it on {{custom.plan|no plan}}?' }],
}

async function listen(page: Page): Promise<void> {
  await page.evaluate(
    "window.heard = []; for (const name of ['ready', 'shown', 'progress', 'completed', 'closed']) voc('on', name, () => heard.push(name))",
  )
}

const heard = (page: Page) => page.evaluate('[...new Set(heard)]')

async function waitForSurvey(page: Page) {
  await expect.poll(() => surveyFrame(page)?.url()).toBeDefined()
  const frame = surveyFrame(page)!
  await frame.waitForSelector('[id="q1.4"]')
  return frame
}

async function responsesOf(id: string) {
  return (await shop.server.request('GET', `/v1/responses?survey_id=${id}`, { token: shop.token })).body.data
}

describe('the embed script on another website with a strict policy', () => {
  test.each(['inline', 'popup', 'slide_in', 'full', 'button'])(
    'shows a survey as %s, and sends its events',
    async (mode) => {
      const id = await publishSurvey(shop.server, shop.token, SURVEY)
      const page = await shop.chrome.open(shop.website.page(`<div id="here"></div>${shop.script()}`), {
        viewport: { width: 900, height: 700 },
      })
      const refused: string[] = []
      page.on('console', (line) => line.type() === 'error' && refused.push(line.text()))
      await listen(page)
      await voc(page, 'identify', { plan: 'gold', unknown: 1 })
      await voc(page, 'init', { survey: id, mode, target: '#here', label: 'Tell us' })
      if (mode === 'button') {
        await rulesCame(page)
        await page.mouse.click(840, 662)
      }
      const frame = await waitForSurvey(page)
      await frame.waitForSelector('text=How was it on gold?')
      await frame.click('[id="q1.4"]')
      await frame.waitForSelector('text=received')
      await expect.poll(() => heard(page)).toEqual(expect.arrayContaining(['shown', 'ready', 'progress', 'completed']))
      expect(await responsesOf(id)).toMatchObject([
        { state: 'completed', channel: 'embed', custom_data: { plan: 'gold' }, answers: [{ value: 4 }] },
      ])
      await voc(page, 'close')
      expect(await heard(page)).toContain('closed')
      expect(page.frames()).toHaveLength(1)
      expect(refused).toEqual([])
      expect(await page.context().cookies()).toEqual([])
      expect(await page.evaluate('Object.keys(localStorage)')).toEqual(['earshot'])
      await page.context().close()
    },
  )

  test('needs no code: attributes name the survey, and calls before the script are kept', async () => {
    const id = await publishSurvey(shop.server, shop.token, SURVEY)
    const page = await shop.chrome.open(
      shop.website.page(`<button data-voc-survey="${id}">Rate us</button>${shop.script()}`),
    )
    await rulesCame(page)
    expect(surveyFrame(page)).toBeUndefined()
    await page.click('text=Rate us')
    await waitForSurvey(page)
    const other = await shop.chrome.open(
      shop.website.page(shop.script(` data-voc-survey="${id}" data-voc-mode="slide_in"`)),
    )
    await waitForSurvey(other)
    await Promise.all([page.context().close(), other.context().close()])
  })

  test('follows the targeting of the survey: address, event, sample and recontact', async () => {
    const tracked = await publishSurvey(shop.server, shop.token, {
      ...SURVEY,
      targeting: { urls: ['*/0*', '*?buy*'], events: ['bought'] },
    })
    const never = await publishSurvey(shop.server, shop.token, { ...SURVEY, targeting: { sample: 0 } })
    const address = shop.website.page(shop.script())
    const page = await shop.chrome.open(`${address}?buy=1`)
    await listen(page)
    await voc(page, 'init', { survey: never, mode: 'popup' })
    await voc(page, 'init', { survey: tracked, mode: 'popup' })
    await rulesCame(page)
    await voc(page, 'track', 'looked')
    expect(surveyFrame(page)).toBeUndefined()
    await voc(page, 'track', 'bought', { plan: 'silver' })
    const frame = await waitForSurvey(page)
    await frame.waitForSelector('text=on silver?')
    await frame.click('[id="q1.5"]')
    await expect.poll(() => heard(page)).toContain('completed')
    await page.reload()
    await voc(page, 'init', { survey: tracked, mode: 'popup' })
    await rulesCame(page)
    await voc(page, 'track', 'bought')
    await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
    expect(surveyFrame(page)).toBeUndefined()
    await voc(page, 'reset')
    expect(await page.evaluate('localStorage.length')).toBe(0)
    await page.context().close()
  })

  test('never shows one person the answers of another, with reset or without', async () => {
    const id = await publishSurvey(shop.server, shop.token, {
      ...SURVEY,
      questions: [{ id: 't', type: 'open_text', title: 'What happened?' }, ...SURVEY.questions],
    })
    const page = await shop.chrome.open(shop.website.page(shop.script()))
    const show = async (person?: object) => {
      if (person) await voc(page, 'identify', person)
      await voc(page, 'init', { survey: id, mode: 'popup' })
      await voc(page, 'open', id)
      await expect.poll(() => surveyFrame(page)?.url()).toBeDefined()
      const frame = surveyFrame(page)!
      await frame.waitForSelector('form.steps')
      return frame
    }
    const close = async () => {
      await voc(page, 'close')
      await expect.poll(() => surveyFrame(page)).toBeUndefined()
    }
    const shown = (frame: Awaited<ReturnType<typeof show>>) => frame.inputValue('[id="t"]')
    const begin = async (frame: Awaited<ReturnType<typeof show>>, text: string) => {
      await frame.fill('[id="t"]', text)
      await frame.press('[id="t"]', 'Control+Enter')
      await frame.waitForSelector('text=Saved')
    }
    const ann = { user: 'ann', plan: 'gold' }
    await begin(await show(ann), 'Of Ann')
    await close()
    expect(await shown(await show())).toBe('Of Ann')
    await close()
    expect(await shown(await show({ user: 'bob' }))).toBe('')
    await voc(page, 'identify', ann)
    await expect.poll(() => shown(surveyFrame(page)!)).toBe('Of Ann')
    await surveyFrame(page)!.click('.actions .quiet')
    await surveyFrame(page)!.fill('[id="t"]', 'More of Ann')

    await voc(page, 'reset')
    await rulesCame(page)
    const bob = await show({ user: 'bob', plan: 'silver' })
    expect(await shown(bob)).toBe('')
    expect(await bob.evaluate('localStorage.earshot ?? ""')).not.toContain('Ann')
    await begin(bob, 'Of Bob')
    await voc(page, 'identify', { plan: 'bronze' })
    await bob.click('[id="q1.4"]')
    await bob.waitForSelector('text=received')
    const responses = await responsesOf(id)
    expect(responses).toHaveLength(2)
    expect(responses).toContainEqual(
      expect.objectContaining({
        custom_data: { plan: 'bronze' },
        answers: [expect.objectContaining({ value: 4 })],
        text: [expect.objectContaining({ value: 'Of Bob' })],
      }),
    )
    await page.context().close()
  })

  test('ignores messages that do not come from its own frame', async () => {
    const id = await publishSurvey(shop.server, shop.token, SURVEY)
    const page = await shop.chrome.open(shop.website.page(shop.script()))
    await listen(page)
    await voc(page, 'init', { survey: id, mode: 'slide_in' })
    const frame = await waitForSurvey(page)
    await page.evaluate("for (const voc of ['completed', 'close', 'rules']) postMessage({ voc }, '*')")
    await frame.evaluate("postMessage({ voc: 'identify', person: { plan: 'forged' } }, '*')")
    expect(await heard(page)).not.toContain('completed')
    // The real messages of the frame come after the forged ones.
    await page.evaluate('heard.length = 0')
    await frame.click('[id="q1.4"]')
    await expect.poll(() => heard(page)).toContain('completed')
    expect(await responsesOf(id)).toMatchObject([{ custom_data: {} }])
    expect(await heard(page)).not.toContain('closed')
    await page.context().close()
  })

  test('shows nothing on a website that the workspace does not name', async () => {
    const owner = await createWorkspace(shop.server)
    const id = await publishSurvey(shop.server, owner.token, SURVEY)
    const named = await shop.server.request('PATCH', '/v1/org', {
      token: owner.token,
      body: { embed_origins: ['https://shop.example'] },
    })
    expect(named.status).toBe(200)
    const page = await shop.chrome.open(shop.website.page(shop.script()))
    const refusal = page.waitForEvent('console', (line) => line.text().includes('frame-ancestors'))
    await voc(page, 'init', { survey: id, mode: 'inline', target: 'body' })
    await refusal
    expect(surveyFrame(page)).toBeUndefined()
    await page.context().close()
  })
})

test('a dialog keeps the focus inside, and Escape closes it from within the frame', async () => {
  const id = await publishSurvey(shop.server, shop.token, SURVEY)
  const page = await shop.chrome.open(shop.website.page(`<button>Buy</button>${shop.script()}`))
  await listen(page)
  await page.focus('button')
  await voc(page, 'init', { survey: id, mode: 'popup' })
  const frame = await waitForSurvey(page)
  for (let tab = 0; tab < 12; tab++) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).not.toBe('Buy')
  }
  await frame.focus('[id="q1.1"]')
  await page.keyboard.press('Escape')
  await expect.poll(() => heard(page)).toContain('closed')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Buy')
  await page.context().close()
})

test('the page about embedding shows a survey in every mode', async () => {
  const id = await publishSurvey(shop.server, shop.token, SURVEY)
  const page = await shop.chrome.open(`${shop.base}/docs/embed?survey=${id}`)
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map((violation) => violation.id)).toEqual([])
  for (const mode of ['popup', 'slide_in', 'full', 'inline']) {
    await page.click(`[data-show=${mode}]`)
    await waitForSurvey(page)
    await voc(page, 'close')
  }
  await page.context().close()
})
