import { uuidv7 } from 'uuidv7'
import type { TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { callerId } from '../../../platform/principal.ts'
import type { Scope } from '../../../platform/scope.ts'
import { insertEntry, listOfPerson } from './alerts.store.ts'
import type { TimelineSource } from '../../outreach/people/timeline.service.ts'

interface Happening {
  kind: string
  actor?: string | null
  from?: string | null
  to?: string | null
  text?: string | null
}

/** Adds a line to an alert's timeline. */
export async function note(scope: Scope, tx: TenantTx, id: Id<'alert'>, happening: Happening): Promise<void> {
  const { kind, actor = callerId(scope.principal), from = null, to = null, text = null } = happening
  await insertEntry(tx, id, {
    id: uuidv7(),
    at: scope.clock.now(),
    actor,
    kind,
    before: from,
    after: to,
    text: sealWords(scope, id, text),
  })
}

/** Words of a respondent or a member. They open only in their own alert. */
export function sealWords(scope: Scope, id: Id<'alert'>, words: string | null): string | null {
  return words === null ? null : scope.secrets.seal(words, `alerts:${id}`)
}

export function openWords(scope: Scope, id: Id<'alert'>, sealed: string | null): string | null {
  return sealed === null ? null : scope.secrets.open(sealed, `alerts:${id}`)
}

/** The alerts in the timeline of a person. */
export const listPersonAlerts: TimelineSource = listOfPerson
