import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findingsInEveryLook } from '../../../testing/console-visits.ts'
import { onScreen, startWholeConsole, type ConsoleVisits } from '../../../testing/whole-console.ts'

interface Made {
  id: string
}

let visits: ConsoleVisits
beforeAll(async () => {
  visits = await startWholeConsole()
  const survey = await visits.call<Made>('POST', '/v1/surveys', {
    name: 'Help desk',
    questions: [{ id: 'q1', type: 'nps', title: 'How likely?' }],
    custom_fields: ['agent_id'],
    metric: 'nps',
  })
  await visits.call('POST', `/v1/surveys/${survey.id}/publish`)
  const scores = { good: [10, 9, 10, 9, 10, 9, 10, 10, 9, 8], poor: [0, 1, 2, 0, 3, 4, 0, 2, 1, 7], few: [9, 9] }
  for (const [agent_id, given] of Object.entries(scores))
    for (const q1 of given)
      await visits.call('POST', `/public/surveys/${survey.id}/responses`, {
        answers: { q1 },
        custom_data: { agent_id },
      })
})
beforeEach(() => void (visits.complaints.length = 0))
afterAll(() => visits.close())

describe('agents, reports, badges and schedules in the console', () => {
  test('agents are ranked with their doubt, those below the minimum stand apart, and one is added', async () => {
    const page = await visits.open('/app/agents')
    await page.getByText(/good\S* is ahead of the others, more than chance\./).waitFor()
    const rows = page.getByRole('table', { name: 'Agents by score' }).getByRole('row')
    await expect.poll(() => rows.nth(1).textContent()).toMatch(/^1.*good/)
    await expect.poll(() => rows.nth(2).textContent()).toMatch(/^2.*poor/)
    await page.getByText('1 agent has fewer than 10 answers, and no place.').waitFor()
    await expect.poll(() => page.locator('.rows').textContent()).toContain('few')
    await page.getByRole('link', { name: 'poor' }).click()
    await onScreen(page, 'poor')
    await page.getByText('Place 2 of 2.').waitFor()
    await page.getByRole('link', { name: /Detractor/ }).waitFor()
    // A point of the trend leads to the answers of its days.
    const trend = page.getByRole('group', { name: /^NPS over time/ }).first()
    await trend.focus()
    await page.keyboard.press('ArrowLeft')
    const tip = await page.locator('.tip').innerText()
    await page.keyboard.press('Enter')
    await onScreen(page, 'Responses')
    await expect.poll(() => page.locator('tbody tr[data-id]').count()).toBe(Number(/n (\d+)/.exec(tip)?.[1]))
    await page.goBack()
    await onScreen(page, 'poor')
    await page.getByRole('link', { name: 'Agents' }).first().click()
    await page.getByRole('button', { name: 'New agent' }).click()
    await page.getByLabel('Name').fill('Nadia')
    await page.getByRole('button', { name: 'Save' }).click()
    await onScreen(page, 'Nadia')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByLabel('Type “Nadia” to go on').fill('Nadia')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await onScreen(page, 'Agents')
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('a report is made, run, read in a frame that runs nothing, and downloaded', async () => {
    const page = await visits.open('/app/reports')
    await page.getByText('No reports yet').waitFor()
    await page.getByRole('button', { name: 'New report' }).first().click()
    await page.getByLabel('Name').fill('Weekly figures')
    await page.getByLabel('Mail it by itself at set times').check()
    await page.getByLabel('On', { exact: true }).selectOption({ label: 'Friday' })
    await page.getByLabel('At', { exact: true }).fill('09:30')
    const recipient = page.locator('label.check').filter({ hasText: 'Ada' })
    const [box, name] = await Promise.all([
      recipient.locator('input').boundingBox(),
      recipient.locator('bdi').boundingBox(),
    ])
    expect((name?.x ?? 0) - (box?.x ?? 0) - (box?.width ?? 0)).toBeLessThan(12)
    // The whole row is the label of its box.
    const row = await recipient.boundingBox()
    await recipient.click({ position: { x: (row?.width ?? 0) - 4, y: (row?.height ?? 0) / 2 } })
    await expect.poll(() => page.getByLabel('Ada').isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Save' }).click()
    await onScreen(page, 'Weekly figures')
    await page.getByText('It goes to 1 person: every week on Friday at 09:30').waitFor()
    await page.getByRole('button', { name: 'Run now' }).click()
    const frame = page.frameLocator('iframe.document')
    await frame.getByText('Weekly figures').first().waitFor()
    await expect.poll(() => page.locator('iframe.document').getAttribute('sandbox')).toBe('')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    expect((await downloading).suggestedFilename()).toMatch(/\.html$/)
    const { data } = await visits.call<{ data: Array<Made & { schedule: object; recipients: string[] }> }>(
      'GET',
      '/v1/reports',
    )
    expect(data).toMatchObject([{ schedule: { cron: '30 9 * * 5' }, recipients: [expect.stringMatching(/^usr_/)] }])
    // Somebody else's change is not written over unseen.
    const { id } = data[0] ?? { id: '' }
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Change' }).click()
    await page.getByLabel('Name').fill('Weekly figures, mine')
    await visits.call('PATCH', `/v1/reports/${id}`, { name: 'Weekly figures, theirs' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody else changed this report').waitFor()
    await page.getByRole('button', { name: 'Take theirs' }).click()
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Weekly figures, theirs')
    await page.getByLabel('Name').fill('Weekly figures')
    await page.getByRole('button', { name: 'Save' }).click()
    await onScreen(page, 'Weekly figures')
    await page.getByRole('link', { name: 'Reports' }).first().click()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Weekly figures is paused.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('1 of 1 is mailed by itself.').waitFor()
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('an export is kept as a template, scheduled, paused and run', async () => {
    const page = await visits.open('/app/exports/schedules')
    await page.getByText('Nothing is exported by itself yet').waitFor()
    await page.getByRole('link', { name: 'New template' }).first().click()
    await page.getByRole('button', { name: 'Save as a template' }).click()
    await page.getByLabel('Name').fill('For the warehouse')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'More for For the warehouse' }).click()
    await page.getByRole('menuitem', { name: 'Schedule…' }).click()
    await page.getByLabel('Repeats').selectOption({ label: 'By a cron expression' })
    await page.getByLabel('Cron expression').fill('61 * * * *')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('.field .error').waitFor()
    await page.getByLabel('Repeats').selectOption({ label: 'Every day' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('1 export runs by itself.').waitFor()
    const { data } = await visits.call<{ data: Made[] }>('GET', '/v1/export-schedules')
    // Mails name a schedule among the exports.
    await page.goto(`${visits.base}/app/exports/${data[0]?.id}`)
    await page.waitForURL(/\/app\/exports\/schedules\?schedule=/)
    await page.locator('tr.current').getByRole('button', { name: 'More for For the warehouse' }).click()
    await page.getByRole('menuitem', { name: 'Pause' }).click()
    await page.getByText('0 exports run by themselves.').waitFor()
    await page.getByRole('button', { name: 'Export now' }).click()
    await page.getByText('rows in 1 file.').waitFor()
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('a badge shows its picture before it is made, and the line for a site', async () => {
    const page = await visits.open('/app/badges')
    await page.getByText('No badges yet').waitFor()
    await page.getByRole('button', { name: 'New badge' }).first().click()
    await page.getByText('n 22').waitFor()
    // The survey has one metric, and the badge can show no other.
    await page.getByRole('button', { name: 'NPS', exact: true, pressed: true }).waitFor()
    expect(await page.getByRole('button', { name: /^(CSAT|CES)$/ }).count()).toBe(0)
    await page.getByLabel('Words beside the figure').fill('Our score')
    await page.locator('.badge-stage img[src*="Our%20score"]').waitFor()
    await page.getByLabel('Name').fill('Footer')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('For your site').waitFor()
    const snippet = (await page.locator('aside pre.code').textContent()) ?? ''
    expect(snippet).toMatch(/^<img src="http:\/\/[^"]+\/public\/badges\/[^"]+\.svg" alt="Our score" height="20" \/>$/)
    const isOther = page.getByLabel('Use a different colour')
    const colorOf = async () =>
      (await visits.call<{ data: Array<{ color: string }> }>('GET', '/v1/badges')).data[0]?.color
    await expect.poll(() => isOther.isChecked()).toBe(false)
    await isOther.check()
    await page.getByLabel('Colour', { exact: true }).fill('#7c2d12')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(colorOf).toBe('#7c2d12')
    await expect.poll(() => isOther.isChecked()).toBe(true)
    await isOther.uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(colorOf).toBe('#0b6275')
    await page.reload()
    await page.getByText('For your site').waitFor()
    await expect.poll(() => isOther.isChecked()).toBe(false)
    await page.getByRole('button', { name: 'More for Footer' }).first().click()
    await page.getByRole('menuitem', { name: 'Turn off' }).click()
    await page.getByText('0 badges are on.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('1 badge is on. It shows where a site has its code.').waitFor()
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test.each([
    ['/app/agents', /is ahead of/],
    ['/app/agents/:agents', 'No place yet'],
    ['/app/reports', 'Weekly figures'],
    ['/app/reports/:reports', 'As it was mailed'],
    ['/app/exports/schedules', 'For the warehouse'],
    ['/app/badges?badge=:badges', 'For your site'],
  ] as const)('%s has nothing that axe finds, in any look', async (address, shown) => {
    const [, name] = /:(\w+)$/.exec(address) ?? []
    const first = name === undefined ? '' : (await visits.call<{ data: Made[] }>('GET', `/v1/${name}`)).data[0]?.id
    const page = await visits.open(address.replace(/:\w+$/, first ?? ''))
    await page.getByText(shown).first().waitFor()
    expect(await findingsInEveryLook(page)).toEqual([])
    await page.context().close()
  })
})
