import { json, type RawBuilder, type ReadTx, sql, type TenantTx } from '../../../platform/database/database.ts'
import type { ExportKey } from '../../../platform/export-source.ts'
import type { Id } from '../../../platform/ids.ts'
import { readFitting, type Fitting } from '../../../platform/fields/fitting.ts'
import { readPage, type Sorted, type PageRequest } from '../../../platform/fields/sorting.ts'
import { people, type PersonRow } from './person.entity.ts'

export type { PersonRow }

const COLUMNS = people.list('p')
/** People whose attributes are looked at for their names. */
const MOST_ATTRIBUTED = 5_000

export interface PersonKeys {
  externalIds: string[]
  emailHashes: string[]
  phoneHashes: string[]
}

export interface PersonSearch extends PersonKeys {
  /** Of the words of a name. A person has them all. */
  wordHashes: string[]
}

/** The people whom any of these keys names. One person may come more than once. */
export function listByKeys(tx: ReadTx, { externalIds, emailHashes, phoneHashes }: PersonKeys): Promise<PersonRow[]> {
  return tx.many(sql<PersonRow>`
    select ${COLUMNS} from people p where p.tenant_id = ${tx.tenantId} and p.external_id = any(${externalIds}::text[])
    union all
    select ${COLUMNS} from people p where p.tenant_id = ${tx.tenantId} and p.email_hash = any(${emailHashes}::text[])
    union all
    select ${COLUMNS} from people p where p.tenant_id = ${tx.tenantId} and p.phone_hash = any(${phoneHashes}::text[])`)
}

export function listByIds(tx: ReadTx, ids: string[]): Promise<PersonRow[]> {
  return tx.many(
    sql<PersonRow>`select ${COLUMNS} from people p where p.tenant_id = ${tx.tenantId} and p.id = any(${ids}::uuid[]) order by p.id`,
  )
}

/** The bytes of these people, as `id`, `member` and `bytes`. */
export function sizesOf(tx: ReadTx, keys: ExportKey[]): RawBuilder<unknown> {
  return sql`
    select id, null::text as member, octet_length(attributes::text) as bytes from people
    where tenant_id = ${tx.tenantId} and id = any(${keys.map(({ id }) => id)}::uuid[])`
}

export function selectKeys(tx: ReadTx, choice: PersonChoice): RawBuilder<ExportKey> {
  return sql<ExportKey>`select p.id, null::text as member ${fromChosen(tx, choice)}`
}

export function findPerson(tx: ReadTx, id: Id<'person'>): Promise<PersonRow | undefined> {
  return tx.maybe(sql<PersonRow>`select ${COLUMNS} from people p where p.tenant_id = ${tx.tenantId} and p.id = ${id}`)
}

export async function findByExternalId(tx: ReadTx, externalId: string): Promise<Id<'person'> | undefined> {
  const row = await tx.maybe(sql<{ id: Id<'person'> }>`
    select id from people where tenant_id = ${tx.tenantId} and external_id = ${externalId}`)
  return row?.id
}

