import type { Page } from 'playwright-core'
import { QUESTION_TYPES, typeTitle } from '../../src/survey-engine/types/registry.ts'
import { chooseByKeys, onScreen } from './whole-console.ts'

/** Presses a button that is in sight, by its name and by a key. */
export async function press(page: Page, name: string | RegExp): Promise<void> {
  const button = page.getByRole('button', { name, exact: typeof name === 'string' }).filter({ visible: true })
  await button.first().focus()
  await page.keyboard.press('Enter')
}

export const saving = (page: Page, state: string) => page.locator(`[data-saving=${state}]`).waitFor()

/** Presses Tab until the focus is on such an element. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let left = 60; left > 0; left--) {
    if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${selector}`)
}

/** Makes a survey with a question of each type, a rule, three languages, a quota and two endings, by keys alone. */
export async function makeByKeys(page: Page, name: string): Promise<void> {
  await onScreen(page, 'Surveys')
  await press(page, 'New survey')
  await press(page, 'Empty')
  await page.getByLabel('Survey', { exact: true }).focus()
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await onScreen(page, name)
  await page.getByText('Add the first question').waitFor()
  await addEachType(page)
  await moveTheLast(page)
  await press(page, 'Logic')
  await page.locator('.sentence select').first().waitFor()
  await press(page, 'Endings')
  for (const _ of [1, 2]) await press(page, 'Ending')
  await press(page, 'Quotas')
  await press(page, 'Quota')
  await press(page, 'Languages')
  await translate(page, 'German', 'Deutsch')
  await translate(page, 'Arabic', 'عربي')
  await saving(page, 'saved')
  await page.locator('.views .warned').waitFor({ state: 'detached' })
}

async function addEachType(page: Page): Promise<void> {
  for (const [at, type] of QUESTION_TYPES.entries()) {
    await page.keyboard.press('n')
    await chooseByKeys(page, typeTitle(type, 'en'))
    await page.locator('.editor .title:focus').waitFor()
    await page.keyboard.type(`Question ${at + 1}`)
    await page.keyboard.press('Escape')
  }
}

/** Takes the last question up by one, and goes to the first. */
async function moveTheLast(page: Page): Promise<void> {
  const isPhone = await page.locator('.steps').isVisible()
  if (isPhone) {
    await page.keyboard.press('Enter')
    await tabTo(page, '.outline [aria-current]')
  }
  await page.keyboard.press('Alt+ArrowUp')
  await page.getByText('Moved “Question 16” to place 15 of 16.').waitFor({ state: 'attached' })
  for (let at = 0; at < 14; at++) await page.keyboard.press('ArrowUp')
  await page.locator('.outline li:first-child [aria-current]:focus').waitFor()
  if (isPhone) await page.keyboard.press('Enter')
  await page.locator('.editor .title', { hasText: /^Question 1$/ }).waitFor()
}

/** Adds a language and fills each of its gaps. A phone shows one language beside the first. */
async function translate(page: Page, language: string, written: string): Promise<void> {
  await press(page, 'Language')
  await page.getByRole('dialog').getByLabel('Language').focus()
  await page.keyboard.type(language)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const gap = page.locator('.cell.gap').filter({ visible: true })
  // The first gap of the new language has the focus, on a phone too.
  await gap
    .first()
    .and(page.locator(`:focus[aria-label^="${language}: "]`))
    .waitFor()
  for (let left = await gap.count(); left > 0; left--) {
    await gap.first().focus()
    await page.keyboard.type(written)
  }
}

/** Looks at the draft in each channel, and in a second language. */
export async function previewByKeys(page: Page): Promise<void> {
  await press(page, 'Questions')
  if (await page.locator('.steps').isVisible()) await press(page, 'Preview')
  const framed = page.frameLocator('.device iframe')
  for (const channel of ['Phone', 'Desktop', 'Mail']) {
    await press(page, channel)
    // Behind its title a question says that it needs an answer.
    await framed
      .getByText(/^Question 1(?!\d)/)
      .first()
      .waitFor()
  }
  for (const channel of ['SMS', 'Call']) {
    await press(page, channel)
    await page.getByRole('log').getByText('Question 1').first().waitFor()
  }
  await press(page, 'Language of the preview: English')
  await chooseByKeys(page, 'Arabic')
  await page.getByRole('log').getByText('عربي').first().waitFor()
}

export async function publishByKeys(page: Page): Promise<void> {
  await press(page, 'Publish')
  await page.getByText('It has 16 questions.').waitFor()
  await press(page, 'Publish version 1')
  await page.getByText('Version 1 is published.').waitFor()
}

/** The keys that answer a question. The rule shows the second one after a low score. */
const ANSWERS: Record<(typeof QUESTION_TYPES)[number], string[]> = {
  nps: ['3'],
  csat: ['4'],
  ces: ['6'],
  rating: ['3'],
  slider: ['ArrowRight', 'ArrowRight'],
  single: ['b'],
  dropdown: ['ArrowDown'],
  multi: ['a', 'b'],
  picture: ['a'],
  ranking: ['ArrowDown'],
  matrix: ['Space', 'Tab', 'Space'],
  open_text: [...'It works'],
  date: [...'02292024'],
  consent: ['Space'],
  contact: [...'Eve', 'Tab', ...'eve@example.com'],
  statement: [],
}

/** Answers every question of a page by keys alone. */
export async function answerByKeys(page: Page, questions: Array<{ id: string; type: string }>): Promise<void> {
  for (const { id, type } of questions) {
    await page.locator(`#q-${id}:not([hidden])`).waitFor()
    if (type !== 'statement') await tabTo(page, `#q-${id} :is(input, select, textarea, .grip)`)
    for (const key of ANSWERS[type as keyof typeof ANSWERS]) await page.keyboard.press(key)
    await tabTo(page, '.actions [name=_next]')
    await page.keyboard.press('Enter')
  }
}
