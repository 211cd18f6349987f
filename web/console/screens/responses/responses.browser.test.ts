import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newTextsSweep } from '../../../../src/features/answers/verbatim/verbatim.feature.ts'
import { batchesSweep } from '../../../../src/features/programme/batches/batches.feature.ts'
import { createMember, runSweep } from '../../../../src/testing/fixtures.ts'
import { dispatchSweeps } from '../../../../src/features/outreach/messages/messages.feature.ts'
import { inviteToSurvey, submit } from '../../../../src/testing/makers.ts'
import { recordEmail } from '../../../../src/testing/recording-email.ts'
import { publishSurvey } from '../../../../src/testing/survey-fixtures.ts'
import { findingsInEveryLook, startConsole } from '../../../testing/console-visits.ts'
import { onScreen, WIDE } from '../../../testing/whole-console.ts'

const HOSTILE = `<img src=x onerror="document.title='ran'"><script>document.title='ran'</script>{{constructor}}`
const SAID = ['The courier was two days late', 'Works!', HOSTILE, 'الخدمة ممتازة', 'Paket hängt im Depot']

let visits: Awaited<ReturnType<typeof startConsole>>
let surveyId: string
beforeAll(async () => {
  visits = await startConsole()
  surveyId = await publishSurvey(visits.server, visits.workspace.token, {
    name: 'After your purchase',
    metric: 'nps',
    questions: [
      { id: 'q1', type: 'nps', title: 'Recommend us?', required: true },
      { id: 'q2', type: 'open_text', title: 'Why?' },
    ],
  })
  for (const [at, text] of SAID.entries()) await submit(visits.server, surveyId, { answers: { q1: at * 2, q2: text } })
})
beforeEach(() => void (visits.complaints.length = 0))
afterAll(() => visits.close())

const rows = (page: Page) => page.locator('tbody tr[data-id]')
const shows = async (page: Page, count: number) => {
  await expect.poll(() => rows(page).count()).toBe(count)
}

