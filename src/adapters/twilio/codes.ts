import type { PhoneEvent } from '../../platform/ports/phone-port.ts'
import type { Verdict } from '../../platform/ports/provider.ts'

/** The person told the carrier to stop (https://www.twilio.com/docs/api/errors/21610). */
const OPTED_OUT = 21610
/** Full queues and rates, which Twilio also reports with status 400. */
const THROTTLED = [14107, 20429, 21611]

const MESSAGE_EVENTS = new Map<string, PhoneEvent>([
  ['delivered', 'delivered'],
  ['read', 'delivered'],
  ['undelivered', 'undelivered'],
  ['failed', 'undelivered'],
])
// A call that nobody took is over as well, and changes nothing.
const CALL_EVENTS = new Map<string, PhoneEvent | null>([
  ['completed', 'delivered'],
  ['failed', 'undelivered'],
  ['busy', null],
  ['no-answer', null],
  ['canceled', null],
])

/** The meaning of an error that Twilio's REST API answered. */
export function verdictOf(status: number, code: number | null): Verdict {
  if (status === 429 || (code !== null && THROTTLED.includes(code))) return 'throttled'
  // 21xxx are about this message or call; 20xxx are about the account, and 5xx about Twilio: those may pass.
  const aboutIt = status === 400 || (status < 500 && code !== null && code >= 21_000 && code < 22_000)
  if (aboutIt) return code === OPTED_OUT ? 'opted_out' : 'refused'
  // A proxy that waited in vain (408) cannot tell.
  return status >= 400 && status < 500 && status !== 408 ? 'not_taken' : 'unknown'
}

/** The end of a message, by `MessageStatus` and `ErrorCode`; null while it is on its way. */
export function messageEventOf(status: string, errorCode: string | null): PhoneEvent | null {
  const event = MESSAGE_EVENTS.get(status) ?? null
  return event !== null && errorCode === String(OPTED_OUT) ? 'opted_out' : event
}

export function isCallOver(status: string): boolean {
  return CALL_EVENTS.has(status)
}

/** The end of a call, by `CallStatus`. */
export function callEventOf(status: string): PhoneEvent | null {
  return CALL_EVENTS.get(status) ?? null
}
