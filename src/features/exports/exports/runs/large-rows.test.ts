import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseId, type Id } from '../../../../platform/ids.ts'
import { inWorkspace } from '../../../../testing/send-fixture.ts'
import { openContact, sealContact } from '../../../programme/leads/contact.ts'
import type { LeadRow } from '../../../programme/leads/lead.entity.ts'
import { lockLead, updateLead } from '../../../programme/leads/leads.store.ts'
import { openExports, readAll, type ExportHouse } from './export.fixture.ts'

let house: ExportHouse
beforeAll(async () => {
  house = await openExports()
})
afterAll(() => house.close())

test('people of many long attributes and leads of long notes are read a few at a time', async () => {
  const attributes = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`a${n}`, 'x'.repeat(1_000)]))
  const people = Array.from({ length: 25 }, (_, n) => ({ external_id: `p${n}`, attributes }))
  for (const person of people) expect((await house.call('POST', '/v1/people', person)).status).toBe(201)
  const read = await readAll(house, 'people', ['external_id', 'attributes'])
  expect(read.lines).toHaveLength(25)
  expect(read.lines).toContainEqual(['p7', attributes])
  expect(read.pages.length).toBeGreaterThan(2)

  const note = {
    id: '',
    text: '\u6f22'.repeat(5_000),
    author: null,
    created_at: '2026-03-02T10:00:00.000Z',
    edited_at: null,
  }
  for (let n = 0; n < 3; n++) {
    const made = await house.call('POST', '/v1/leads', { name: `Lead ${n}`, email: `l${n}@example.com` })
    const id = parseId('lead', made.body.id) as Id<'lead'>
    await inWorkspace(house.server, house.workspace, (scope) =>
      scope.tx(async (tx) => {
        const row = (await lockLead(tx, id)) as LeadRow
        const contact = {
          ...openContact(scope.secrets, id, row.contact),
          notes: Array.from({ length: 40 }, () => note),
        }
        await updateLead(tx, { ...row, contact: sealContact(scope.secrets, id, contact) })
      }),
    )
  }
  const leads = await readAll(house, 'leads', ['name'])
  expect(leads.lines).toEqual([['Lead 0'], ['Lead 1'], ['Lead 2']])
  expect(leads.pages).toEqual([2, 1])
})
