import { cacheOf } from '../../../../platform/config/caches.ts'
import type { ReadTx } from '../../../../platform/database/database.ts'
import { type TenantId, formatId, type Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { readSubscribers } from '../../../delivery/webhooks/staging/subscribers.service.ts'
import { listEnabled, type RuleRow, listNames, listNaming } from './rules.store.ts'
import { listenTo, type Listener } from '../../../../platform/work/listeners.ts'
import { OPENED } from '../../../surveys/surveys/lifecycle.service.ts'

// Other features run these statements as they are.
/** The enabled rules at one revision of those who hear of responses. */
interface Rules {
  revision: string
  rules: RuleRow[]
}

// Of workspaces with a completed response lately.
const KNOWN = cacheOf<TenantId, Rules>({ max: 1_000 })

/** The enabled rules as this transaction sees them. Only a change of a rule or webhook reads them again. */
export async function readRules(scope: Scope, tx: ReadTx): Promise<RuleRow[]> {
  const known = scope.caches.of(KNOWN)
  const { revision } = await readSubscribers(scope, tx)
  const before = known.get(tx.tenantId)
  if (before?.revision === revision) return before.rules
  const rules = await listEnabled(tx)
  tx.afterCommit(() => known.set(tx.tenantId, { revision, rules }))
  return rules
}

/** The names of these rules. */
export async function ruleNames(tx: ReadTx, ids: Id<'alertRule'>[]): Promise<Map<string, string>> {
  return new Map((await listNames(tx, ids)).map(({ id, name }) => [id, name]))
}

/** Rules that name a segment. */
export async function listRuleUses(_scope: Scope, tx: ReadTx, id: Id<'segment'>) {
  const rows = await listNaming(tx, formatId('segment', id))
  return rows.map((row) => ({ type: 'alert_rule', id: formatId('alertRule', row.id), name: row.name }))
}

/** Counts the rules that will look at the completed responses of a survey. */
export const onOpened: Listener = listenTo(OPENED, async (scope, tx) => {
  const rules = await readRules(scope, tx)
  return {
    async handle({ surveyId, notified }) {
      notified.alert_rules = rules.filter(
        ({ survey_ids, trigger }) =>
          trigger.on === 'response' && (survey_ids.length === 0 || survey_ids.includes(surveyId)),
      ).length
    },
  }
})
