import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { QUESTION_TYPES } from '../../../../src/survey-engine/types/registry.ts'
import { createMember } from '../../../../src/testing/fixtures.ts'
import { fitsItsWindow } from '../../../testing/browser.ts'
import { answerByKeys, makeByKeys, previewByKeys, publishByKeys, saving } from '../../../testing/building.ts'
import { startConsole } from '../../../testing/console-visits.ts'
import { NARROW, WIDE } from '../../../testing/whole-console.ts'

let visits: Awaited<ReturnType<typeof startConsole>>
beforeAll(async () => void (visits = await startConsole()))
beforeEach(() => void (visits.complaints.length = 0))
afterAll(() => visits.close())

interface Survey {
  id: string
  name: string
  state: string
  version: number
  questions: Array<{ id: string; type: string; title: string | Record<string, string> }>
  logic: unknown[]
  endings: unknown[]
  quotas: unknown[]
  languages?: string[]
}

interface Answered {
  state: string
  answers: unknown[]
  text: unknown[]
}

const TWO = {
  name: 'After delivery',
  metric: 'nps',
  questions: [
    { id: 'score', type: 'nps', title: 'Recommend us?' },
    { id: 'why', type: 'open_text', title: 'Why?' },
  ],
}
const make = (change: object = {}) => visits.call<Survey>('POST', '/v1/surveys', { ...TWO, ...change })
const read = (id: string) => visits.call<Survey>('GET', `/v1/surveys/${id}`)
const build = (id: string, query = '') => `/app/surveys/${id}/build${query}`
/** The page in the frame has its own tests. */
const axe = async (page: Page) => {
  const { violations } = await new AxeBuilder({ page })
    .exclude('.device iframe')
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}

