import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../../src/testing/makers.ts'
import { findingsInEveryLook, startConsole } from '../../../testing/console-visits.ts'
import { onScreen } from '../../../testing/whole-console.ts'

let visits: Awaited<ReturnType<typeof startConsole>>
let surveyId: string
beforeAll(async () => {
  visits = await startConsole()
  surveyId = await makeLiveSurvey(visits.server, visits.workspace, { ...NPS_SURVEY, name: 'Help desk' })
})
afterAll(() => visits.close())

test('a person chooses what reaches them, and the bell says when it did, and leads there', async () => {
  const page = await visits.open('/app/settings/notifications')
  await page.getByText('Get notified').waitFor()
  await page.getByRole('button', { name: 'New subscription' }).click()
  const asked = page.getByRole('dialog')
  await asked.getByRole('button', { name: 'Slack' }).click()
  await asked.getByLabel('Address of the channel').fill('hooks')
  await asked.getByRole('button', { name: 'Subscribe' }).click()
  await asked.locator('.error, .note.bad').first().waitFor()
  await asked.getByRole('button', { name: 'Here' }).click()
  await asked.getByLabel('Help desk').check()
  await asked.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByText('You have 1 subscription.').waitFor()
  await page.getByText('1 survey', { exact: true }).waitFor()

  const { id } = await submit(visits.server, surveyId, { answers: { q1: 9, q3: 'Friendly' } })
  await submit(visits.server, surveyId, { answers: { q1: 2, q3: 'Late' } })
  const bell = (n: number) => page.getByRole('button', { name: `Notifications, ${n} not read` })
  await bell(2).click()
  const box = page.getByRole('dialog', { name: 'Notifications' })
  await box.getByText('A response came in').nth(1).waitFor()
  expect((await visits.call<{ unread: number }>('GET', '/v1/notifications?peek=true')).unread).toBe(2)
  expect(await findingsInEveryLook(page)).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  await box
    .getByRole('button', { name: /A response came in/ })
    .nth(1)
    .click()
  await page.waitForURL(`**/app/responses/${id}*`)
  await bell(1).click()
  await box.getByRole('button', { name: 'Mark all as read' }).click()
  await bell(0).waitFor()
  await box.getByRole('link', { name: 'All notifications' }).click()
  await page.getByText('You have read everything.').waitFor()

  await page.getByRole('link', { name: 'What reaches me' }).click()
  await page.getByRole('switch', { name: /^Tell me: A response came in, Here/ }).uncheck()
  await page.getByText('Off', { exact: true }).waitFor()
  await submit(visits.server, surveyId, { answers: { q1: 2 } })
  expect((await visits.call<{ unread: number }>('GET', '/v1/notifications?peek=true')).unread).toBe(0)
  await page.getByRole('button', { name: /^Delete the subscription/ }).click()
  await page.getByText('Get notified').waitFor()
  expect(visits.complaints).toEqual([])
  await page.context().close()
})

test('single keys can be switched off, and then no letter acts', async () => {
  const page = await visits.open('/app/settings/notifications')
  await page.getByRole('button', { name: 'Dark' }).click()
  await page.waitForSelector('html[data-theme=dark]')
  await page.getByRole('switch', { name: 'Letters such as J, K and F act on the screen' }).uncheck()
  await page.getByRole('switch', { name: 'Letters such as J, K and F act on the screen', checked: false }).waitFor()
  await page.reload()
  await page.getByRole('switch', { name: 'Letters such as J, K and F act on the screen', checked: false }).waitFor()
  await page.keyboard.press('?')
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Search or run a command' }).waitFor()
  await page.keyboard.press('Escape')
  expect(new URL(page.url()).pathname).toBe('/app/settings/notifications')
  await page.getByRole('switch', { name: 'Letters such as J, K and F act on the screen' }).check()
  await page.getByRole('switch', { name: 'Letters such as J, K and F act on the screen', checked: true }).waitFor()
  await page.locator('h1').focus()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.context().close()
})

test('the screens have nothing that axe finds, in any look', async () => {
  await visits.call('POST', '/v1/notification-subscriptions', { event: 'response.completed', channel: 'console' })
  await submit(visits.server, surveyId, { answers: { q1: 9 } })
  for (const [path, title] of [
    ['notifications', 'Notifications'],
    ['settings/notifications', 'Notifications and device'],
  ] as const) {
    const page = await visits.open(`/app/${path}`)
    await onScreen(page, title)
    expect(await findingsInEveryLook(page), path).toEqual([])
    await page.context().close()
  }
})