/** Gives up the keys of people that are about to get others, so that another row may take them. */
export function clearKeys(tx: TenantTx, ids: Id<'person'>[]): Promise<number> {
  return tx.run(sql`
    update people set external_id = null, email_hash = null, phone_hash = null
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}

// Other statements write when a person was invited and how they answered.
const SAVED = people.names.filter((name) => !name.startsWith('last_'))
/** Inserts people, or writes what members of the workspace may change. */
export function savePeople(tx: TenantTx, rows: PersonRow[]): Promise<number> {
  return tx.run(sql`
    insert into people as known (tenant_id, ${people.list(undefined, SAVED)})
    select ${tx.tenantId}::uuid, given.* from unnest(${people.arrays(rows, SAVED)}) as given
    on conflict (tenant_id, id) do update set ${people.replacing(SAVED)}
    returning known.id`)
}

export interface PersonChoice {
  /** A condition on the rows of `p`. */
  filter?: RawBuilder<unknown> | undefined
  search?: PersonSearch | undefined
}

/** In the order of the page, as many as fit. */
export async function listPeople(
  tx: ReadTx,
  choice: PersonChoice,
  page: PageRequest,
): Promise<Fitting<PersonRow & Sorted>> {
  const found = await readPage(page, people.sorts, 'p', 'all', ({ value, where, order, limit }) =>
    tx.many(sql<Sorted & { id: Id<'person'> }>`
      select p.id, ${value} ${fromChosen(tx, choice)} and ${where} order by ${order} limit ${limit}`),
  )
  return readFitting(tx, { table: 'people', columns: people.list() }, found, page)
}

/** `from … where …`, on the alias `p`. */
function fromChosen(tx: ReadTx, { filter, search }: PersonChoice): RawBuilder<unknown> {
  const rows = search ? selectFound(tx, search) : sql`people`
  return sql`from ${rows} p where p.tenant_id = ${tx.tenantId} and ${filter ?? sql`true`}`
}

/**
 * Selects the people that a search finds. Their ids are looked up first and each person by its id, because a join
 * compares each with all in a workspace that the statistics do not know.
 */
export function selectFound(
  tx: ReadTx,
  { externalIds, emailHashes, phoneHashes, wordHashes }: PersonSearch,
): RawBuilder<unknown> {
  const keyed = (column: 'external_id' | 'email_hash' | 'phone_hash', keys: string[]) => sql`
    select k.id from people k where k.tenant_id = ${tx.tenantId} and k.${sql.raw(column)} = any(${keys}::text[])`
  const named = sql`
    select n.person_id from people_names n
    where n.tenant_id = ${tx.tenantId} and n.word_hash = any(${wordHashes}::text[])
    group by n.person_id having count(*) = ${wordHashes.length}`
  const all = [
    ...(externalIds.length > 0 ? [keyed('external_id', externalIds)] : []),
    ...(emailHashes.length > 0 ? [keyed('email_hash', emailHashes)] : []),
    ...(phoneHashes.length > 0 ? [keyed('phone_hash', phoneHashes)] : []),
    ...(wordHashes.length > 0 ? [named] : []),
  ]
  if (all.length === 0) return sql`(select * from people where false)`
  return sql`(
    select p.* from (${sql.join(all, sql` union `)}) as found
    cross join lateral (select * from people where tenant_id = ${tx.tenantId} and id = found.id offset 0) as p)`
}

/** The names of the attributes of the newest people. */
export async function listAttributeNames(tx: ReadTx, limit: number): Promise<string[]> {
  const rows = await tx.many(sql<{ name: string }>`
    select distinct k.name
    from (select attributes from people where tenant_id = ${tx.tenantId} order by id desc limit ${MOST_ATTRIBUTED}) p
      cross join lateral jsonb_object_keys(p.attributes) as k (name)
    order by k.name limit ${limit}`)
  return rows.map(({ name }) => name)
}

export async function countPeople(tx: ReadTx, filter: RawBuilder<unknown>): Promise<number> {
  const row = await tx.one(
    sql<{ n: number }>`select count(*)::int as n from people p where p.tenant_id = ${tx.tenantId} and ${filter}`,
  )
  return row.n
}

// Cheap, so that few records are read closely.
const MAY_HOLD_CONTACT = '@|＠|﹫|%40|&#|&commat|[[({<＜（［] *a|[[:digit:]]([^[:alpha:][:digit:]]{0,9}[[:digit:]]){5}'

type Named = Pick<PersonRow, 'id' | 'external_id' | 'attributes'>

/** Records in id order whose own words may hold an address or a number. */
export function listWithContacts(tx: ReadTx, after: string | null, limit: number): Promise<Named[]> {
  return tx.many(sql<Named>`
    select id, external_id, attributes from people
    where tenant_id = ${tx.tenantId} and ${after ? sql`id > ${after}` : sql`true`}
      and (external_id ~* ${MAY_HOLD_CONTACT} or attributes <> '{}' and attributes::text ~* ${MAY_HOLD_CONTACT})
    order by id limit ${limit}`)
}

export function lockAttributes(tx: TenantTx, ids: string[]): Promise<Named[]> {
  return tx.many(sql<Named>`
    select id, external_id, attributes from people
    where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) order by id for update`)
}

export function saveAttributes(
  tx: TenantTx,
  id: string,
  attributes: PersonRow['attributes'],
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update people set attributes = ${json(attributes)}, updated_at = ${now}
    where tenant_id = ${tx.tenantId} and id = ${id}`)
}

export function deletePeople(tx: TenantTx, ids: string[]): Promise<number> {
  return tx.run(sql`delete from people where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[])`)
}

export interface NameWord {
  word_hash: string
  person_id: Id<'person'>
}

export function insertNameWords(tx: TenantTx, rows: NameWord[]): Promise<number> {
  return tx.run(sql`
    insert into people_names as known (tenant_id, word_hash, person_id)
    select ${tx.tenantId}::uuid, given.*
    from unnest(${rows.map((row) => row.word_hash)}::text[], ${rows.map((row) => row.person_id)}::uuid[]) as given
    returning known.word_hash`)
}

// The index for it is partial.
const ANY_PERSON = sql.raw(`person_id >= '00000000-0000-0000-0000-000000000000'`)

export function deleteNameWords(tx: TenantTx, ids: string[]): Promise<number> {
  return tx.run(sql`
    delete from people_names where tenant_id = ${tx.tenantId} and person_id = any(${ids}::uuid[]) and ${ANY_PERSON}`)
}

/** In the order of their ids, so that two batches of messages to the same people wait for each other. */
export function stampInvited(tx: TenantTx, ids: Id<'person'>[], at: Date): Promise<number> {
  return tx.run(sql`
    with invited as materialized (
      select id from people where tenant_id = ${tx.tenantId} and id = any(${ids}::uuid[]) order by id for no key update)
    update people set last_invited_at = greatest(last_invited_at, ${at})
    where tenant_id = ${tx.tenantId} and id = any(array(select id from invited))`)
}

export interface LastResponse {
  at: Date
  score: number | null
  band: string | null
}

/** Keeps the later response. */
export function stampResponded(tx: TenantTx, id: Id<'person'>, { at, score, band }: LastResponse): Promise<number> {
  return tx.run(sql`
    update people set last_responded_at = ${at}, last_score = ${score}, last_band = ${band}
    where tenant_id = ${tx.tenantId} and id = ${id} and (last_responded_at is null or last_responded_at <= ${at})`)
}
