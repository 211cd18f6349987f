import type { z } from 'zod'
import type { ReadTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { SEND_CHANNELS, type Channel } from '../../../platform/ports/provider.ts'
import type { Scope } from '../../../platform/scope.ts'
import { readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { listContactTimes } from '../../delivery/sends/sends.service.ts'
import { requirePerson } from '../people/people.service.ts'
import { listSuppressed } from '../suppression/suppression.service.ts'
import { readContacts } from './decisions.service.ts'
import type { PersonAsking } from './invitations.schema.ts'

type Asking = z.input<typeof PersonAsking>['data'][number]
type Rule = Awaited<ReturnType<typeof readWorkspace>>['contact_frequency']

const DAY_MS = 86_400_000

/**
 * On which channels an invitation of now would reach a person, by the rules that it decides by. @throws Problem 404.
 */
export async function readAsking(scope: Scope, id: Id<'person'>): Promise<z.input<typeof PersonAsking>> {
  return scope.read(async (tx) => {
    const person = await requirePerson(tx, id)
    const { contact_frequency: rule } = await readWorkspace(tx)
    const data: Asking[] = []
    for (const channel of SEND_CHANNELS) {
      const hash = channel === 'email' ? person.email_hash : person.phone_hash
      data.push({ channel, ...(await askingOf(tx, { channel, hash, rule, now: scope.clock.now() })) })
    }
    return { data }
  })
}

async function askingOf(
  tx: ReadTx,
  { channel, hash, rule, now }: { channel: Channel; hash: string | null; rule: Rule; now: Date },
): Promise<Omit<Asking, 'channel'>> {
  if (hash === null) return { may: 'no_address', from: null }
  if ((await listSuppressed(tx, channel, [hash])).has(hash)) return { may: 'suppressed', from: null }
  if (!rule || !(await readContacts(tx, rule, now, [hash]))(hash)) return { may: 'now', from: null }
  return { may: 'later', from: (await freeFrom(tx, hash, rule, now)).toISOString() }
}

/** When so few contacts lie in the days of the rule that one more fits. */
async function freeFrom(tx: ReadTx, hash: string, rule: NonNullable<Rule>, now: Date): Promise<Date> {
  const periodMs = rule.per_days * DAY_MS
  const times = await listContactTimes(tx, hash, new Date(now.getTime() - periodMs), rule.max_contacts)
  return new Date((times[rule.max_contacts - 1] ?? now).getTime() + periodMs)
}
