import type { Schemas } from '../../../api/client.ts'

type Person = Pick<Schemas['Person'], 'email' | 'phone' | 'suppressed'>
type Rule = Schemas['Org']['contact_frequency']
type Entry = Pick<Schemas['PersonTimeline']['data'][number], 'at' | 'kind' | 'channel'>

export const CHANNELS = ['email', 'sms', 'voice'] as const
type Channel = (typeof CHANNELS)[number]

/** Whether a person may be asked on a channel, and why not. */
export interface Asking {
  channel: Channel
  /** `later`: not before `from`, by the contact frequency of the workspace. */
  may: 'now' | 'later' | 'suppressed' | 'no_address' | 'no_number'
  from?: Date
}

const DAY_MS = 86_400_000

/**
 * On which channels a person may be asked.
 *
 * @param entries the newest of their story, newest first
 */
export function mayBeAsked(person: Person, rule: Rule, entries: Entry[], now: Date): Asking[] {
  return CHANNELS.map((channel): Asking => {
    if (person.suppressed.includes(channel)) return { channel, may: 'suppressed' }
    if (channel === 'email' && person.email === null) return { channel, may: 'no_address' }
    if (channel !== 'email' && person.phone === null) return { channel, may: 'no_number' }
    const from = rule && freeFrom(rule, channel, entries)
    return from && from > now ? { channel, may: 'later', from } : { channel, may: 'now' }
  })
}

/** The moment at which so few contacts lie in the days of the rule that one more fits. Mails and calls count apart. */
function freeFrom(rule: NonNullable<Rule>, channel: Channel, entries: Entry[]): Date | null {
  const isMail = channel === 'email'
  const contacts = entries.filter(
    (entry) => (entry.kind === 'invited' || entry.kind === 'reminded') && (entry.channel === 'email') === isMail,
  )
  const last = contacts[rule.max_contacts - 1]
  return last === undefined ? null : new Date(Date.parse(last.at) + rule.per_days * DAY_MS)
}
