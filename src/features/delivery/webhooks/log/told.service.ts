import type { ReadTx } from '../../../../platform/database/database.ts'
import { responsesOf, type Person } from '../../../../platform/personal.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { listMentions, mentions } from '../../../trust/data-protection/contacts.service.ts'
import { withoutEscapes } from '../registration/without-escapes.ts'
import * as store from './personal.store.ts'

const PAGE = 20

/** Events that mention a person whom their response does not mention any more: its data, or an answer of a receiver. */
export async function listToldEvents(scope: Scope, tx: ReadTx, person: Person): Promise<string[]> {
  const known = new Set<string>(responsesOf(person))
  const candidates = (await listMentions(scope, tx, 'responses', person)).filter((id) => !known.has(id))
  const told: string[] = []
  for (let at = 0; at < candidates.length; at += PAGE) {
    for (const { event_id, data, excerpts } of await store.listTold(tx, candidates.slice(at, at + PAGE)))
      if (await mentions(person, [data, ...excerpts].map(withoutEscapes))) told.push(event_id)
  }
  return told
}
