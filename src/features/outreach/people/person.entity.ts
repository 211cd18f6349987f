import { sql, type RawBuilder } from '../../../platform/database/database.ts'
import { SEND_CHANNELS, type Channel } from '../../../platform/ports/provider.ts'
import { BY_ID, declareEntity, type RowOf } from '../../../platform/fields/entity.ts'
import { date, idOf, jsonOf, orNull, text, whole } from '../../../platform/fields/values.ts'
import type { FilterContext, Fields, OwnField } from '../../../platform/filter/entity.ts'
import type { FilterTest } from '../../../platform/filter/grammar.ts'
import { parseId, type Id } from '../../../platform/ids.ts'

const CHANNELS: readonly string[] = SEND_CHANNELS
const DAY_MS = 86_400_000
const MOST_DAYS = 36_500

/** Every field of a person. */
export const people = declareEntity(
  { table: 'people', rows: 'go', more: filters() },
  {
    id: { is: idOf('person'), fixed: true, shown: true, archived: true, filter: BY_ID },
    // An address, where a customer's system uses that as its id: filters on it would find it letter by letter.
    external_id: {
      is: orNull(text),
      shown: true,
      archived: true,
      filter: { permission: 'people.manage' },
      personal: 'words',
    },
    sealed: { is: orNull(text), sealed: true, personal: 'words' },
    email: { within: 'sealed', shown: 'text' },
    phone: { within: 'sealed', shown: 'text' },
    name: { within: 'sealed', shown: 'text' },
    language: { is: orNull(text), shown: true, archived: true, filter: true, personal: 'trait' },
    timezone: { is: orNull(text), shown: true, archived: true, filter: true },
    email_hash: { is: orNull(text), filter: { as: 'email', ops: ['is_set', 'is_not_set'] }, personal: 'key' },
    phone_hash: { is: orNull(text), filter: { as: 'phone', ops: ['is_set', 'is_not_set'] }, personal: 'key' },
    attributes: {
      is: jsonOf<Record<string, string | number | boolean>>(),
      blank: {},
      shown: true,
      archived: true,
      personal: 'words',
    },
    created_at: { is: date, fixed: true, shown: true, archived: true, filter: true, sort: true },
    updated_at: { is: date, shown: true },
    last_invited_at: { is: orNull(date), shown: true, archived: true, filter: true, sort: true },
    // The last completed response, by the time of its completion.
    last_responded_at: { is: orNull(date), shown: true, archived: true, filter: true, sort: true },
    last_score: { is: orNull(whole), shown: true, archived: true, filter: true, sort: true },
    last_band: { is: orNull(text), shown: 'export', filter: true },
    invited: { within: 'last_invited_at', shown: 'boolean' },
    responded: { within: 'last_responded_at', shown: 'boolean' },
    suppressed: { within: 'suppressions', shown: 'list' },
  },
)

export type PersonRow = RowOf<typeof people>

/** A person with what other tables know of them, for a filter in memory. */
export interface KnownPerson extends PersonRow {
  suppressed: Channel[]
  invitations: Occasion[]
  responses: Occasion[]
}

interface Occasion {
  at: Date
  survey_id: Id<'survey'>
}