describe('the responses in the console', () => {
  test('are found by words, and Back takes a filter out again', async () => {
    const page = await visits.open('/app/responses')
    await shows(page, SAID.length)
    await page.getByRole('searchbox').fill('courier')
    await shows(page, 1)
    expect(page.url()).toContain('q=courier')
    await page.getByRole('searchbox').fill('')
    await shows(page, SAID.length)
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByLabel('Field').selectOption({ label: 'Score' })
    await page.getByLabel('Condition').selectOption({ label: 'at most' })
    await page.getByLabel('Value').fill('2')
    await page.getByRole('button', { name: 'Apply' }).click()
    await shows(page, 2)
    await page.getByText('2 of 5').waitFor()
    await page.goBack()
    await shows(page, SAID.length)
    await page.goForward()
    await shows(page, 2)
    await page.getByRole('button', { name: /^Take out Score/ }).click()
    await shows(page, SAID.length)
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('open beside the list by keys, and hostile words never run', async () => {
    const page = await visits.open('/app/responses?sort=score')
    await shows(page, SAID.length)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'Response' }).getByText('{{constructor}}').waitFor()
    expect(await page.title()).toBe('Responses · Earshot')
    await page.keyboard.press(']')
    await page.getByRole('complementary', { name: 'Response' }).getByText('الخدمة ممتازة').waitFor()
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('that no word finds lead to People with the words, since they may be a name', async () => {
    const page = await visits.open('/app/responses?q=Grace Hopper')
    await page.getByRole('link', { name: 'Look for “Grace Hopper” in People' }).click()
    await page.getByText('Search finds whole words of a name').waitFor()
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('Grace Hopper')
    await page.context().close()
  })

  test('pass a filter of one value or of several by the same condition', async () => {
    const page = await visits.open('/app/responses')
    await shows(page, SAID.length)
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByLabel('Field').selectOption({ label: 'Score' })
    const named = await page.getByLabel('Condition').locator('option').allInnerTexts()
    expect(named.filter((name) => /^is(?: not)?$/.test(name))).toEqual(['is', 'is not'])
    await page.getByLabel('Value').fill('2')
    await page.getByRole('button', { name: 'Another value' }).click()
    await page.getByLabel('Or this value').fill('8')
    await page.getByRole('button', { name: 'Apply' }).click()
    await shows(page, 2)
    expect(new URL(page.url()).searchParams.get('filter')).toContain('"one_of","value":[2,8]')
    await page
      .getByRole('button', { name: /^Score/ })
      .first()
      .click()
    await page.getByLabel('Or this value').fill('')
    await page.getByRole('button', { name: 'Apply' }).click()
    await shows(page, 1)
    expect(new URL(page.url()).searchParams.get('filter')).toContain('"eq","value":2')
    await page.context().close()
  })

  test('highlight the opened response alone, and none if the list does not have it', async () => {
    const page = await visits.open('/app/responses?sort=score')
    await shows(page, SAID.length)
    const current = () => page.locator('tr.current').evaluateAll((all) => all.map((row) => row.getAttribute('data-id')))
    const idAt = (at: number) => rows(page).nth(at).getAttribute('data-id')
    await page.keyboard.press('j')
    await expect.poll(current).toEqual([await idAt(0)])
    await rows(page).nth(3).click()
    await expect.poll(current).toEqual([await idAt(3)])
    const id = (await idAt(3)) ?? ''
    await page.goto(`${visits.base}/app/responses/${id}?q=courier`)
    await shows(page, 1)
    await page.getByRole('complementary', { name: 'Response' }).getByText('الخدمة ممتازة').waitFor()
    expect(await current()).toEqual([])
    await page.context().close()
  })

  test('are gone through by arrows from the one that is open, and each end of the list is an end', async () => {
    const page = await visits.open('/app/responses?sort=score')
    await shows(page, SAID.length)
    const detail = page.getByRole('complementary', { name: 'Response' })
    const [previous, next] = ['Previous response', 'Next response'].map((name) => detail.getByRole('button', { name }))
    await rows(page).nth(1).click()
    await detail.getByText('Works!').waitFor()
    await previous?.click()
    await detail.getByText('The courier was two days late').waitFor()
    expect(await previous?.getAttribute('aria-disabled')).toBe('true')
    await next?.click()
    await detail.getByText('Works!').waitFor()
    await page.keyboard.press('Enter')
    await detail.getByText('{{constructor}}').waitFor()
    await page.keyboard.press(']')
    await detail.getByText('الخدمة ممتازة').waitFor()
    await next?.press('Enter')
    await detail.getByText('Paket hängt im Depot').waitFor()
    expect(await next?.getAttribute('aria-disabled')).toBe('true')
    expect(await previous?.getAttribute('aria-disabled')).toBe(null)
    await page.context().close()
  })

  test('say in which language a text is and how it sounds, and take a correction', async () => {
    await runSweep(visits.server, newTextsSweep)
    const page = await visits.open('/app/responses?q=courier')
    await rows(page).first().click()
    const detail = page.getByRole('complementary', { name: 'Response' })
    await detail.getByRole('button', { name: /^It sounds/ }).click()
    await page
      .getByRole('menuitem', { name: 'Negative' })
      .or(page.getByRole('menuitemradio', { name: 'Negative' }))
      .click()
    await detail.getByRole('button', { name: /^It sounds: Negative/ }).waitFor()
    const mood = detail.locator('p', { has: page.getByRole('button', { name: /^It sounds/ }) })
    await expect.poll(() => mood.innerText()).toMatch(/English[\s·]+Negative/)
    await page.context().close()
    // Screen readers and hyphenation go by it: that of the text, which may be another than that of the page.
    const { data: texts } = await visits.call<{ data: Array<{ text: string; language: string }> }>(
      'GET',
      '/v1/verbatim',
    )
    const arabic = texts.find(({ text }) => text === SAID[3])
    expect(arabic?.language).toBe('ar')
    const next = await visits.open('/app/responses?q=ممتازة')
    expect(await rows(next).first().locator('bdi[lang=en]').innerText()).toBe(SAID[3])
    await rows(next).first().click()
    await next.locator('blockquote[lang=ar][dir=auto]', { hasText: SAID[3] }).waitFor()
    await next.context().close()
  })

  test('take a tag, a note and a quarantine, and give the quarantine back', async () => {
    const page = await visits.open('/app/responses?q=Works')
    await shows(page, 1)
    await rows(page).first().click()
    const detail = page.getByRole('complementary', { name: 'Response' })
    await detail.getByLabel('Add a tag').fill('vip')
    await detail.getByRole('button', { name: 'Tag', exact: true }).click()
    await detail.getByRole('button', { name: 'Take off the tag vip' }).waitFor()
    await detail.getByLabel('Write a note').fill('Asked the carrier')
    await detail.getByRole('button', { name: 'Add the note' }).click()
    await detail.getByText('Asked the carrier').waitFor()
    await detail.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Quarantine' }).click()
    await detail.getByText('Quarantined').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await detail.getByText('Completed').waitFor()
    const { data } = await visits.call<{ data: Array<{ tags: string[]; notes: unknown[] }> }>(
      'GET',
      '/v1/responses?search=Works',
    )
    expect(data[0]).toMatchObject({ tags: ['vip'], notes: [{ text: 'Asked the carrier' }] })
    await page.context().close()
  })

  test('say of which version they are, and what happened to them, by whom', async () => {
    await visits.call('POST', '/v1/alert-rules', {
      name: 'Unhappy customer',
      trigger: { on: 'response', filter: { all: [{ field: 'score', op: 'lte', value: 1 }] } },
    })
    const { id } = await submit(visits.server, surveyId, { answers: { q1: 1, q2: 'Never again' } })
    await visits.call('POST', `/v1/responses/${id}/tags`, { tags: ['vip'] })
    const page = await visits.open(`/app/responses/${id}`)
    const detail = page.getByRole('complementary', { name: 'Response' })
    await detail.getByText('version 1').waitFor()
    await detail.getByRole('heading', { name: 'Detractor' }).waitFor()
    await detail.getByText(/ changed the tags$/).waitFor()
    await expect
      .poll(async () => (await detail.locator('.timeline li').allInnerTexts()).map((text) => text.split('\n')[0]))
      .toEqual([
        expect.stringMatching(/^Answered/),
        'Opened the alert Unhappy customer',
        expect.stringMatching(/changed the tags$/),
      ])
    await detail.getByRole('link', { name: 'Unhappy customer' }).click()
    await onScreen(page, 'Alerts')
    await visits.call('DELETE', `/v1/responses/${id}`).catch(() => null)
    await page.context().close()
  })

  test('name the person in the head, and have their tags above the answers', async () => {
    const mail = recordEmail(visits.server)
    const recipients = [{ email: 'grace@example.com', name: 'Grace Hopper' }]
    await inviteToSurvey(visits.server, visits.workspace, surveyId, { recipients })
    await runSweep(visits.server, dispatchSweeps.email)
    const token = /[?&]t(?:oken)?=([\w.~-]+)/.exec(mail.sent.at(-1)?.text ?? '')?.[1]
    const { id } = await submit(visits.server, surveyId, { answers: { q1: 10, q2: 'Thank you' }, token })
    await visits.call('POST', `/v1/responses/${id}/tags`, { tags: ['vip'] })
    const page = await visits.open(`/app/responses/${id}`)
    const detail = page.getByRole('complementary', { name: 'Response' })
    const name = detail.getByRole('link', { name: 'Grace Hopper' })
    const [tag, answers] = [detail.getByText('vip', { exact: true }), detail.locator('dl.facts').first()]
    const topOf = async (part: typeof name) => (await part.boundingBox())?.y ?? 0
    await name.waitFor()
    await tag.waitFor()
    expect(await topOf(name)).toBeLessThan(await topOf(detail.getByText('Thank you').first()))
    expect(await topOf(tag)).toBeLessThan(await topOf(answers))
    await name.click()
    await onScreen(page, 'Grace Hopper')
    await visits.call('DELETE', `/v1/responses/${id}`).catch(() => null)
    await page.context().close()
  })

  test('are copied as CSV with the columns that are shown, and a view keeps these columns', async () => {
    const page = await visits.open('/app/responses?sort=score&columns=["score","text"]')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await shows(page, SAID.length)
    await page.getByRole('button', { name: 'Export or copy' }).click()
    await page.getByRole('menuitem', { name: 'Copy as CSV' }).click()
    await page.getByText('5 rows copied').waitFor()
    const lines = String(await page.evaluate('navigator.clipboard.readText()')).split('\r\n')
    expect(lines[0]).toBe('score,text')
    expect(lines[1]).toBe('0,The courier was two days late')
    expect(lines).toHaveLength(6)
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    await page.getByLabel('Name').fill('Scores alone')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Scores alone' }).waitFor()
    const heads = () => page.locator('thead th').allInnerTexts()
    const kept = await heads()
    await page.getByRole('button', { name: 'Scores alone' }).click()
    await page.getByRole('menuitem', { name: 'All', exact: true }).click()
    await expect.poll(async () => (await heads()).length).toBeGreaterThan(kept.length)
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Scores alone' }).click()
    await expect.poll(heads).toEqual(kept)
    await page.context().close()
  })

  test('are tagged together, and the batch is taken back', async () => {
    const page = await visits.open('/app/responses')
    await shows(page, SAID.length)
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('Shift+X')
    await page.getByText('2 selected').waitFor()
    await page.getByRole('button', { name: 'Select all 5' }).click()
    await page.getByText('5 selected').waitFor()
    await page.getByRole('button', { name: 'Tag…' }).click()
    await page.getByLabel('Tag', { exact: true }).fill('november')
    await page.getByRole('dialog').getByRole('button', { name: 'Tag', exact: true }).click()
    await expect.poll(() => runSweep(visits.server, batchesSweep)).toBeGreaterThan(0)
    await page.getByText('Tagged 5 responses.').waitFor()
    const tagged = async () => (await visits.call<{ data: unknown[] }>('GET', '/v1/responses?tag=november')).data.length
    await expect.poll(tagged).toBe(5)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await runSweep(visits.server, batchesSweep), tagged())).toBe(0)
    await page.context().close()
  })

  test('are deleted only after the words that name them were typed', async () => {
    const made = await submit(visits.server, surveyId, { answers: { q1: 1, q2: 'to be deleted' } })
    const page = await visits.open(`/app/responses/${made.id}`)
    const detail = page.getByRole('complementary', { name: 'Response' })
    await detail.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('1 response')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The response is deleted.').waitFor()
    await page.context().close()
  })

  test('offer a viewer no act', async () => {
    const { token } = await createMember(visits.server, visits.workspace.token, 'viewer')
    const page = await visits.open('/app/responses', { token })
    await shows(page, SAID.length)
    await expect.poll(() => page.getByRole('checkbox').count()).toBe(0)
    await rows(page).first().click()
    await page.getByRole('complementary', { name: 'Response' }).getByText('Recommend us?').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /Quarantine|Delete|Tag|note/ }).count()).toBe(0)
    await page.context().close()
  })

  test('keep a view that others open too', async () => {
    const page = await visits.open(
      `/app/responses?filter=${encodeURIComponent('{"all":[{"field":"score","op":"gte","value":4}]}')}`,
    )
    await shows(page, 3)
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    await page.getByLabel('Name').fill('Rather happy')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Rather happy' }).waitFor()
    await page.goto(`${visits.base}/app/responses`)
    await shows(page, SAID.length)
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Rather happy' }).click()
    await shows(page, 3)
    await page.context().close()
  })

  test('have nothing that axe finds, in any look', async () => {
    const page = await visits.open('/app/responses')
    await shows(page, SAID.length)
    expect(await findingsInEveryLook(page)).toEqual([])
    await page.setViewportSize(WIDE)
    await rows(page).first().click()
    await page.getByText('What happened').waitFor()
    expect(await findingsInEveryLook(page)).toEqual([])
    await page.context().close()
  })

  test('say nothing in English to those who chose another language', async () => {
    for (const [language, title] of [
      ['de', 'Antworten'],
      ['es', 'Respuestas'],
      ['ar', 'الإجابات'],
    ] as const) {
      const page = await visits.open('/app/responses', { language })
      await onScreen(page, title)
      await shows(page, SAID.length)
      const text = await page.locator('body').innerText()
      expect(text).not.toMatch(
        /\b(?:Responses|Search|Filter by|Columns|Score|Words|Survey|Channel|Language|Started|Completed)\b/,
      )
      await page.context().close()
    }
  })
})
