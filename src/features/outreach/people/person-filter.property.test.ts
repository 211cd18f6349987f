import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileFilter } from '../../../platform/filter/compile.ts'
import { fieldNames, fieldOf, operatorsOf } from '../../../platform/filter/entity.ts'
import { matches } from '../../../platform/filter/evaluate.ts'
import type { Filter, FilterNode, FilterTest } from '../../../platform/filter/grammar.ts'
import { formatId, newId, parseId, type Id } from '../../../platform/ids.ts'
import { createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import type { KnownPerson } from './person.entity.ts'
import * as store from './people.store.ts'
import { propertyRuns } from '../../../testing/property-runs.ts'

const NOW = new Date('2026-06-15T12:00:00Z')
const DAY_MS = 86_400_000
const SQL = "x' or 1=1; drop table people; --"
const SURVEYS = [newId('survey'), newId('survey')]
const MOMENTS = [-400, -30, -3, -1, 0].map((days) => new Date(NOW.getTime() + days * DAY_MS))
const VALUES = ['pro', 'Pro plan', 3, 20, -1.5, true, '2026-06-14', '2026-06-15T12:00:00Z', SQL]
const WORDS = ['en', 'DE', 'crm-1', 'CRM-2', '', SQL]

let server: TestServer
let tenantId: Id<'workspace'>
beforeAll(async () => {
  server = await startTestServer()
  tenantId = parseId('workspace', (await createWorkspace(server)).workspaceId) as Id<'workspace'>
})
afterAll(() => server.close())

const maybe = <T>(values: T[]) => fc.option(fc.constantFrom(...values), { nil: null })
const occasions = fc.array(fc.record({ at: fc.constantFrom(...MOMENTS), survey_id: fc.constantFrom(...SURVEYS) }), {
  maxLength: 2,
})

const person: fc.Arbitrary<KnownPerson> = fc
  .record({
    has: fc.record({ id: fc.boolean(), email: fc.boolean(), phone: fc.boolean() }),
    prefix: fc.constantFrom('crm', 'CRM', SQL),
    language: maybe(['en', 'DE', SQL]),
    timezone: maybe(['Europe/Berlin', 'UTC']),
    plan: fc.option(fc.constantFrom(...VALUES), { nil: undefined }),
    created_at: fc.constantFrom(...MOMENTS),
    last_invited_at: maybe(MOMENTS),
    last_responded_at: maybe(MOMENTS),
    last_score: maybe([0, 5, 9, 10]),
    last_band: maybe(['promoter', 'detractor']),
    suppressedOn: fc.subarray(['email', 'sms', 'voice'] as const),
    invitations: occasions,
    responses: occasions,
  })
  .map(({ has, prefix, plan, suppressedOn, ...rest }) => {
    const id = newId('person')
    return {
      ...rest,
      id,
      external_id: has.id ? `${prefix}-${id}` : null,
      email_hash: has.email ? `e${id}` : null,
      phone_hash: has.phone ? `p${id}` : null,
      sealed: null,
      attributes: (plan === undefined ? {} : { plan }) as KnownPerson['attributes'],
      updated_at: NOW,
      suppressed: suppressedOn.filter((channel) => (channel === 'email' ? has.email : has.phone)),
    }
  })

const TESTED = [
  'external_id',
  'language',
  'timezone',
  'email',
  'phone',
  'created_at',
  'last_invited_at',
  'last_responded_at',
  'last_score',
  'last_band',
  'attribute.plan',
  'attribute.none',
  'suppressed',
  'invited',
  'responded',
]

const aTest: fc.Arbitrary<FilterTest> = fc.constantFrom(...TESTED).chain((field) => {
  const found = fieldOf('people', field)
  if (!found) throw new Error(field)
  return fc.constantFrom(...operatorsOf(found)).chain((op): fc.Arbitrary<FilterTest> => {
    if (op === 'is_set' || op === 'is_not_set') return fc.constant({ field, op })
    return valueFor(field, op).map((value) => ({ field, op, value }))
  })
})

function valueFor(field: string, op: string): fc.Arbitrary<never> {
  return anyValueFor(field, op) as fc.Arbitrary<never>
}

function anyValueFor(field: string, op: string): fc.Arbitrary<unknown> {
  if (field === 'invited' || field === 'responded')
    return fc.oneof(
      fc.record({ days: fc.constantFrom(1, 2, 31, 500) }),
      fc.record({
        days: fc.constantFrom(1, 31),
        survey_id: fc.constantFrom(...SURVEYS.map((id) => formatId('survey', id)), SQL),
      }),
    )
  if (op === 'within_days') return fc.constantFrom(1, 2, 31)
  const isArray = op === 'one_of' || op === 'not_one_of'
  const value = oneValueFor(field, isArray)
  if (isArray) return fc.array(value, { minLength: 1, maxLength: 3 })
  const ordered = field.includes('.') ? fc.constantFrom(3, 20, '2026-06-14', '2026-06-15T12:00:00Z') : value
  if (op === 'between') return fc.tuple(ordered, ordered).filter(([a, b]) => typeof a === typeof b)
  return ['gt', 'gte', 'lt', 'lte'].includes(op) ? ordered : value
}

function oneValueFor(field: string, isArray: boolean): fc.Arbitrary<unknown> {
  if (field === 'suppressed') {
    const channel = fc.constantFrom<unknown>('email', 'sms', 'voice')
    return isArray ? channel : fc.oneof(channel, fc.boolean())
  }
  if (field === 'last_score') return fc.constantFrom(0, 5, 8.5, 9)
  if (field.endsWith('_at')) return fc.constantFrom('2026-06-14', '2026-06-15', '2026-06-15T12:00:00Z')
  return field.includes('.') ? fc.constantFrom<unknown>(...VALUES, 9) : fc.constantFrom(...WORDS, 'Europe/Berlin')
}

const filter: fc.Arbitrary<Filter> = fc.letrec<{ node: FilterNode; filter: Filter }>((tie) => ({
  node: fc.oneof({ depthSize: 'small' }, { weight: 4, arbitrary: aTest }, { weight: 1, arbitrary: tie('filter') }),
  filter: fc.oneof(
    fc.record({ all: fc.array(tie('node'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ any: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('node') }),
  ),
})).filter

test('random filters choose the same of 500 random people in the database and in memory', async () => {
  expect(TESTED.map((name) => name.split('.')[0])).toEqual(
    expect.arrayContaining(
      fieldNames('people')
        .filter((name) => name !== 'id')
        .map((name) => name.split('.')[0]),
    ),
  )
  const rows = fc.sample(person, { numRuns: 500, seed: 7 })
  await writePeople(rows)
  const filters = fc.sample(filter, propertyRuns(11, 400, 160))
  let chosen = 0
  await server.services.run((system) =>
    system.tenant(tenantId, { type: 'system' }).read(async (tx) => {
      for (const each of filters) {
        const condition = await compileFilter('people', each, { tx, alias: 'p', now: NOW })
        const { rows: listed } = await store.listPeople(tx, { filter: condition }, { limit: 1_000, before: null })
        const found = new Set(listed.map(({ id }) => id))
        const expected = rows.filter((row) => matches('people', each, row, NOW))
        if (found.size !== expected.length || expected.some(({ id }) => !found.has(id)))
          throw new Error(`${JSON.stringify(each)}: ${found.size} in the database, ${expected.length} in memory`)
        if (found.size > 0 && found.size < rows.length) chosen += 1
      }
    }),
  )
  // Most filters must choose, or the comparison says nothing.
  expect(chosen).toBeGreaterThan(filters.length * 0.45)
}, 120_000)

/** Writes people, and what other tables hold of them. */
async function writePeople(rows: KnownPerson[]): Promise<void> {
  await server.services.run((system) =>
    system.tenant(tenantId, { type: 'system' }).tx((tx) => store.savePeople(tx, rows)),
  )
  const facts = rows.flatMap(({ id, invitations, responses }) => [
    ...invitations.map((one) => ({ id, kind: 'sent', ...one })),
    ...responses.map((one) => ({ id, kind: 'responded', ...one })),
  ])
  const column = <Name extends keyof (typeof facts)[number]>(kind: string, name: Name) =>
    facts.filter((one) => one.kind === kind).map((one) => one[name])
  await server.services.database.asOwner(async (owner) => {
    await owner.query(
      `update people p set last_invited_at = g.a, last_responded_at = g.b, last_score = g.c, last_band = g.d
       from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::int[], $5::text[]) as g(id, a, b, c, d)
       where p.id = g.id`,
      [
        rows.map((row) => row.id),
        rows.map((row) => row.last_invited_at),
        rows.map((row) => row.last_responded_at),
        rows.map((row) => row.last_score),
        rows.map((row) => row.last_band),
      ],
    )
    await owner.query(
      `insert into sends (tenant_id, id, invitation_id, survey_id, channel, reminder, first_send_id, status,
         address_hash, masked, person_id, attempts, created_at, accepted_at)
       select $1, gen_random_uuid(), gen_random_uuid(), g.survey, 'email', 0, gen_random_uuid(), 'accepted', 'x', 'x',
         g.person, 1, g.at, g.at from unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) as g(person, survey, at)`,
      [tenantId, column('sent', 'id'), column('sent', 'survey_id'), column('sent', 'at')],
    )
    await owner.query(
      `insert into responses (tenant_id, id, survey_id, survey_version, state, channel, language, answers, text,
         custom_data, path, started_at, completed_at, tags, notes, quality_flags, quotas, updated_at, person_id)
       select $1, gen_random_uuid(), g.survey, 1, 'completed', 'email', 'en', '[]', '[]', '{}', '{}', g.at, g.at, '{}',
         '[]', '{}', '{}', g.at, g.person from unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) as g(person, survey, at)`,
      [tenantId, column('responded', 'id'), column('responded', 'survey_id'), column('responded', 'at')],
    )
    await owner.query(
      `insert into suppressions (tenant_id, id, channel, address_hash, masked, reason, strength, source, created_at,
         updated_at)
       select $1, gen_random_uuid(), g.channel, g.hash, 'x', 'manual', 0, 'test', now(), now()
       from unnest($2::text[], $3::text[]) as g(channel, hash)`,
      [
        tenantId,
        rows.flatMap(({ suppressed }) => suppressed),
        rows.flatMap((row) => row.suppressed.map((channel) => (channel === 'email' ? row.email_hash : row.phone_hash))),
      ],
    )
  })
}
