import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMember } from '../../../../src/testing/fixtures.ts'
import { makeLiveSurvey } from '../../../../src/testing/makers.ts'
import { findingsInEveryLook, startConsole } from '../../../testing/console-visits.ts'
import { onScreen } from '../../../testing/whole-console.ts'

let visits: Awaited<ReturnType<typeof startConsole>>
let surveyId: string
beforeAll(async () => {
  visits = await startConsole()
  surveyId = await makeLiveSurvey(visits.server, visits.workspace)
  for (const [name, language] of [
    ['Grace Hopper', 'en'],
    ['Ada Lovelace', 'de'],
    ['Alan Turing', 'de'],
  ])
    await visits.call('POST', '/v1/people', {
      name,
      language,
      email: `${name?.split(' ')[0]?.toLowerCase()}@example.com`,
      attributes: { plan: name === 'Grace Hopper' ? 'gold' : 'basic' },
    })
})
beforeEach(() => void (visits.complaints.length = 0))
afterAll(() => visits.close())

describe('segments in the console', () => {
  test('the values of an attribute are proposed from people', async () => {
    const page = await visits.open('/app/segments/new')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByLabel('Field').selectOption('attribute.plan')
    const proposed = () =>
      page.locator('datalist option').evaluateAll((all) => all.map((one) => one.getAttribute('value')))
    await expect.poll(async () => (await proposed()).toSorted()).toEqual(['basic', 'gold'])
    await page.getByLabel('Value').fill('go')
    await expect.poll(proposed).toEqual(['gold'])
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('one is counted while its conditions change, kept, changed beside somebody else, invited and deleted', async () => {
    const page = await visits.open('/app/segments')
    await page.getByRole('link', { name: 'New segment' }).first().click()
    await page.getByText('3 people fit now.').waitFor()
    await page.getByLabel('Name').fill('German')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByLabel('Field').selectOption('language')
    await page.getByLabel('Value').fill('de')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('2 people fit now.').waitFor()
    // The people who were not asked lately: the opposite of a condition.
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByLabel('Field').selectOption('invited')
    await page.getByLabel('Days').fill('90')
    await page.getByLabel('The opposite').check()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('not: in the last days').waitFor()
    await page.getByText('2 people fit now.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('German is saved.').waitFor()
    await onScreen(page, 'German')
    const [segment] = (await visits.call<{ data: Array<{ id: string; filter: unknown }> }>('GET', '/v1/segments')).data
    expect(segment?.filter).toMatchObject({
      all: [{ field: 'language' }, { not: { field: 'invited', op: 'within_days', value: 90 } }],
    })
    await visits.call('PATCH', `/v1/segments/${segment?.id}`, { description: 'From elsewhere' })
    await page.getByLabel('Name').fill('In German')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody else saved this in the meantime.').waitFor()
    await page.getByRole('button', { name: 'Take theirs' }).click()
    await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('From elsewhere')
    await page.getByRole('link', { name: 'Invite German' }).click()
    await onScreen(page, 'New invitation')
    await expect.poll(() => page.getByLabel('Whom').inputValue()).toBe(segment?.id)
    const rule = await visits.call<{ id: string }>('POST', '/v1/alert-rules', {
      name: 'Unhappy Germans',
      trigger: { on: 'response', filter: { all: [{ field: 'segment_id', op: 'eq', value: segment?.id }] } },
      due_in_minutes: 60,
    })
    await page.goto(`${visits.base}/app/segments/${segment?.id}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('link', { name: 'Unhappy Germans' }).waitFor()
    await visits.call('PATCH', `/v1/alert-rules/${rule.id}`, {
      trigger: { on: 'response', filter: { all: [] } },
    })
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('German is deleted.').waitFor()
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })
})

describe('templates in the console', () => {
  test('one begins ready to send, is seen in each language, refused with the reason, tested and taken back', async () => {
    const page = await visits.open('/app/templates')
    await page.getByRole('button', { name: 'New template' }).first().click()
    await page.getByLabel('Name').fill('After delivery')
    await page.getByRole('button', { name: 'Make it' }).click()
    await onScreen(page, 'After delivery')
    const mail = page.frameLocator('iframe[title="The mail in English"]')
    await mail.getByText('Answer the survey').waitFor()
    await page.getByRole('combobox', { name: 'Add a language…' }).selectOption('de')
    await page.getByLabel('Mail as HTML').fill('<p style="color: rgb(1, 2, 3)">Guten Tag</p>')
    await page.getByRole('alert').first().waitFor()
    await page
      .getByLabel('Mail as HTML')
      .fill('<p style="color: rgb(1, 2, 3)">Guten Tag</p><a href="{{ unsubscribe_url }}">Abmelden</a>')
    const german = page.frameLocator('iframe[title="The mail in German"]')
    await german.getByText('Guten Tag').waitFor()
    // The styles of a mail show, which the policy of the console itself would not allow.
    const color = page
      .frames()
      .find((frame) => frame.url().endsWith('/app/frames/mail'))
      ?.evaluate("getComputedStyle(document.querySelector('p')).color")
    expect(await color).toBe('rgb(1, 2, 3)')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('After delivery is saved.').waitFor()
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    expect(new URL(page.url()).searchParams.get('client')).toBe('text')
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByLabel('To', { exact: true }).fill('nobody')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Use an email address').waitFor()
    await page.getByLabel('To', { exact: true }).fill('ada@example.com')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('A test is on its way to ada@example.com.').waitFor()
    await page.getByRole('button', { name: 'Version 2' }).click()
    await page.getByRole('button', { name: 'Edit version 1' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'German', exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Version 3' }).waitFor()
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })
})

describe('numbers in the console', () => {
  test('one is added with a keyword, changed and deleted', async () => {
    const page = await visits.open('/app/numbers')
    await page.getByRole('link', { name: 'Add a number' }).first().click()
    await page.getByLabel('Number', { exact: true }).fill('12')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.error').waitFor()
    await page.getByLabel('Number', { exact: true }).fill('+49 30 901820')
    await page.getByRole('button', { name: 'Add a keyword' }).click()
    await page.getByLabel('Keyword 1').fill('SHOP')
    await page.getByLabel('Survey of SHOP').selectOption(surveyId)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('1 number takes messages and calls.').waitFor()
    await page.getByText('SHOP', { exact: true }).waitFor()
    await page.getByRole('link', { name: '+4930901820' }).click()
    await page.getByLabel('Voice').uncheck()
    await page.getByLabel('Own quiet hours').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('SHOP', { exact: true }).waitFor()
    const { data } = await visits.call<{ data: Array<Record<string, unknown>> }>('GET', '/v1/inbound-numbers')
    expect(data[0]).toMatchObject({ capabilities: ['sms'], quiet_hours: { start: '20:00', end: '09:00' } })
    await visits.call('POST', '/v1/inbound-numbers', { number: '+49 30 901821' })
    await page.reload()
    await page.getByRole('link', { name: '+4930901821' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('+4930901821 is deleted.').waitFor()
    await page.getByText('1 number takes messages and calls.').waitFor()
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('a viewer sees all of it and no act', async () => {
    const { token } = await createMember(visits.server, visits.workspace.token, 'viewer')
    const { id } = await visits.call<{ id: string }>('POST', '/v1/segments', { name: 'Everybody', filter: { all: [] } })
    const page = await visits.open(`/app/segments/${id}`, { token })
    await page.getByText('3 people fit now.').waitFor()
    await expect.poll(() => page.locator('body').innerText()).not.toContain('grace@example.com')
    for (const path of [`/app/segments/${id}`, '/app/segments', '/app/templates', '/app/numbers']) {
      await page.goto(`${visits.base}${path}`)
      await page.getByRole('status').filter({ hasText: /\d/ }).first().waitFor()
      expect(await page.locator('.bar .button').count(), path).toBe(0)
    }
    await page.context().close()
  })

  test('the screens have nothing that axe finds, in any look', async () => {
    const firstOf = async (path: string) =>
      (await visits.call<{ data: Array<{ id: string }> }>('GET', path)).data[0]?.id ?? ''
    for (const [path, shown] of [
      ['/app/segments', 'Everybody'],
      [`/app/segments/${await firstOf('/v1/segments')}`, '3 people fit now.'],
      ['/app/templates', 'After delivery'],
      [`/app/templates/${await firstOf('/v1/email-templates')}`, 'With example data.'],
      ['/app/numbers', 'SHOP'],
      [`/app/numbers/${await firstOf('/v1/inbound-numbers')}`, 'Own quiet hours'],
    ] as const) {
      const page = await visits.open(path)
      await page.getByText(shown).first().waitFor()
      expect(await findingsInEveryLook(page), path).toEqual([])
      await page.context().close()
    }
  })
})
