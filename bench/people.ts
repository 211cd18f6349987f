import { parseArgs } from 'node:util'
import { parseId } from '../src/platform/ids.ts'
import { openHouse } from './parts/house.ts'
import { say } from './parts/rig.ts'

const LIMIT_MS = 200

const { values: options } = parseArgs({
  options: { people: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '9' } },
})
const people = Number(options.people)
const rounds = Number(options.rounds)

const house = await openHouse()
const { call, sql } = house

say(`POST /v1/segments/preview over HTTP, ${people.toLocaleString('en')} people with 3 messages and 1 response each.`)
say('PostgreSQL over a Unix socket. Medians of warm calls.\n')

const { id: survey } = await call<{ id: string }>('POST', '/v1/surveys', {
  name: 'Asked',
  questions: [{ id: 'q1', type: 'nps', title: 'T' }],
})
await fill()

const within = (days: number) => ({ days, survey_id: survey })
const FILTERS: Record<string, object> = {
  everybody: { all: [] },
  'attribute.plan eq': { all: [{ field: 'attribute.plan', op: 'eq', value: 'pro' }] },
  'attribute.seats gt': { all: [{ field: 'attribute.seats', op: 'gt', value: 50 }] },
  'attribute.city contains': { all: [{ field: 'attribute.city', op: 'contains', value: 'ON' }] },
  'language one_of': { all: [{ field: 'language', op: 'one_of', value: ['de', 'es'] }] },
  'last_score lte': { all: [{ field: 'last_score', op: 'lte', value: 6 }] },
  'last_responded_at within_days': { all: [{ field: 'last_responded_at', op: 'within_days', value: 30 }] },
  'suppressed eq false': { all: [{ field: 'suppressed', op: 'eq', value: false }] },
  'invited within_days': { all: [{ field: 'invited', op: 'within_days', value: within(30) }] },
  'not responded within_days': { not: { field: 'responded', op: 'within_days', value: within(90) } },
  'plan and not suppressed and phone': {
    all: [
      { field: 'attribute.plan', op: 'eq', value: 'pro' },
      { field: 'suppressed', op: 'ne', value: 'sms' },
      { field: 'phone', op: 'is_set' },
    ],
  },
}

let missed = 0
for (const [name, filter] of Object.entries(FILTERS)) {
  const times: number[] = []
  let count = 0
  for (let round = 0; round <= rounds; round++) {
    const startedAt = performance.now()
    count = (await call<{ count: number }>('POST', '/v1/segments/preview', { filter })).count
    if (round > 0) times.push(performance.now() - startedAt)
  }
  const median = times.sort((a, b) => a - b)[times.length >> 1] ?? 0
  const ratio = median / LIMIT_MS
  if (ratio > 1) missed += 1
  say(
    `${name.padEnd(36)}${median.toFixed(0).padStart(6)} ms  ${ratio.toFixed(2)} of the limit  ${count.toLocaleString('en')} people`,
  )
}
await house.close()
process.exit(missed > 0 ? 1 : 0)

/** People as imports and invitations leave them, without their sealed addresses. */
async function fill(): Promise<void> {
  const tenant = parseId('workspace', house.workspaceId)
  await sql(
    `insert into people (tenant_id, id, external_id, email_hash, phone_hash, language, attributes, created_at,
         updated_at, last_invited_at, last_responded_at, last_score, last_band)
       select $1, gen_random_uuid(), 'crm-' || n, 'e' || n, case when n % 3 = 0 then 'p' || n end,
         (array['en', 'de', 'es', 'fr'])[1 + n % 4],
         jsonb_build_object('plan', (array['free', 'pro', 'team'])[1 + n % 3], 'seats', n % 100, 'city',
           (array['Bonn', 'London', 'Madrid'])[1 + n % 3]),
         now() - n * interval '1 minute', now(), now() - (n % 365) * interval '1 day',
         now() - (n % 300) * interval '1 day', n % 11, 'passive'
       from generate_series(1, $2::int) as n`,
    [tenant, people],
  )
  await sql(
    `insert into sends (tenant_id, id, invitation_id, survey_id, channel, reminder, first_send_id, status,
         address_hash, masked, person_id, attempts, created_at, accepted_at)
       select $1, gen_random_uuid(), gen_random_uuid(), $2, 'email', 0, gen_random_uuid(), 'accepted', p.email_hash, 'x',
         p.id, 1, p.last_invited_at - k * interval '90 days', p.last_invited_at
       from people p cross join generate_series(0, 2) as k where p.tenant_id = $1`,
    [tenant, parseId('survey', survey)],
  )
  await sql(
    `insert into responses (tenant_id, id, survey_id, survey_version, state, channel, language, answers, text,
         custom_data, path, started_at, completed_at, tags, notes, quality_flags, quotas, updated_at, person_id)
       select $1, gen_random_uuid(), $2, 1, 'completed', 'email', 'en', '[]', '[]', '{}', '{}', p.last_responded_at,
         p.last_responded_at, '{}', '[]', '{}', '{}', now(), p.id
       from people p where p.tenant_id = $1`,
    [tenant, parseId('survey', survey)],
  )
  await sql(
    `insert into suppressions (tenant_id, id, channel, address_hash, masked, reason, strength, source, created_at,
         updated_at)
       select $1, gen_random_uuid(), 'email', p.email_hash, 'x', 'manual', 0, 'bench', now(), now()
       from people p where p.tenant_id = $1 and p.last_score = 0`,
    [tenant],
  )
  await sql('vacuum analyze people')
  await sql('vacuum analyze sends')
  await sql('vacuum analyze responses')
  await sql('vacuum analyze suppressions')
}
