import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findingsInEveryLook } from '../../../testing/console-visits.ts'
import { onScreen, startWholeConsole, type ConsoleVisits } from '../../../testing/whole-console.ts'

let visits: ConsoleVisits
let receiver: { id: string; url: string }
let surveyId: string
beforeAll(async () => {
  visits = await startWholeConsole()
  surveyId = (
    await visits.call<{ id: string }>('POST', '/v1/surveys', {
      name: 'After your purchase',
      metric: 'nps',
      questions: [
        { id: 'q1', type: 'nps', title: 'Recommend us?' },
        { id: 'q2', type: 'open_text', title: 'Why?' },
      ],
    })
  ).id
  await visits.call('POST', `/v1/surveys/${surveyId}/publish`, {})
  receiver = await visits.call('POST', '/v1/test-receivers', { answer: 503 })
})
beforeEach(() => void (visits.complaints.length = 0))
afterAll(() => visits.close())

const answer = () =>
  visits.call<{ id: string }>('POST', `/public/surveys/${surveyId}/responses`, {
    answers: { q1: 3, q2: 'The courier was late' },
  })

describe('webhooks in the console', () => {
  test('an endpoint is added, its secret is shown once, and no key closes it before it was copied', async () => {
    const page = await visits.open('/app/webhooks')
    await onScreen(page, 'Webhooks')
    await page.getByText('Hand every answer to your own systems').waitFor()
    await page.getByRole('button', { name: 'Add endpoint' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill('not an address')
    await dialog.getByRole('button', { name: 'Add endpoint' }).click()
    await dialog.locator('[aria-invalid=true]').waitFor()
    await dialog.getByLabel('Address').fill(receiver.url)
    await dialog.getByLabel('Name').fill('CRM')
    await dialog.getByRole('button', { name: 'Add endpoint' }).click()
    const secret = page.locator('[data-secret]')
    await secret.waitFor()
    await expect.poll(() => secret.innerText()).toMatch(/^whsec_/)
    await page.keyboard.press('Escape')
    await expect.poll(() => secret.isVisible()).toBe(true)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await onScreen(page, 'CRM')
    await expect.poll(() => page.locator('main').innerText()).toMatch(/whsec_\w*\*+/)
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('a broken receiver is seen, understood and replayed', async () => {
    const { id } = await answer()
    const page = await visits.open('/app/webhooks')
    await page.getByText(/CRM has failed since .+, and nothing is lost\./).waitFor({ timeout: 30_000 })
    await page.getByRole('link', { name: 'Deliveries' }).click()
    await onScreen(page, 'Deliveries')
    await page.getByRole('row').getByText('Tries again').waitFor({ timeout: 15_000 })
    await page.getByRole('link', { name: 'response.completed' }).first().click()
    const lede =
      /CRM did not take it (?:yet|in \d tries): 503\. The next of 5 tries is (?:now|in \d+ \w+), and nothing is lost\./
    await page.getByText(lede).waitFor()
    expect(await page.locator('.lede time').getAttribute('title')).toMatch(/\d{4}.*\d:\d\d:\d\d/)
    const body = page.locator('[data-body]')
    await expect.poll(() => body.innerText()).toContain(`"responseId": "${id}"`)
    await page.getByRole('tab', { name: 'Answer' }).click()
    await page.getByRole('tabpanel').getByText('503').first().waitFor()
    await page.getByRole('tab', { name: 'Verify it yourself' }).click()
    await expect.poll(() => page.locator('[data-program]').innerText()).toMatch(/v1=[0-9a-f]{64}/)
    await visits.call('PATCH', `/v1/test-receivers/${receiver.id}`, { answer: 200 })
    await page.getByRole('button', { name: 'Try now' }).click()
    await page.getByText(/CRM took it at try \d\./).waitFor({ timeout: 15_000 })
    await page.getByRole('link', { name: 'Deliveries' }).first().click()
    for (const name of ['All 1', 'Waiting 0', 'Tries again 0', 'Delivered 1', 'Dead letters 0'])
      await page.getByRole('group', { name: 'State' }).getByRole('button', { name, exact: true }).waitFor()
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('the search box says why a response did not arrive', async () => {
    const { id } = await answer()
    const [webhook] = (await visits.call<{ data: Array<{ id: string }> }>('GET', '/v1/webhooks')).data
    await visits.call('PATCH', `/v1/webhooks/${webhook?.id}`, { events: ['alert.opened'] })
    const { id: missed } = await answer()
    const page = await visits.open('/app/webhooks')
    const box = page.getByRole('textbox', { name: 'Why did a response not arrive?' })
    await box.fill(missed)
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByText('is not sent it.').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'The webhook takes only alert.opened.' }).waitFor()
    await box.fill(`the one with ${id}, please`)
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByText('has it.').waitFor()
    await box.fill('that one')
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByText('Paste the id of a response.').waitFor()
    await visits.call('PATCH', `/v1/webhooks/${webhook?.id}`, { events: [] })
    await page.context().close()
  })

  test('a secret is rotated with an overlap, and an old answer is sent after a count', async () => {
    const [webhook] = (await visits.call<{ data: Array<{ id: string }> }>('GET', '/v1/webhooks')).data
    const page = await visits.open(`/app/webhooks/${webhook?.id}`)
    await onScreen(page, 'CRM')
    await page.getByRole('button', { name: 'Rotate…' }).click()
    await page.getByLabel('Hours of both').fill('2')
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    await page.locator('[data-secret]').waitFor()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByText('The secret before signs as well until').waitFor()
    await page.getByRole('button', { name: 'Backfill' }).click()
    await page.getByLabel('Survey').selectOption({ label: 'After your purchase' })
    await page.getByLabel('Since').fill(new Date(Date.now() - 86_400_000).toISOString().slice(0, 10))
    await page.getByRole('button', { name: 'Count first' }).click()
    await page.getByText('Send 3 responses?').waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('The backfill has begun.').waitFor()
    await page.getByText('Completed').waitFor({ timeout: 15_000 })
    await page.context().close()
  })

  test('a list that is held stands still, and says how many rows are new', async () => {
    const page = await visits.open('/app/deliveries')
    const rows = page.locator('tbody tr[data-id]')
    await rows.first().waitFor()
    const before = await rows.count()
    const bar = page.locator('header.bar')
    await bar.getByText('Live', { exact: true }).waitFor({ timeout: 15_000 })
    await page.getByRole('button', { name: 'Hold' }).click()
    await bar.getByText(/^As of \d+:\d\d/).waitFor()
    for (let n = 0; n < 2; n++) await answer()
    await page.getByRole('status').filter({ hasText: '2 new' }).click({ timeout: 15_000 })
    await expect.poll(() => rows.count()).toBe(before + 2)
    await page.getByRole('button', { name: 'Hold' }).waitFor()
    await bar.getByText('Live', { exact: true }).waitFor()
    await page.context().close()
  })

  test('a row has a menu with the acts on its endpoint, by keys', async () => {
    const { id } = await visits.call<{ id: string }>('POST', '/v1/webhooks', {
      url: 'https://spare.example/hooks',
      description: 'Spare',
    })
    const page = await visits.open('/app/webhooks')
    const row = page.getByRole('row').filter({ hasText: 'Spare' })
    const choose = async (name: string) => {
      await row.getByRole('button', { name: 'More for Spare' }).press('Enter')
      await page.getByRole('menuitem', { name }).press('Enter')
    }
    await choose('Pause')
    await row.getByText('Off', { exact: true }).waitFor()
    expect(await visits.call('GET', `/v1/webhooks/${id}`)).toMatchObject({ enabled: false })
    await row.getByRole('button', { name: 'More for Spare' }).press('Enter')
    await expect
      .poll(() => page.getByRole('menuitem', { name: 'Send a test' }).getAttribute('aria-disabled'))
      .toBe('true')
    await page.getByRole('menuitem', { name: 'Turn on' }).press('Enter')
    await row.getByText('Off', { exact: true }).waitFor({ state: 'detached' })
    await choose('Rotate the secret…')
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
    await page.locator('[data-secret]').waitFor()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await choose('Open')
    await onScreen(page, 'Spare')
    await page.getByRole('navigation', { name: 'Spare' }).getByRole('link', { name: 'Deliveries 0' }).waitFor()
    await page.goBack()
    await choose('Delete…')
    await page.getByRole('dialog').getByRole('textbox').fill('Spare')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await row.waitFor({ state: 'detached' })
    await onScreen(page, 'Webhooks')
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('the screens have nothing that axe finds, in any look', async () => {
    const { data } = await visits.call<{ data: Array<{ id: string; webhook_id: string }> }>(
      'GET',
      '/v1/webhook-deliveries',
    )
    for (const [path, title] of [
      ['/app/webhooks', 'Webhooks'],
      [`/app/webhooks/${data[0]?.webhook_id}`, 'CRM'],
      ['/app/deliveries', 'Deliveries'],
      [`/app/deliveries/${data[0]?.id}`, 'response.completed to CRM'],
    ] as const) {
      const page = await visits.open(path)
      await onScreen(page, title)
      await page.locator('[role=status] .skeleton').first().waitFor({ state: 'detached' })
      expect(await findingsInEveryLook(page), path).toEqual([])
      await page.context().close()
    }
  })
})
