import { sql } from '../../../platform/database/database.ts'
import { BY_ID, declareEntity, type ColumnsOf, type RowOf } from '../../../platform/fields/entity.ts'
import { boolean, date, idOf, oneOf, orNull, text, uuid, whole } from '../../../platform/fields/values.ts'
import { SEND_CHANNELS } from '../../../platform/ports/provider.ts'
import type { OwnField } from '../../../platform/filter/entity.ts'
import { HOW_TO_WRITE_ADDRESS, parseEitherAddress } from '../../trust/addresses/address.ts'
import { SEND_STATUSES, type SendStamp } from './send-state.ts'
import { dayOf } from '../../../platform/instant.ts'
import { newId, newIdAt, type Id } from '../../../platform/ids.ts'

const KEPT = { erased: 'kept' } as const
const GONE = { erased: { to: 'null' } } as const

/** Every field of a send. The statement of an erasure names the fields that it ends, such as a lease. */
export const sends = declareEntity(
  { table: 'sends', rows: 'stay', more: { recipient: byAddress() } },
  {
    id: { is: idOf('send'), fixed: true, shown: true, archived: true, filter: BY_ID, ...KEPT },
    invitation_id: { is: idOf('invitation'), fixed: true, shown: true, filter: true, ...KEPT },
    survey_id: { is: idOf('survey'), fixed: true, shown: true, archived: true, filter: true, ...KEPT },
    channel: { is: oneOf(SEND_CHANNELS), fixed: true, shown: true, archived: true, filter: true, ...KEPT },
    // The first message of the same invitation to the same person.
    first_send_id: { is: idOf('send'), fixed: true, ...KEPT },
    address_hash: { is: text, personal: 'key', erased: { to: "''" } },
    masked: { is: text, personal: 'words', erased: { to: "'erased'" } },
    // Address, name, time zone and custom data. Callers and exports see `masked` by this name.
    recipient: { is: orNull(text), sealed: true, apart: true, shown: true, personal: 'words', ...GONE },
    language: { is: orNull(text), shown: true, archived: true, filter: true, personal: 'trait', ...GONE },
    agent_id: { is: orNull(idOf('agent')), shown: true, filter: true, personal: 'key', ...GONE },
    // Null if the workspace does not remember its recipients.
    person_id: { is: orNull(idOf('person')), personal: 'key', ...GONE },
    reminder: { is: whole, fixed: true, shown: true, ...KEPT },
    status: { is: oneOf(SEND_STATUSES), shown: true, archived: true, filter: true, ...KEPT },
    reason: { is: orNull(text), shown: true, filter: true, ...KEPT },
    provider_id: { is: orNull(text), personal: 'key', ...GONE },
    response_id: { is: orNull(idOf('response')), shown: true, ...KEPT },
    next_attempt_at: { is: orNull(date), ...KEPT },
    send_at: { within: 'next_attempt_at', shown: 'date' },
    attempts: { is: whole, apart: true, ...KEPT },
    lease_until: { is: orNull(date), apart: true, ...KEPT },
    lease_token: { is: orNull(uuid), apart: true, ...KEPT },
    // Since when a provider may have the message without our knowing.
    calling_at: { is: orNull(date), apart: true, ...KEPT },
    created_at: { is: date, fixed: true, shown: true, archived: true, filter: true, sort: true, ...KEPT },
    accepted_at: {
      is: orNull(date),
      shown: true,
      archived: true,
      filter: { sql: ({ alias }) => acceptedAt(alias) },
      sort: { value: acceptedAt },
      ...KEPT,
    },
    delivered_at: { is: orNull(date), shown: true, ...KEPT },
    bounced_at: { is: orNull(date), shown: true, ...KEPT },
    complained_at: { is: orNull(date), shown: true, ...KEPT },
    opened_at: { is: orNull(date), shown: true, ...KEPT },
    clicked_at: { is: orNull(date), shown: true, ...KEPT },
    started_at: { is: orNull(date), shown: true, ...KEPT },
    completed_at: { is: orNull(date), shown: true, ...KEPT },
    ended_at: { is: orNull(date), ...KEPT },
    // It belongs to an anonymous survey: people read days, and nobody learns whether the person answered.
    by_day: { is: boolean, fixed: true, ...KEPT },
  },
)

/** Finds the messages to an address. No row has the address, only its keyed hash. */
function byAddress(): OwnField {
  return {
    kind: 'own',
    ops: ['eq'],
    isPassing: true,
    permission: 'people.manage',
    check: ({ value }) => (parseEitherAddress(String(value)) ? undefined : HOW_TO_WRITE_ADDRESS),
    compile({ value }, { alias, hashAddress }) {
      const found = parseEitherAddress(String(value))
      const hash = found && hashAddress?.(found.channel, found.address)
      return hash ? sql`${sql.ref(`${alias}.address_hash`)} = ${hash}` : sql`false`
    },
  }
}

export type SendRow = RowOf<typeof sends>

/** The columns of a send at its beginning. Nobody has it yet. */
export type NewSendColumn = Exclude<
  keyof ColumnsOf<typeof sends>,
  `${SendStamp | 'accepted'}_at` | 'provider_id' | 'response_id' | 'lease_until' | 'lease_token' | 'calling_at'
>

/** As people read it: of an anonymous survey, the day. */
function acceptedAt(alias: string) {
  const at = sql.ref(`${alias}.accepted_at`)
  return sql`case when ${sql.ref(`${alias}.by_day`)} then date_bin('1 day', ${at}, 'epoch') else ${at} end`
}

/** An id begins with its moment. Of a send of an anonymous survey, it shows only the day. */
export function newSendId(now: Date, byDay: boolean): Id<'send'> {
  return byDay ? newIdAt('send', dayOf(now)) : newId('send')
}
