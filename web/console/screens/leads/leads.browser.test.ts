import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { batchesSweep } from '../../../../src/features/programme/batches/batches.feature.ts'
import { createMember, runSweep } from '../../../../src/testing/fixtures.ts'
import { fitsItsWindow } from '../../../testing/browser.ts'
import { axeFindings, startConsole } from '../../../testing/console-visits.ts'
import { NARROW, WIDE } from '../../../testing/whole-console.ts'

let visits: Awaited<ReturnType<typeof startConsole>>
let id: string
beforeAll(async () => {
  visits = await startConsole()
  const lead = { name: 'Olivia Hughes', email: 'olivia@example.com', company: 'Harbour Mill', tags: ['fair'] }
  id = (await visits.call<{ id: string }>('POST', '/v1/leads', lead)).id
  await visits.call('POST', '/v1/leads', { name: 'Bruno', email: 'bruno@example.com', status: 'lost' })
})
beforeEach(() => void (visits.complaints.length = 0))
afterAll(() => visits.close())

describe('leads in the console', () => {
  test('are added, filtered, called, noted and deleted', async () => {
    const page = await visits.open('/app/leads')
    await page.getByText('1 of 2 waits for a first call.').waitFor()
    await page.getByRole('button', { name: 'Add a lead' }).click()
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('Email').fill('not an address')
    await page.getByRole('dialog').getByRole('button', { name: 'Add a lead' }).click()
    await page.getByRole('dialog').getByText(/email/i).nth(1).waitFor()
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByRole('dialog').getByRole('button', { name: 'Add a lead' }).click()
    await page.getByText('The lead is added.').waitFor()
    await page.getByLabel('Status').selectOption({ label: 'Contacted' })
    await page.getByText('Changed.').waitFor()
    await page.getByLabel('Follow-up').fill('2030-05-04')
    await page.getByLabel('Write a note').fill('Wants forty seats.')
    await page.getByRole('button', { name: 'Add the note' }).click()
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByLabel('Change', { exact: true }).fill('Wants sixty seats.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Wants sixty seats.').waitFor()
    const [lead] = (await visits.call<{ data: object[] }>('GET', '/v1/leads?limit=1')).data
    expect(lead).toMatchObject({
      name: 'Ada',
      status: 'contacted',
      follow_up_at: '2030-05-04T09:00:00.000Z',
      notes: [{ text: 'Wants sixty seats.', author: visits.workspace.userId }],
    })
    await page.locator('aside').getByRole('button', { name: 'Delete', exact: true }).last().click()
    await page.getByRole('dialog').getByRole('textbox').fill('Ada')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The lead is deleted.').waitFor()
    await expect.poll(() => page.locator('tbody tr[data-id]').count()).toBe(2)
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByLabel('Field').selectOption({ label: 'Status' })
    await page.getByLabel('Lost').check()
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect.poll(() => page.locator('tbody tr[data-id]').count()).toBe(1)
    expect(visits.complaints).toEqual([])
    await page.context().close()
  })

  test('several are moved and taken back, given to somebody, and deleted by typing', async () => {
    const call = visits.call
    const read = async () =>
      (await call<{ data: Array<{ status: string; owner_id: string | null }> }>('GET', '/v1/leads')).data
    const work = () => expect.poll(() => runSweep(visits.server, batchesSweep)).toBeGreaterThan(0)
    const before = (await read()).map(({ status }) => status)
    const page = await visits.open('/app/leads')
    await page.getByRole('checkbox', { name: 'Select all that match' }).check()
    const bar = page.getByRole('group', { name: 'Selection' })
    await bar.getByText('2 selected').waitFor()
    await bar.getByRole('button', { name: 'Move to' }).click()
    await page.getByRole('menuitem', { name: 'Qualified' }).click()
    await work()
    await page.getByText('2 changed.').waitFor()
    expect((await read()).map(({ status }) => status)).toEqual(['qualified', 'qualified'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await work()
    await page.getByText('Taken back.').waitFor()
    expect((await read()).map(({ status }) => status)).toEqual(before)
    await page.getByRole('checkbox', { name: 'Select row 1' }).check()
    await bar.getByRole('button', { name: 'Give to' }).click()
    await page.getByRole('menuitem').first().click()
    await page.getByText('1 changed.').waitFor()
    expect((await read()).filter(({ owner_id }) => owner_id !== null)).toHaveLength(1)
    await call('POST', '/v1/leads', { name: 'Eve', email: 'eve@example.com' })
    await page.reload()
    await page.getByRole('checkbox', { name: 'Select row 1' }).check()
    await bar.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('1 lead')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('1 lead deleted.').waitFor()
    expect(await read()).toHaveLength(2)
    // Another row came while the person chose: the new number is asked for.
    await page.getByRole('checkbox', { name: 'Select all that match' }).check()
    await bar.getByText('2 selected').waitFor()
    await page.context().setOffline(true)
    await call('POST', '/v1/leads', { name: 'Zoe', email: 'zoe@example.com' })
    await bar.getByRole('button', { name: 'Move to' }).click()
    await page.context().setOffline(false)
    await page.getByRole('menuitem', { name: 'Converted' }).click()
    await page.getByText('3 rows match now. Nothing was done yet.').waitFor()
    await page.getByRole('button', { name: 'Do it for these' }).click()
    await work()
    await page.getByText('3 changed.').waitFor()
    expect((await read()).map(({ status }) => status)).toEqual(['converted', 'converted', 'converted'])
    expect(await axeFindings(page)).toEqual([])
    await page.context().close()
  })

  test('a viewer reads masked names and acts on none', async () => {
    const viewer = await createMember(visits.server, visits.workspace.token, 'viewer')
    const page = await visits.open(`/app/leads/${id}`, { token: viewer.token })
    await page.getByText('Names and addresses are masked').waitFor()
    await expect.poll(() => page.locator('main').innerText()).not.toContain('Olivia Hughes')
    for (const name of ['Add a lead', 'Delete', 'Add the note'])
      expect(await page.getByRole('button', { name }).count(), name).toBe(0)
    await page.context().close()
  })

  test.each([
    ['light', NARROW],
    ['dark', WIDE],
  ] as const)('the screens have nothing that axe finds, in the %s', async (colorScheme, viewport) => {
    const page = await visits.open('/app/leads', { colorScheme, viewport })
    for (const path of ['/app/leads', `/app/leads/${id}`]) {
      await page.goto(`${visits.base}${path}`)
      await page.getByText('Harbour Mill').locator('visible=true').first().waitFor()
      expect(await axeFindings(page), path).toEqual([])
      expect(await fitsItsWindow(page), path).toBe(true)
    }
    await page.context().close()
  })

  test('more than 500 at once are asked about first', async () => {
    await visits.server.peek(
      `insert into leads select copy.* from leads l, generate_series(1, 500) as n,
         jsonb_populate_record(l, jsonb_build_object('id', gen_random_uuid(), 'email_hash', 'copy ' || n, 'contact', null)) as copy
       where l.id = (select min(id::text)::uuid from leads)`,
    )
    const lost = async () =>
      (await visits.server.peek<{ n: number }>(`select count(*)::int as n from leads where status = 'lost'`))[0]?.n
    const before = await lost()
    const page = await visits.open('/app/leads')
    const bar = page.getByRole('group', { name: 'Selection' })
    await page.getByRole('checkbox', { name: 'Select all that match' }).check()
    await bar.getByText('503 selected').waitFor()
    await bar.getByRole('button', { name: 'Move to' }).click()
    await page.getByRole('menuitem', { name: 'Lost' }).click()
    await page.getByRole('dialog').getByText('Do it for 503 rows?').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect(await lost()).toBe(before)
    await bar.getByRole('button', { name: 'Move to' }).click()
    await page.getByRole('menuitem', { name: 'Lost' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Do it for these' }).click()
    await expect.poll(() => runSweep(visits.server, batchesSweep)).toBeGreaterThan(0)
    await page.getByText('503 changed.').waitFor()
    expect(await lost()).toBe(503)
    await page.context().close()
  })
})
