import { firstKeys, linesOf, type ExportSource } from '../../../platform/export-source.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import { presentPeople } from './people-view.service.ts'
import * as store from './people.store.ts'
import { people } from './person.entity.ts'

/** People as exports read them: masked, unless the author of the export manages people. */
export const exportedPeople: ExportSource = {
  columns: () => people.exported,
  select: async (_scope, tx, { filter, snapshotAt }) =>
    store.selectKeys(tx, await compileFilter('people', filter ?? { all: [] }, { tx, alias: 'p', now: snapshotAt })),
  async read(scope, tx, keys, { shows }, fields) {
    const first = await firstKeys(tx, keys, store.sizesOf(tx, keys))
    const rows = await store.listByIds(
      tx,
      first.map(({ id }) => id),
    )
    const shown = await presentPeople(scope, tx, rows, shows.includes('people.manage') ? 'shown' : 'masked')
    const presented = shown.map((person, index) => ({
      ...person,
      last_band: rows[index]?.last_band ?? null,
      invited: person.last_invited_at !== null,
      responded: person.last_responded_at !== null,
      ...attributesOf(person.attributes),
    }))
    return { rows: linesOf(presented, fields), done: first.length }
  },
}

function attributesOf(attributes: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`attribute.${name}`, value]))
}