function filters(): Fields {
  return {
    'attribute.*': (name) => ({
      kind: 'mixed',
      permission: 'people.manage',
      sql: ({ alias }) => sql`(${sql.ref(`${alias}.attributes`)} -> ${name}::text)`,
      read: (row: PersonRow) => row.attributes[name],
    }),
    suppressed: {
      kind: 'own',
      ops: ['eq', 'ne', 'one_of', 'not_one_of', 'is_set', 'is_not_set'],
      holds: { kind: 'list', values: CHANNELS },
      check: ({ op, value }) => {
        const values = Array.isArray(value) ? value : [value]
        const isArray = op === 'one_of' || op === 'not_one_of'
        const areRight = isArray === Array.isArray(value) && values.length > 0 && values.every(isChannel)
        return areRight || (!isArray && typeof value === 'boolean')
          ? undefined
          : `Use true, false or one of ${CHANNELS.join(', ')}. For one_of use an array of channels.`
      },
      compile(test, context) {
        const { channels, isNegative } = suppressionOf(test)
        const holds = isSuppressed(channels, context)
        return isNegative ? sql`not ${holds}` : holds
      },
      matches(test, row: KnownPerson) {
        const { channels, isNegative } = suppressionOf(test)
        return row.suppressed.some((channel) => channels.includes(channel)) !== isNegative
      },
    },
    invited: occasion(
      ({ tx }, since) => sql`select o.person_id from sends o
        where o.tenant_id = ${tx.tenantId} and o.person_id is not null and o.reminder = 0 and o.accepted_at is not null
          and case when o.by_day then date_bin('1 day', o.accepted_at, 'epoch') else o.accepted_at end >= ${since}`,
      ({ invitations }) => invitations,
    ),
    responded: occasion(
      ({ tx }, since) => sql`select o.person_id from responses o
        where o.tenant_id = ${tx.tenantId} and o.person_id is not null and o.state = 'completed'
          and o.completed_at >= ${since} and o.recorded_at >= ${since} and o.recorded_at <= 'infinity'`,
      ({ responses }) => responses,
    ),
  }
}

function isChannel(value: unknown): boolean {
  return typeof value === 'string' && CHANNELS.includes(value)
}

function suppressionOf({ op, value }: FilterTest): { channels: string[]; isNegative: boolean } {
  const isNegative = op === 'ne' || op === 'not_one_of' || op === 'is_not_set'
  if (value === undefined || op === 'is_set' || op === 'is_not_set') return { channels: [...CHANNELS], isNegative }
  if (typeof value === 'boolean') return { channels: [...CHANNELS], isNegative: isNegative === value }
  return { channels: (Array.isArray(value) ? value : [value]).map(String), isNegative }
}

function isSuppressed(channels: string[], { alias, tx }: FilterContext): RawBuilder<unknown> {
  const hashes = sql`select x.address_hash from suppressions x
    where x.tenant_id = ${tx.tenantId} and x.channel = any(${channels}::text[])`
  return sql`(coalesce(${sql.ref(`${alias}.email_hash`)} in (${hashes}), false)
    or coalesce(${sql.ref(`${alias}.phone_hash`)} in (${hashes}), false))`
}

/** Whether something happened within the last days, for one survey or any: `{days, survey_id?}`. */
function occasion(
  select: (context: FilterContext, since: Date) => RawBuilder<unknown>,
  read: (row: KnownPerson) => Occasion[],
): OwnField {
  return {
    kind: 'own',
    ops: ['within_days'],
    holds: { kind: 'date' },
    check: ({ value }) =>
      periodOf(value) ? undefined : `Use {days, survey_id?} with a number of days up to ${MOST_DAYS}.`,
    compile({ value }, context) {
      const { days, surveyId } = periodOf(value) ?? { days: 0, surveyId: null }
      const since = new Date(context.now.getTime() - days * DAY_MS)
      const ofSurvey = surveyId === undefined ? sql`true` : sql`o.survey_id = ${surveyId}::uuid`
      // Without a reference to the person, so that PostgreSQL reads the others once and keeps them in a hash.
      return sql`${sql.ref(`${context.alias}.id`)} in (${select(context, since)} and ${ofSurvey})`
    },
    matches({ value }, row: KnownPerson, now) {
      const { days, surveyId } = periodOf(value) ?? { days: 0, surveyId: null }
      return read(row).some(
        ({ at, survey_id }) =>
          at.getTime() >= now.getTime() - days * DAY_MS && (surveyId === undefined || surveyId === survey_id),
      )
    },
  }
}

/** A survey id that is none is null, and finds nothing. */
function periodOf(value: unknown): { days: number; surveyId: Id<'survey'> | null | undefined } | undefined {
  if (typeof value === 'number') return periodOf({ days: value })
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { days, survey_id, ...rest } = value as Record<string, unknown>
  if (Object.keys(rest).length > 0 || typeof days !== 'number' || !(days > 0 && days <= MOST_DAYS)) return undefined
  if (survey_id === undefined) return { days, surveyId: undefined }
  return typeof survey_id === 'string' ? { days, surveyId: parseId('survey', survey_id) } : undefined
}
