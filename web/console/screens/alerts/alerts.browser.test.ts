import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { batchesSweep } from '../../../../src/features/programme/batches/batches.feature.ts'
import { newTextsSweep } from '../../../../src/features/answers/verbatim/verbatim.feature.ts'
import { createMember, runSweep } from '../../../../src/testing/fixtures.ts'
import { submit } from '../../../../src/testing/makers.ts'
import { publishSurvey } from '../../../../src/testing/survey-fixtures.ts'
import { fitsItsWindow } from '../../../testing/browser.ts'
import { axeFindings, startConsole } from '../../../testing/console-visits.ts'
import { NARROW, onScreen, WIDE } from '../../../testing/whole-console.ts'

const SAID = [
  'Second time that the box was crushed',
  'Paket hängt im Depot',
  '{{constructor}} <b>late</b>',
  'الطرد لم يصل',
]

interface Alert {
  id: string
  status: string
  excerpt: string
  owner_id: string | null
}

let visits: Awaited<ReturnType<typeof startConsole>>
let other: Awaited<ReturnType<typeof createMember>>
beforeAll(async () => {
  visits = await startConsole()
  other = await createMember(visits.server, visits.workspace.token, 'admin')
  const surveyId = await publishSurvey(visits.server, visits.workspace.token, {
    name: 'After your purchase',
    metric: 'nps',
    questions: [
      { id: 'q1', type: 'nps', title: 'Recommend us?', required: true },
      { id: 'q2', type: 'open_text', title: 'Why?' },
    ],
  })
  await visits.call('POST', '/v1/alert-rules', {
    name: 'Unhappy customer',
    trigger: { on: 'response', filter: { all: [{ field: 'score', op: 'lte', value: 6 }] } },
    due_in_minutes: 60,
  })
  for (const [at, text] of SAID.entries()) await submit(visits.server, surveyId, { answers: { q1: at, q2: text } })
  const [first] = (await alerts()).filter(({ excerpt }) => excerpt === SAID[0])
  await visits.call('PATCH', `/v1/alerts/${first?.id}`, { due_at: '2020-01-01T00:00:00Z' })
})
beforeEach(() => void (visits.complaints.length = 0))
afterAll(() => visits.close())

const alerts = async () => (await visits.call<{ data: Alert[] }>('GET', '/v1/alerts')).data
const alertOf = async (text: string) => (await alerts()).find(({ excerpt }) => excerpt === text) as Alert
const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const card = (page: Page, text: string) => page.locator('.card').filter({ hasText: text })