describe('the builder', () => {
  test.each([
    ['a desk', WIDE],
    ['a phone', NARROW],
  ])(
    'makes, previews, publishes and answers a survey that has everything by keys alone, on %s',
    async (_, viewport) => {
      const page = await visits.open('/app/surveys', { viewport })
      await makeByKeys(page, 'By keys')
      await previewByKeys(page)
      await publishByKeys(page)
      const id = /surveys\/(srv_\w+)\//.exec(page.url())?.[1] ?? ''
      const survey = await read(id)
      expect(survey).toMatchObject({ name: 'By keys', state: 'live', version: 1, languages: ['en', 'de', 'ar'] })
      expect(survey.questions.map(({ type }) => type).toSorted()).toEqual([...QUESTION_TYPES].toSorted())
      expect([survey.logic.length, survey.endings.length, survey.quotas.length]).toEqual([1, 2, 1])
      expect(await fitsItsWindow(page)).toBe(true)
      await page.goto(`${visits.base}/public/s/${id}?lang=en`)
      await answerByKeys(page, survey.questions)
      await page.locator('section.notice h1').waitFor()
      const { data } = await visits.call<{ data: Answered[] }>('GET', `/v1/responses?survey_id=${id}`)
      const [response] = data
      expect([response?.state, (response?.answers.length ?? 0) + (response?.text.length ?? 0)]).toEqual([
        'completed',
        15,
      ])
      expect(visits.complaints).toEqual([])
      await page.context().close()
    },
  )

  test('shows each change in the preview of each channel, and takes steps back', async () => {
    const { id } = await make()
    const page = await visits.open(build(id))
    const framed = page.frameLocator('.device iframe')
    await framed.getByText('Recommend us?').first().waitFor()
    await page.locator('.editor .title').fill('Would you recommend us?')
    await framed.getByText('Would you recommend us?').first().waitFor()
    await page.getByRole('button', { name: 'Why?' }).click()
    await framed.locator('#q-why:not([hidden])').waitFor()
    await page.keyboard.press('Control+z')
    await saving(page, 'saved')
    await expect.poll(async () => (await read(id)).questions[0]?.title).toBe('Recommend us?')
    await page.keyboard.press('Control+Shift+z')
    await expect.poll(async () => (await read(id)).questions[0]?.title).toBe('Would you recommend us?')
    for (const [channel, text] of [
      ['SMS', 'Reply with a number from 0 to 10'],
      ['Call', 'Would you recommend us?'],
    ] as const) {
      await page.getByRole('button', { name: channel, exact: true }).click()
      await page.getByRole('log').getByText(text).waitFor()
    }
    await page.getByLabel('Say something, or press keys').fill('9')
    await page.keyboard.press('Enter')
    await page.getByRole('log').getByText('9', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Mail', exact: true }).click()
    await framed.getByText('Would you recommend us?').first().waitFor()
    await page.context().close()
  })

  test('loses no letter when the connection goes, when an answer is lost, and when somebody else saves', async () => {
    const { id } = await make()
    const page = await visits.open(build(id))
    const title = page.locator('.editor .title')
    await title.fill('')
    await page.context().setOffline(true)
    await title.pressSequentially('Would you ')
    await saving(page, 'kept')
    await page.context().setOffline(false)
    await title.pressSequentially('recommend ')
    await saving(page, 'saved')
    // The server stores this change and dies before it answers.
    let deaths = 1
    await page.route('**/v1/surveys/*', async (route) => {
      if (route.request().method() !== 'PATCH' || deaths-- <= 0) return route.fallback()
      await route.fetch()
      await route.abort('connectionreset')
    })
    await title.pressSequentially('us to ')
    await saving(page, 'kept')
    await title.pressSequentially('a friend?')
    await saving(page, 'saved')
    await expect.poll(async () => (await read(id)).questions[0]?.title).toBe('Would you recommend us to a friend?')

    const { questions } = await read(id)
    await visits.call('PATCH', `/v1/surveys/${id}`, {
      questions: questions.map((question) => (question.id === 'why' ? { ...question, title: 'Theirs' } : question)),
    })
    await title.fill('Mine')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Somebody else changed this survey').waitFor()
    await expect.poll(() => dialog.locator('.sides section').first().innerText()).toContain('Theirs')
    await expect.poll(() => dialog.locator('.sides section').last().innerText()).toContain('Mine')
    await dialog.getByRole('button', { name: 'Write mine again' }).click()
    await saving(page, 'saved')
    await expect
      .poll(async () => (await read(id)).questions.map((question) => question.title))
      .toEqual(['Mine', 'Theirs'])

    // A change that was not saved when the tab closed is there when the survey is opened again.
    await page.route('**/v1/surveys/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
    )
    await title.fill('Kept')
    await saving(page, 'kept')
    await page.unroute('**/v1/surveys/*')
    await page.reload()
    await saving(page, 'saved')
    await expect.poll(async () => (await read(id)).questions[0]?.title).toBe('Kept')
    await page.context().close()
  })

  test('says each problem beside its question, and what publishing changes', async () => {
    const { id } = await make()
    await visits.call('POST', `/v1/surveys/${id}/publish`, {})
    const page = await visits.open(build(id, '?at=why'))
    await page.getByText('why', { exact: true }).waitFor()
    // Until something differs, there is nothing to publish.
    const isMain = () => page.locator('.button.primary', { hasText: /^Publish$/ }).count()
    await page.getByText('Live, version 1', { exact: true }).waitFor()
    expect(await isMain()).toBe(0)
    const title = page.locator('.editor .title')
    await title.fill('You gave {{ answer.none }}')
    await page.getByText('A placeholder names a question that is not here.').waitFor()
    await page.getByRole('button', { name: '1 problem', exact: true }).waitFor()
    await title.fill('')
    await page.getByRole('button', { name: /Insert a value/ }).click()
    await page.getByRole('menuitem', { name: 'Recommend us?' }).click()
    await expect.poll(() => title.inputValue()).toBe('{{ answer.score }}')
    await page.locator('.views .warned').waitFor({ state: 'detached' })
    await page.getByText('Live, version 1, with changes not published', { exact: true }).waitFor()
    await page.getByText('Draft saved, not published', { exact: true }).waitFor()
    expect(await isMain()).toBe(1)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Publish version 2?').waitFor()
    await dialog.getByText('New words').waitFor()
    // The old and the new text stand whole, one below the other.
    const wording = (side: string) => dialog.locator(`.wording.${side} bdi`).innerText()
    expect([await wording('old'), await wording('now')]).toEqual(['Why?', '{{ answer.score }}'])
    await expect.poll(() => dialog.locator('ins').innerText()).toBe('{{ answer.score }}')
    expect(await axe(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Publish version 2' }).click()
    await page.getByText('Live, version 2', { exact: true }).waitFor()
    expect(await isMain()).toBe(0)
    await page.getByRole('button', { name: 'Versions' }).click()
    // The draft is version 2, so it is beside the version before.
    await page.getByRole('dialog').getByText('New words').waitFor()
    const chosen = page.getByRole('dialog').getByLabel('Before').locator('option:checked')
    await expect.poll(() => chosen.textContent()).toMatch(/^Version 1, .* · /)
    await page.getByRole('button', { name: 'Make version 1 the draft' }).click()
    await expect.poll(async () => (await read(id)).questions[1]?.title).toBe('Why?')
    await page.context().close()
  })

  test('says once what a language lacks, leads to its first gap, and names a choice that is new', async () => {
    const choices = [{ id: 'price', label: { en: 'Price', de: 'Preis' } }]
    const { id } = await make({
      languages: ['en', 'es', 'de'],
      questions: [
        { id: 'score', type: 'nps', title: { en: 'Recommend us?', es: '¿Nos recomienda?', de: 'Empfehlen?' } },
        { id: 'most', type: 'single', title: { en: 'Most?', es: '¿Más?' }, choices },
      ],
    })
    const page = await visits.open(build(id))
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Missing in German: 1 of 3.').waitFor()
    expect(await dialog.locator('.note').count()).toBe(2)
    await dialog.locator('.note', { hasText: 'German' }).getByRole('button', { name: 'Go there' }).click()
    await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe('German: Most?')
    await page.keyboard.type('Wichtig?')
    await page.getByLabel('Spanish: Price').fill('Precio')
    await saving(page, 'saved')
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await dialog.getByRole('button', { name: 'Publish version 1' }).click()
    await dialog.waitFor({ state: 'detached' })
    const label = { en: 'Staff', es: 'Personal', de: 'Team' }
    const { questions } = await read(id)
    const [score, most] = questions as [object, { choices: object[] }]
    const changed = [score, { ...most, choices: [...most.choices, { id: 'staff', label }] }]
    await visits.call('PATCH', `/v1/surveys/${id}`, { questions: changed })
    await page.reload()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await dialog.getByText('New choice in question 2').waitFor()
    expect(await dialog.locator('.changes').textContent()).toContain('Staff')
    await page.context().close()
  })

  test('moves a question with the pointer, and its sentence says where it went', async () => {
    const { id } = await make()
    const page = await visits.open(build(id))
    const row = (name: string) => page.locator('.outline li', { hasText: name })
    const [from, to] = [await row('Recommend us?').locator('.grip').boundingBox(), await row('Why?').boundingBox()]
    if (!from || !to) throw new Error('no rows')
    await page.mouse.move(from.x + 6, from.y + 6)
    await page.mouse.down()
    await page.mouse.move(to.x + 60, to.y + 4, { steps: 4 })
    await page.mouse.move(to.x + 60, to.y + to.height - 4)
    await page.mouse.up()
    await page.getByText('Moved “Recommend us?” to place 2 of 2.').waitFor({ state: 'attached' })
    await expect.poll(async () => (await read(id)).questions.map((question) => question.id)).toEqual(['why', 'score'])
    await page.context().close()
  })

  test('is read alone by somebody who may not change surveys', async () => {
    const { id } = await make()
    const viewer = await createMember(visits.server, visits.workspace.token, 'viewer')
    const page = await visits.open(build(id), { token: viewer.token })
    await page.getByText('You can look, not change.').waitFor()
    await expect.poll(() => page.locator('.editor .title').getAttribute('readonly')).not.toBeNull()
    await expect.poll(() => page.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0)
    await page.context().close()
  })

  test('shows one pane at a time on a phone, and nothing is too wide', async () => {
    const { id } = await make()
    const page = await visits.open(build(id), { viewport: NARROW })
    await page.locator('.editor').waitFor()
    await expect.poll(() => page.locator('.outline').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Next question' }).click()
    await page.getByRole('button', { name: 'Question 2 of 2' }).click()
    await page.locator('.outline').waitFor()
    await expect.poll(() => page.locator('.editor').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Recommend us?' }).click()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.locator('.stage').waitFor()
    await expect.poll(() => page.locator('.editor').isVisible()).toBe(false)
    await page.context().close()
  })

  test('shows a long text whole among the languages on a phone', async () => {
    const title = 'How likely are you to recommend our shop to a friend or to somebody whom you work with?'
    const { id } = await make({ languages: ['en', 'de'], questions: [{ id: 'score', type: 'nps', title }] })
    const page = await visits.open(build(id, '?view=languages'), { viewport: NARROW })
    const cell = page.getByRole('textbox', { name: `English: ${title}` })
    await cell.waitFor()
    const sizes = await cell.evaluate((one) => [one.scrollWidth, one.clientWidth, one.scrollHeight, one.clientHeight])
    expect(sizes[0]).toBeLessThanOrEqual(sizes[1] ?? 0)
    expect(sizes[2]).toBeLessThanOrEqual(sizes[3] ?? 0)
    // Both columns have room: the first is no strip of letters beside the second.
    expect(sizes[1]).toBeGreaterThan(NARROW.width / 3)
    await page.context().close()
  })

  test.each([
    ['light', WIDE, 'en'],
    ['dark', NARROW, 'ar'],
  ] as const)('has no finding of axe in any view: %s', async (colorScheme, viewport, language) => {
    const { id } = await make({
      languages: ['en', 'de'],
      quotas: [{ id: 'low', when: { question: 'score', op: 'lte', value: 6 }, limit: 10 }],
      endings: [{ id: 'end', title: 'Thank you!' }],
      logic: [{ when: { question: 'score', op: 'lte', value: 6 }, then: [{ action: 'show', question: 'why' }] }],
    })
    const page = await visits.open(build(id), { viewport, colorScheme, language, hasStream: false })
    for (const view of ['questions', 'map', 'languages', 'endings', 'quotas', 'look', 'rules']) {
      await page.goto(`${visits.base}${build(id, `?view=${view}`)}`)
      await page.locator('.build, .map, .languages, .build-column').first().waitFor()
      await page.waitForLoadState('networkidle')
      expect(await axe(page), view).toEqual([])
      expect(await fitsItsWindow(page), view).toBe(true)
      if (view === 'languages' || (view === 'questions' && viewport === WIDE))
        expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight'), view).toBeLessThanOrEqual(0)
    }
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })
})
