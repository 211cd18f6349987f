import type { z } from 'zod'
import { badRequest } from '../../../http/problems/problem.ts'
import type { ReadTx } from '../../../platform/database/database.ts'
import { entityOf } from '../../../platform/fields/catalogue.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import { filteredAs, listNamed } from '../../../platform/fields/lists.ts'
import { namesOf } from '../../../platform/fields/parts.ts'
import { fieldOf } from '../../../platform/filter/entity.ts'
import type { FilterNode } from '../../../platform/filter/grammar.ts'
import { formatId, type Id, type IdKind } from '../../../platform/ids.ts'
import { heldBy, isUnmasked } from '../../../platform/readers.ts'
import type { Scope } from '../../../platform/scope.ts'
import { requireHeld } from '../../access/roles/permission-rules.ts'
import { listUsers } from '../../access/users/users.service.ts'
import { readAgents } from '../../surveys/agents/agents.service.ts'
import { contactsIn } from '../../trust/addresses/contacts-in-text.ts'
import type { ValueList, ValuesQuery } from './fields.schema.ts'
import { requireList, suggestedFields, surveyIn } from './fields.service.ts'
import { listFrequent, MOST_ROWS, ROW } from './values.store.ts'

const DAYS_MS = 90 * 86_400_000
/** Values that are looked at, because some are left out. */
const MOST_VALUES = 200

type Query = z.output<typeof ValuesQuery>

/** @throws Problem 403, 404 for an unknown survey, 400 for a field without proposals. */
export async function listValues(scope: Scope, query: Query): Promise<z.input<typeof ValueList>> {
  requireList(scope, query.entity)
  if (!isUnmasked(query.entity, heldBy(scope.principal)))
    requireHeld(scope.principal, [query.entity === 'leads' ? 'leads.manage' : 'people.manage'])
  const { field, idKind, closed } = await requireField(scope, query)
  const frequent = await scope.read(async (tx) =>
    listFrequent(tx, {
      table: entityOf(filteredAs(query.entity))?.table ?? '',
      moment: listNamed(query.entity).moment,
      since: new Date(scope.clock.now().getTime() - DAYS_MS),
      condition: await conditionOf(scope, tx, query),
      kind: field.kind,
      value: field.sql({ tx, alias: ROW, now: scope.clock.now() }),
      // The answer to a choice may also hold words, which nobody proposes.
      among: closed?.map(({ value }) => value),
      prefix: idKind ? undefined : query.prefix,
      limit: MOST_VALUES,
    }),
  )
  const labels = idKind ? await labelsOf(scope, idKind, frequent) : null
  const found = idKind ? frequent : await withoutContacts(frequent)
  const isExact = (frequent[0]?.rows ?? 0) < MOST_ROWS
  const data = found.flatMap(({ value, n }) => {
    const named = labels?.get(value)
    if (labels && !named) return []
    if (named && query.prefix && !named.label.toLowerCase().startsWith(query.prefix.toLowerCase())) return []
    return [
      { value: named?.id ?? value, label: named?.label ?? null, count: { n: isExact ? n : n - 1, exact: isExact } },
    ]
  })
  return { data: data.slice(0, query.limit), more: data.length > query.limit }
}

async function requireField(scope: Scope, { entity, field: name, survey_id }: Query) {
  const suggested = await suggestedFields(scope, { list: entity, surveyId: surveyIn(survey_id), choicesOf: name })
  const form = suggested.get(name)
  const field = form ? fieldOf(filteredAs(entity), name) : undefined
  const plain = field?.kind === 'own' ? field.holds : field
  if (!plain?.sql)
    throw badRequest([
      { path: 'field', message: `Use a field that proposes values: ${[...suggested.keys()].join(', ')}.` },
    ])
  return { field: { kind: plain.kind, sql: plain.sql }, idKind: plain.idKind, closed: form?.values }
}

/** The rows of the list, of one survey if it is said. */
function conditionOf(scope: Scope, tx: ReadTx, { entity, survey_id }: Query) {
  const all: FilterNode[] = [...(listNamed(entity).only ?? [])]
  if (survey_id !== undefined && fieldOf(filteredAs(entity), 'survey_id'))
    all.push({ field: 'survey_id', op: 'eq', value: survey_id })
  return compileFilter(filteredAs(entity), { all }, { tx, alias: ROW, now: scope.clock.now() })
}

type Frequent = Awaited<ReturnType<typeof listFrequent>>

async function withoutContacts(values: Frequent): Promise<Frequent> {
  const kept: Frequent = []
  for (const one of values) if (await isClean(one.value)) kept.push(one)
  return kept
}

async function isClean(text: string): Promise<boolean> {
  const { contacts } = await contactsIn([text])
  return contacts.length === 0
}

/** The names of the things that these ids name, by the ids as the database writes them. */
async function labelsOf(
  scope: Scope,
  kind: IdKind,
  values: Frequent,
): Promise<Map<string, { id: string; label: string }>> {
  const names = await readNames(
    scope,
    kind,
    values.map(({ value }) => value),
  )
  return new Map([...names].map(([id, label]) => [id, { id: formatId(kind, id as never), label }]))
}

async function readNames(scope: Scope, kind: IdKind, ids: string[]): Promise<Map<string, string>> {
  const read = namesOf(kind)
  if (read) return new Map(await scope.read((tx) => read(tx, ids as Id<never>[])))
  const named =
    kind === 'agent'
      ? await scope.read((tx) => readAgents(tx, ids as Id<'agent'>[]))
      : await listUsers(scope, ids as Id<'user'>[])
  return new Map([...named].map(([id, { name }]) => [id, name]))
}
