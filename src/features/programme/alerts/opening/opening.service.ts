import type { TenantTx } from '../../../../platform/database/database.ts'
import { matches } from '../../../../platform/filter/evaluate.ts'
import { newId, type Id } from '../../../../platform/ids.ts'
import { startSlices } from '../../../../platform/loop/turns.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { CLASSIFIED, listenTo, type Listener } from '../../../../platform/work/listeners.ts'
import { isMember } from '../../../access/members/membership.service.ts'
import { readWorkspace } from '../../../access/workspaces/workspaces.service.ts'
import { COMPLETED } from '../../../answers/responses/completion.service.ts'
import { listPassing } from '../../../answers/responses/matching.service.ts'
import type { ResponseRow } from '../../../answers/rows/response.entity.ts'
import { stageAlertEvent, excerptOf } from './alert-events.service.ts'
import type { AlertRow } from '../alert.entity.ts'
import { insertAlert } from '../alerts.store.ts'
import { workingFrom, type AfterWorking } from './business-hours.ts'
import { readRules } from '../rules/known-rules.service.ts'
import { mailAlert } from './letters.service.ts'
import { testsOfRule, withAnswers } from '../rules/rule-filter.ts'
import { answerTests } from '../rules/rule-tests.store.ts'
import type { RuleRow } from '../rules/rules.store.ts'
import { note, sealWords } from '../timeline.service.ts'
import { recordChanged } from '../../../../platform/changes/changes.ts'

/** Opens alerts in the transaction that completes or releases a response. */
export const onCompleted: Listener = listenTo(COMPLETED, async (scope, tx) => {
  const rules = await readRules(scope, tx)
  return { handle: (response) => judge(scope, tx, rules, response) }
})

/** Opens alerts of rules that test topics, sentiment or words, in the transaction that stores these of a text. */
export const onClassified: Listener = listenTo(CLASSIFIED, async (scope, tx) => {
  const rules = await readRules(scope, tx)
  return { handle: ({ responses }) => judgeTexts(scope, tx, rules, responses) }
})

async function judgeTexts(scope: Scope, tx: TenantTx, rules: RuleRow[], ids: Array<Id<'response'>>): Promise<void> {
  const opening = startOpening(scope, tx)
  const slices = startSlices()
  for (const rule of rules) {
    const { trigger } = rule
    if (trigger.on !== 'response' || testsOfRule(trigger.filter).ofTexts.length === 0) continue
    for (const response of await listPassing(scope, tx, ids, trigger.filter)) {
      if (slices.isOver()) await slices.next()
      if (isAbout(rule, response)) await openAlert(opening, rule, causeOf(response))
    }
  }
}

/** The cause of an alert, and what it shows. */
export type Cause = Pick<AlertRow, 'cause' | 'response_id' | 'survey_id' | 'score'> & {
  response: ResponseRow | null
}

/** Alerts that open together, at one moment. Their workspace is read once, and its working days are laid out once. */
export interface Opening {
  scope: Scope
  tx: TenantTx
  now: Date
  working(): Promise<AfterWorking>
}

export function startOpening(scope: Scope, tx: TenantTx): Opening {
  const now = scope.clock.now()
  let working: AfterWorking | undefined
  return {
    scope,
    tx,
    now,
    async working() {
      if (working) return working
      const { business_hours: hours, timezone } = await readWorkspace(tx)
      working = workingFrom(now, hours, timezone)
      return working
    },
  }
}

/**
 * Opens an alert, notifies webhooks and mails members. Nothing happens if the rule has one for this cause. An owner who
 * left the workspace gets none.
 */
export async function openAlert(opening: Opening, rule: RuleRow, cause: Cause): Promise<void> {
  const { scope, tx, now } = opening
  const { response, ...told } = cause
  const id = newId('alert')
  const after = rule.business_hours ? await opening.working() : workingFrom(now, null, 'UTC')
  const owner = rule.owner_id && (await isMember(tx, rule.owner_id)) ? rule.owner_id : null
  const alert: AlertRow = {
    id,
    rule_id: rule.id,
    ...told,
    status: 'new',
    priority: rule.priority,
    owner_id: owner,
    opened_at: now,
    due_at: rule.due_in_minutes === null ? null : after(rule.due_in_minutes),
    escalate_at: rule.escalate_after_minutes === null ? null : after(rule.escalate_after_minutes),
    escalate_to: rule.escalate_to,
    escalated_at: null,
    acknowledged_at: null,
    resolved_at: null,
    closed_at: null,
    excerpt: sealWords(scope, id, response && excerptOf(response)),
    root_cause: null,
    resolution: null,
    case_url: null,
    comment_count: 0,
    notify: rule.notify.email,
    revision: 1,
  }
  if ((await insertAlert(tx, alert)) === 0) return
  recordChanged(scope, tx, 'alerts', 'created', 'alert', [id], alert.survey_id)
  await note(scope, tx, id, { kind: 'opened', actor: null, to: 'new' })
  await stageAlertEvent(scope, tx, 'alert.opened', alert, response)
  const to = [...rule.notify.email, rule.notify.owner ? owner : null]
  await mailAlert(scope, tx, alert, to, { kind: 'alert_opened', title: rule.name })
}

async function judge(scope: Scope, tx: TenantTx, all: RuleRow[], response: ResponseRow): Promise<void> {
  // Nobody reads a response of an anonymous survey by itself, so none opens an alert.
  if (response.anonymity) return
  const rules = all.flatMap((rule) =>
    rule.trigger.on === 'response' && isAbout(rule, response) ? [{ rule, filter: rule.trigger.filter }] : [],
  )
  const now = scope.clock.now()
  const asksTexts = rules.some(({ filter }) => testsOfRule(filter).ofTexts.length > 0)
  const waits = asksTexts && response.text.length > 0
  const judged = rules.filter(({ filter }) => !waits || testsOfRule(filter).ofTexts.length === 0)
  const tests = judged.flatMap(({ filter }) => testsOfRule(filter).ofOthers)
  const said = await answerTests(tx, response, tests, now)
  const opening = startOpening(scope, tx)
  const slices = startSlices()
  for (const { rule, filter } of judged) {
    if (slices.isOver()) await slices.next()
    const passes = matches('responses', withAnswers(filter, said), response, now)
    if (passes) await openAlert(opening, rule, causeOf(response))
  }
}

function causeOf(response: ResponseRow): Cause {
  const { id, survey_id, score } = response
  return { cause: `response:${id}`, response_id: id, survey_id, score, response }
}

function isAbout({ survey_ids }: RuleRow, { survey_id }: ResponseRow): boolean {
  return survey_ids.length === 0 || survey_ids.includes(survey_id)
}
