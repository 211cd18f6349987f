import type { z } from 'zod'
import { pageRequest, presentPage } from '../../../http/routes/pagination.ts'
import { conflict, notFound, unprocessable } from '../../../http/problems/problem.ts'
import { audit, auditOf } from '../../../platform/audit.ts'
import { dayOf } from '../../../platform/instant.ts'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import { countIfAsked, EVERY } from '../../../platform/fields/counting.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import { permissionsToFilter } from '../../../platform/readers.ts'
import type { Scope } from '../../../platform/scope.ts'
import { requireHeld } from '../../access/roles/permission-rules.ts'
import { lockWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { parseAddress } from '../../trust/addresses/address.ts'
import { readAddressHash } from '../../trust/addresses/addresses.service.ts'
import { forgetPersonOfResponses } from '../../answers/responses/responses.service.ts'
import { ACCEPTED } from '../../delivery/sends/acceptance.service.ts'
import { forgetPersonOfSends } from '../../delivery/sends/sends.service.ts'
import { Person, type CreatePerson, type PersonList, type PersonQuery, type UpdatePerson } from './people.schema.ts'
import { mayReadContacts, presentPeople, type PresentedPerson } from './people-view.service.ts'
import { nameWords, removePeople } from './names.service.ts'
import { upsertPeople, type Upserted } from './upsert.service.ts'
import type { Filter } from '../../../platform/filter/grammar.ts'
import { listenTo, type Listener } from '../../../platform/work/listeners.ts'
import { COMPLETED } from '../../answers/responses/completion.service.ts'
import * as store from './people.store.ts'
import { firstKeys, linesOf, type ExportSource } from '../../../platform/export-source.ts'
import { people } from './person.entity.ts'

// Other features run these statements as they are.
export { listAttributeNames } from './people.store.ts'

const audited = auditOf('person', { schema: Person })

/**
 * Creates a person, or updates the one that the external id names, else the email, else the phone.
 * @throws Problem 409 `ambiguous_person` or `erased`; 422 for an invalid address, language or time zone.
 */
export async function createPerson(
  scope: Scope,
  body: z.output<typeof CreatePerson>,
): Promise<{ created: boolean; person: PresentedPerson }> {
  return scope.tx(async (tx) => {
    const [result] = await upsertPeople(scope, tx, [body])
    const taken = requireTaken(result)
    if (taken.kind === 'updated') return { created: false, person: await presentChanged(scope, tx, taken) }
    audited(scope, tx, 'create', taken.row.id, { changes: Object.keys(body).map((path) => ({ path })) })
    return { created: true, person: await presentOne(scope, tx, taken.row, 'shown') }
  })
}

/** @throws Problem 404; otherwise as `createPerson`. */
export async function updatePerson(
  scope: Scope,
  id: Id<'person'>,
  body: z.output<typeof UpdatePerson>,
): Promise<PresentedPerson> {
  return scope.tx(async (tx) => {
    const known = await store.findPerson(tx, id)
    if (!known) throw notFound('person')
    const [result] = await upsertPeople(scope, tx, [body], known)
    return presentChanged(scope, tx, { row: requireTaken(result).row, before: known })
  })
}

/** Reading a person unmasked leaves an entry in the audit log. @throws Problem 404. */
export async function getPerson(scope: Scope, id: Id<'person'>): Promise<PresentedPerson> {
  if (!mayReadContacts(scope))
    return scope.read(async (tx) => presentOne(scope, tx, await requirePerson(tx, id), 'masked'))
  return scope.tx(async (tx) => {
    const row = await requirePerson(tx, id)
    audited(scope, tx, 'read', id)
    return presentOne(scope, tx, row, 'shown')
  })
}

/** @throws Problem 403 for a search or a filter by what is masked for the caller. */
export async function listPeople(
  scope: Scope,
  query: z.output<typeof PersonQuery>,
): Promise<z.input<typeof PersonList>> {
  if (query.search !== undefined) requireHeld(scope.principal, ['people.manage'])
  requireHeld(scope.principal, permissionsToFilter('people', query.filter))
  const page = pageRequest(query)
  const choose = async (tx: ReadTx): Promise<store.PersonChoice> => ({
    search: query.search === undefined ? undefined : await searchFor(scope, tx, query.search),
    filter: query.filter && (await compileFilter('people', query.filter, { tx, alias: 'p', now: scope.clock.now() })),
  })
  const list = async (tx: ReadTx, contacts: 'shown' | 'masked') => {
    const { rows, page: shown } = await store.listPeople(tx, await choose(tx), page)
    const people = await presentPeople(scope, tx, rows, contacts)
    const byId = new Map(people.map((person) => [person.id, person]))
    return presentPage(rows, shown, ({ id }) => byId.get(formatId('person', id)) as PresentedPerson)
  }
  const counted = await countIfAsked(scope, query, {
    table: 'people',
    alias: 'p',
    among: async (tx) => {
      const { search } = await choose(tx)
      return search && store.selectFound(tx, search)
    },
    matching: async (tx) => (await choose(tx)).filter ?? EVERY,
    all: () => EVERY,
  })
  if (!mayReadContacts(scope)) return { ...(await scope.read((tx) => list(tx, 'masked'))), ...counted }
  const found = await scope.tx(async (tx) => {
    const found = await list(tx, 'shown')
    audit(scope, tx, {
      action: 'person.list',
      target: null,
      changes: [{ path: 'people', to: found.data.length }],
    })
    return found
  })
  return { ...found, ...counted }
}

/** A query of the people in a list under this filter and search. */
export async function selectPeople(
  scope: Scope,
  tx: ReadTx,
  given: Filter,
  search: string | undefined,
): Promise<ReturnType<typeof store.selectKeys>> {
  const filter = await compileFilter('people', given, { tx, alias: 'p', now: scope.clock.now() })
  const choice = { filter, search: search === undefined ? undefined : await searchFor(scope, tx, search) }
  return store.selectKeys(tx, choice)
}

/** The values of a person that a batch may change. */
export type PersonState = Pick<store.PersonRow, 'language' | 'attributes'>

/** Keeps people from changing. Null: there is no such person. */
export async function readPersonState(tx: TenantTx, id: Id<'person'>): Promise<PersonState | null> {
  await lockWorkspace(tx)
  const row = await store.findPerson(tx, id)
  return row ? { language: row.language, attributes: row.attributes } : null
}

/** Removes the record. Messages and responses stay, and no longer lead to it. @throws Problem 404. */
export async function deletePerson(scope: Scope, id: Id<'person'>): Promise<void> {
  await scope.tx(async (tx) => {
    // Messages before the person: a provider's acceptance locks them in this order.
    await forgetPersonOfSends(tx, [id])
    if ((await removePeople(tx, [id])) === 0) throw notFound('person')
    await forgetPersonOfResponses(tx, [id])
    audited(scope, tx, 'delete', id)
  })
}

export async function requirePerson(tx: ReadTx, id: Id<'person'>): Promise<store.PersonRow> {
  const row = await store.findPerson(tx, id)
  if (!row) throw notFound('person')
  return row
}

/** The audit log names what has changed, and has no entry if nothing did. */
async function presentChanged(
  scope: Scope,
  tx: TenantTx,
  { row, before }: { row: store.PersonRow; before: store.PersonRow },
): Promise<PresentedPerson> {
  const [earlier, person] = [await presentOne(scope, tx, before, 'shown'), await presentOne(scope, tx, row, 'shown')]
  audited(scope, tx, 'update', row.id, { before: earlier, after: person })
  return person
}

async function presentOne(
  scope: Scope,
  tx: ReadTx,
  row: store.PersonRow,
  contacts: 'shown' | 'masked',
): Promise<PresentedPerson> {
  const [person] = await presentPeople(scope, tx, [row], contacts)
  return person as PresentedPerson
}

/** An address names one person. Any other text is an external id, or words of a name. */
async function searchFor(scope: Scope, tx: ReadTx, text: string): Promise<store.PersonSearch> {
  const hashOf = await readAddressHash(scope, tx)
  const [email, phone] = [parseAddress('email', text), parseAddress('sms', text)]
  return {
    externalIds: [text],
    emailHashes: email ? [hashOf('email', email)] : [],
    phoneHashes: phone ? [hashOf('sms', phone)] : [],
    wordHashes: email || phone ? [] : nameWords(text).map((word) => hashOf('name', word)),
  }
}

function requireTaken(result: Upserted | undefined): Exclude<Upserted, { kind: 'rejected' }> {
  if (!result) throw new Error('a person was not entered')
  if (result.kind !== 'rejected') return result
  const { reason, path } = result
  switch (reason) {
    case 'erased':
      throw conflict('erased', 'This person asked to be erased. Their address cannot be stored again.')
    case 'ambiguous_person':
      throw conflict(
        'ambiguous_person',
        'These identifiers belong to more than one person. Send the identifiers of one person.',
      )
    default:
      throw unprocessable(reason, [{ path, message: MESSAGES[reason] }])
  }
}

const MESSAGES = {
  no_identifier: 'Give external_id, email or phone.',
  invalid_address: 'This is not a valid address. Write phone numbers in the international form, such as +4930901820.',
  masked: 'This is how a name or an address is shown to callers without `people.manage`. Send the value itself.',
  invalid_language: 'Use a language tag such as en or pt-BR.',
  invalid_timezone: 'Use an IANA name, such as Europe/Berlin.',
  too_many_attributes: 'A person can have at most 100 attributes. Remove some by setting them to null.',
} as const

const SAMPLE = { limit: 10, before: null }

/** How many people a filter chooses, and the newest of them, masked. */
export async function previewPeople(
  scope: Scope,
  tx: ReadTx,
  filter: Filter,
): Promise<{ count: number; sample: PresentedPerson[] }> {
  const condition = await compileFilter('people', filter, { tx, alias: 'p', now: scope.clock.now() })
  const count = await store.countPeople(tx, condition)
  const { rows } = count > 0 ? await store.listPeople(tx, { filter: condition }, SAMPLE) : { rows: [] }
  return { count, sample: await presentPeople(scope, tx, rows, 'masked') }
}

/** Notes the last response of a person, in the transaction that completes or releases it. */
export const onCompleted: Listener = listenTo(COMPLETED, async (_scope, tx) => ({
  async handle({ person_id, completed_at: at, score, band }) {
    if (person_id && at) await store.stampResponded(tx, person_id, { at, score, band })
  },
}))

/** Notes the last invitation of each person, once a provider has it. Of an anonymous survey, its day. */
export const onAccepted: Listener = listenTo(ACCEPTED, async (_scope, tx) => ({
  async handle(accepted) {
    const first = accepted.filter(({ reminder }) => reminder === 0)
    for (const byDay of [false, true]) {
      const sends = first.filter((send) => send.by_day === byDay)
      const ids = sends.flatMap(({ person_id }) => person_id ?? [])
      const at = sends[0]?.accepted_at
      if (at && ids.length > 0) await store.stampInvited(tx, ids, byDay ? dayOf(at) : at)
    }
  },
}))

/** People as exports read them: masked, unless the author of the export manages people. */
export const exportedPeople: ExportSource = {
  columns: () => people.exported,
  select: async (_scope, tx, { filter, snapshotAt }) =>
    store.selectKeys(tx, {
      filter: await compileFilter('people', filter ?? { all: [] }, { tx, alias: 'p', now: snapshotAt }),
    }),
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
