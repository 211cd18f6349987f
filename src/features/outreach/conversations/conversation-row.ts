import { LRUCache } from 'lru-cache'
import type { SecretBox } from '../../../platform/config/secrets.ts'
import type { CustomData } from '../../../survey-engine/model/definition.ts'
import { dateFormat } from '../../../platform/text/formats.ts'

const HOUR_MS = 3_600_000

/** After this time without a message a respondent is reminded, once. */
export const REMIND_AFTER_MS = 4 * HOUR_MS
/** From the reminder, or the last message after it, to the end. */
export const EXPIRE_AFTER_MS = 20 * HOUR_MS
/** How long an invitation waits for the first message. The invitation sends its own reminders. */
export const UNANSWERED_MS = 7 * 24 * HOUR_MS
/** How long a call may last without a report of its end. */
export const CALL_EXPIRES_MS = HOUR_MS / 4
/** How long a late respondent is told that the survey has expired. */
export const LATE_MS = 7 * 24 * HOUR_MS
export const STRANGER_MS = 24 * HOUR_MS

/** The personal data of an open conversation, encrypted. */
export interface Confidential {
  /** Null if the caller hides the number. */
  address: string | null
  name: string
  customData: CustomData
  /** The reply that waits for confirmation. */
  pending: string | null
}

/** An encrypted value opens only in its own row. */
export function sealConfidential(secrets: SecretBox, id: string, confidential: Confidential): string {
  return secrets.seal(JSON.stringify(confidential), `conversations:${id}`)
}

export function openConfidential(secrets: SecretBox, id: string, sealed: string | null): Confidential {
  if (sealed === null) return { address: null, name: '', customData: {}, pending: null }
  return JSON.parse(secrets.open(sealed, `conversations:${id}`)) as Confidential
}

/** When a conversation needs attention, counted from its last message. */
export function nextActionAt(
  { channel, reminded_at }: { channel: 'sms' | 'voice'; reminded_at: Date | null },
  lastWordAt: Date,
): Date {
  const wait = channel === 'voice' ? CALL_EXPIRES_MS : reminded_at ? EXPIRE_AFTER_MS : REMIND_AFTER_MS
  return new Date(lastWordAt.getTime() + wait)
}

interface Calendar {
  /** The last formatted minute, cached because formatting takes longer than the rest of a prompt. */
  minute: number
  day: string
}

const MINUTE_MS = 60_000
const calendars = new LRUCache<string, Calendar>({ max: 500 })

/** The date in a time zone, `YYYY-MM-DD`. */
export function dayIn(timezone: string, now: Date): string {
  const minute = Math.floor(now.getTime() / MINUTE_MS)
  const known = calendars.get(timezone)
  if (known?.minute === minute) return known.day
  const format = { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const day = dateFormat('en-CA', format).format(now)
  calendars.set(timezone, { minute, day })
  return day
}