describe('alerts in the console', () => {
  test('are dragged, taken by a key, and resolved with words', async () => {
    const [first = '', second = '', third = ''] = SAID
    const page = await visits.open('/app/alerts')
    await page.getByText('Open alerts: 4. 1 is overdue.').waitFor()
    await card(page, second).dragTo(column(page, 'In progress'))
    await column(page, 'In progress').getByText(second).waitFor()
    // A step back is no target.
    await card(page, second).dragTo(column(page, 'Acknowledged'))
    expect((await alertOf(second)).status).toBe('in_progress')
    await card(page, third).getByRole('link').focus()
    await page.keyboard.press('a')
    await column(page, 'Acknowledged').getByText(third).waitFor()
    expect((await alertOf(third)).owner_id).toBe(visits.workspace.userId)
    await card(page, first).getByRole('link').click()
    await page.locator('blockquote').getByText(first).waitFor()
    await page.getByLabel('Write a comment').fill('Called her.')
    await page.getByRole('button', { name: 'Comment' }).click()
    await page.locator('.timeline').getByText('Called her.').waitFor()
    await page.getByRole('button', { name: 'Resolve…' }).click()
    await page.getByLabel('Resolution').fill('A new box is on its way.')
    await page.getByRole('button', { name: 'Resolve', exact: true }).click()
    await column(page, 'Resolved').getByText(first).waitFor()
    await page.locator('.facts').getByText('A new box is on its way.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await column(page, 'New').getByText(first).waitFor()
    expect((await alertOf(first)).status).toBe('reopened')
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await expect.poll(() => page.locator('tbody tr[data-id]').count()).toBe(4)
    expect(page.url()).toContain('as=list')
    await page.getByText(/^Alerts in this list: 4\. Open: 4\. Overdue: \d\.$/).waitFor()
    // The A that follows a G takes nothing.
    const changes: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') changes.push(request.url())
    })
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await expect.poll(() => page.url()).not.toContain('as=list')
    await column(page, 'New').getByText(first).waitFor()
    expect(changes).toEqual([])
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('a race is won once, and the other one reads who was first', async () => {
    const text = SAID[3] ?? ''
    const { id } = await alertOf(text)
    const [mine, theirs] = await Promise.all([
      visits.open(`/app/alerts/${id}`),
      visits.open(`/app/alerts/${id}`, { token: other.token }),
    ])
    for (const page of [mine, theirs]) {
      // Without a stream, neither page is refreshed before the act.
      await page.route('**/v1/stream*', (route) => route.abort())
      await page.reload()
      await page.getByRole('button', { name: 'Take it' }).waitFor()
    }
    await mine.keyboard.press('a')
    await mine.getByText('It is yours.').waitFor()
    await theirs.getByRole('button', { name: 'Take it' }).click()
    await theirs.getByText(/was first/).waitFor()
    expect((await alertOf(text)).owner_id).toBe(visits.workspace.userId)
    await Promise.all([mine.context().close(), theirs.context().close()])
  })

  test('a rule shows what it would have opened, is kept, paused and resumed', async () => {
    const page = await visits.open('/app/alerts/rules/new')
    await page.getByText('It would have opened 4 alerts in 30 days.').waitFor()
    await page.getByRole('button', { name: /^Metric/ }).waitFor()
    // The mail to the owner goes to nobody, and a score without its metric may be a good one.
    await page.getByText('The rule has no owner, so this mails nobody.').waitFor()
    const owner = page.locator('label.field').filter({ hasText: 'Owner' }).locator('select')
    await owner.selectOption({ label: 'Ada Lovelace' })
    await page.getByText('The rule has no owner').waitFor({ state: 'detached' })
    await owner.selectOption({ label: 'Nobody' })
    await page.getByRole('button', { name: /^Take out Metric/ }).click()
    await page.getByText('The score is of any metric here').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByLabel('Name').and(page.locator('[aria-invalid=true]')).fill('Very unhappy')
    await page.getByRole('button', { name: /Score/ }).first().click()
    await page.getByLabel('Value').fill('1')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('It would have opened 2 alerts in 30 days.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await onScreen(page, 'Rules')
    const row = page.getByRole('row').filter({ hasText: 'Very unhappy' })
    await row.getByRole('button', { name: 'Pause' }).click()
    await row.getByText('Paused').waitFor()
    await page.getByText('2 rules, 1 running.').waitFor()
    await row.getByRole('link').click()
    await page.getByRole('button', { name: 'A falling score' }).click()
    await page.getByText('It would open 0 alerts now.').waitFor()
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('an alert names its customer on the board, in the list and beside its story, and a viewer sees no more', async () => {
    const { server, workspace } = visits
    const { id } = await visits.call<{ id: string }>('POST', '/v1/people', {
      name: 'Grace Hopper',
      email: 'grace@example.com',
    })
    const [alert] = (await visits.call<{ data: Array<{ id: string; response_id: string }> }>('GET', '/v1/alerts')).data
    await server.peek(
      `update responses r set person_id = p.id from people p, alerts a
       where r.tenant_id = p.tenant_id and a.tenant_id = r.tenant_id and a.response_id = r.id
         and a.opened_at = (select max(opened_at) from alerts)`,
    )
    const named = (await visits.call<{ data: Array<{ id: string; person_id: string | null }> }>('GET', '/v1/alerts'))
      .data
    const own = named.find(({ person_id }) => person_id === id)?.id ?? alert?.id
    const viewer = await createMember(server, workspace.token, 'viewer')
    for (const [token, shown] of [
      [workspace.token, 'Grace Hopper'],
      [viewer.token, 'G***'],
    ] as const) {
      const page = await visits.open('/app/alerts', { token })
      await page.locator('.card').getByText(shown, { exact: true }).first().waitFor()
      await page.goto(`${visits.base}/app/alerts?as=list`)
      await page.getByRole('row').getByText(shown, { exact: true }).first().waitFor()
      await page.goto(`${visits.base}/app/alerts/${own}`)
      await page.getByRole('link', { name: shown }).click()
      await page.waitForURL(`**/app/people/${id}`)
      expect(shown === 'G***' && (await page.locator('main').innerText()).includes('Grace')).toBe(false)
      await page.context().close()
    }
  })

  test('several of the list get an owner and a priority at once, and all is taken back', async () => {
    const page = await visits.open('/app/alerts?as=list')
    const before = await alerts()
    const work = () => expect.poll(() => runSweep(visits.server, batchesSweep)).toBeGreaterThan(0)
    const bar = page.getByRole('group', { name: 'Selection' })
    const act = async (verb: string, choice: string) => {
      await page.getByRole('checkbox', { name: 'Select all that match' }).check()
      await bar.getByRole('button', { name: verb }).click()
      await page.getByRole('menuitem', { name: choice }).click()
      await work()
    }
    // It waits for as long as the focus is on it.
    const undo = page.getByRole('button', { name: 'Undo' })
    await page.clock.install()
    await act('Give to', 'Nobody')
    await undo.focus()
    await page.clock.fastForward(10_000)
    await act('Priority', 'Urgent')
    await page.getByText('4 changed.').waitFor()
    const rows = await visits.call<{ data: Array<{ priority: string; owner_id: string | null }> }>('GET', '/v1/alerts')
    expect(rows.data.every(({ priority, owner_id }) => priority === 'urgent' && owner_id === null)).toBe(true)
    for (const taken of [1, 2]) {
      await undo.last().click()
      await work()
      await page
        .getByText('Taken back.')
        .nth(taken - 1)
        .waitFor()
    }
    expect(await axeFindings(page)).toEqual([])
    await expect
      .poll(async () => (await alerts()).map(({ owner_id }) => owner_id))
      .toEqual(before.map(({ owner_id }) => owner_id))
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('a viewer reads them and acts on none', async () => {
    const viewer = await createMember(visits.server, visits.workspace.token, 'viewer')
    const { id } = await alertOf(SAID[1] ?? '')
    const page = await visits.open(`/app/alerts/${id}`, { token: viewer.token })
    await page.locator('blockquote').waitFor()
    for (const name of ['Take it', 'Move to', 'Comment', 'Resolve…'])
      expect(await page.getByRole('button', { name }).count(), name).toBe(0)
    await page.context().close()
  })

  test('the words of an alert carry the language that they are written in', async () => {
    await runSweep(visits.server, newTextsSweep)
    const { id } = await alertOf(SAID[3] ?? '')
    const page = await visits.open(`/app/alerts/${id}`)
    await page.locator('blockquote[lang=ar][dir=auto]', { hasText: SAID[3] }).waitFor()
    await page.context().close()
  })

  test.each([
    ['light', NARROW],
    ['dark', WIDE],
  ] as const)('the screens have nothing that axe finds, in the %s', async (colorScheme, viewport) => {
    const { id } = await alertOf(SAID[1] ?? '')
    const page = await visits.open('/app/alerts', { colorScheme, viewport })
    for (const [path, shown] of [
      ['/app/alerts', '.card'],
      ['/app/alerts?as=list', 'tr[data-id]'],
      [`/app/alerts/${id}`, 'blockquote'],
      ['/app/alerts/rules', 'table .strong'],
      ['/app/alerts/rules/new', '.sample li'],
    ] as const) {
      await page.goto(`${visits.base}${path}`)
      await page.locator(shown).locator('visible=true').first().waitFor()
      expect(await axeFindings(page), path).toEqual([])
      expect(await fitsItsWindow(page), path).toBe(true)
    }
    await page.context().close()
  })
})
