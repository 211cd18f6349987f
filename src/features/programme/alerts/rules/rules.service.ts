import type { z } from 'zod'
import { pageRequest, presentPage, type Page, type PageQuery } from '../../../../http/routes/pagination.ts'
import { conflict, notFound, requireUnchanged, unprocessable } from '../../../../http/problems/problem.ts'
import { auditOf } from '../../../../platform/audit.ts'
import type { ReadTx, TenantTx } from '../../../../platform/database/database.ts'
import { formatId, newId, type Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { requireMembers } from '../../../access/members/membership.service.ts'
import { noteListenersChange } from '../../../delivery/webhooks/registration/webhook-state.service.ts'
import { requireReferences } from '../../../outreach/segments/references.service.ts'
import { findSurveyIds } from '../../../surveys/surveys/surveys.service.ts'
import { AlertRule, type CreateAlertRule, type UpdateAlertRule } from './rules.schema.ts'
import { namedIn } from './rule-filter.ts'
import * as store from './rules.store.ts'

const MOST_RULES = 200
// Each response with a person is held against all of them.
const MOST_SEGMENTS = 100
const audited = auditOf('alertRule', { schema: AlertRule })

type Presented = z.input<typeof AlertRule>
type Input = z.output<typeof CreateAlertRule>

export async function listAlertRules(scope: Scope, query: z.output<typeof PageQuery>): Promise<Page<Presented>> {
  const { rows, page } = await scope.read((tx) => store.listRules(tx, pageRequest(query)))
  return presentPage(rows, page, present)
}

export async function getAlertRule(scope: Scope, id: Id<'alertRule'>): Promise<Presented> {
  const row = await scope.read((tx) => store.findRule(tx, id))
  if (!row) throw notFound('alertRule')
  return present(row)
}

/** @throws Problem 409 `too_many_rules`, 422 for an unknown survey, member or name in the filter. */
export async function createAlertRule(scope: Scope, input: Input): Promise<Presented> {
  const surveyIds = await findSurveyIds(scope, input.survey_ids, 'survey_ids')
  return scope.tx(async (tx) => {
    if ((await store.countRules(tx)) >= MOST_RULES)
      throw conflict('too_many_rules', `A workspace can have at most ${MOST_RULES} rules. Delete one first.`)
    await requireTriggerReferences(scope, tx, input.trigger)
    const now = scope.clock.now()
    const row = await rowOf(scope, tx, input, {
      id: newId('alertRule'),
      survey_ids: surveyIds,
      created_at: now,
      kept: [],
    })
    await requireFewSegments(tx, row)
    await store.insertRule(tx, row)
    noteListenersChange(tx)
    audited(scope, tx, 'create', row.id, { after: present(row) })
    return present(row)
  })
}

/** @throws Problem 404, 412 `stale`, 422 as above. */
export async function updateAlertRule(
  scope: Scope,
  id: Id<'alertRule'>,
  input: z.output<typeof UpdateAlertRule>,
  ifMatch?: string,
): Promise<Presented> {
  const surveyIds = input.survey_ids && (await findSurveyIds(scope, input.survey_ids, 'survey_ids'))
  return scope.tx(async (tx) => {
    const before = await store.lockRule(tx, id)
    if (!before) throw notFound('alertRule')
    requireUnchanged(ifMatch, present(before))
    if (input.trigger) await requireTriggerReferences(scope, tx, input.trigger)
    const { created_at: _created, updated_at: _updated, id: _id, ...kept } = present(before)
    const whole = { ...kept, ...input, notify: { ...kept.notify, ...input.notify } }
    const given = { ...whole, trigger: input.trigger ?? before.trigger }
    const row = await rowOf(scope, tx, given, {
      id,
      survey_ids: surveyIds ?? before.survey_ids,
      created_at: before.created_at,
      kept: [before.owner_id, before.escalate_to, ...before.notify.email].filter((member) => member !== null),
    })
    await requireFewSegments(tx, row)
    await store.updateRule(tx, row)
    noteListenersChange(tx)
    audited(scope, tx, 'update', id, { before: present(before), after: present(row) })
    return present(row)
  })
}

/** Its alerts stay. @throws Problem 404, 412 `stale`. */
export async function deleteAlertRule(scope: Scope, id: Id<'alertRule'>, ifMatch?: string): Promise<void> {
  await scope.tx(async (tx) => {
    const row = await store.lockRule(tx, id)
    if (!row) throw notFound('alertRule')
    requireUnchanged(ifMatch, present(row))
    await store.deleteRule(tx, id)
    noteListenersChange(tx)
    audited(scope, tx, 'delete', id)
  })
}

/** @throws Problem 422 for an unknown name in the filter. */
export async function requireTriggerReferences(
  { principal }: Scope,
  tx: ReadTx,
  trigger: Input['trigger'],
): Promise<void> {
  if (trigger.on === 'response') await requireReferences(principal, tx, { 'trigger.filter': trigger.filter })
}

/** @throws Problem 422 `too_many` */
async function requireFewSegments(tx: TenantTx, row: store.RuleRow): Promise<void> {
  if (!row.enabled || row.trigger.on !== 'response' || namedIn([row.trigger.filter]).size === 0) return
  const others = (await store.listEnabled(tx)).filter(({ id }) => id !== row.id)
  const filters = [row, ...others].flatMap(({ trigger }) => (trigger.on === 'response' ? [trigger.filter] : []))
  if (namedIn(filters).size <= MOST_SEGMENTS) return
  const message = `All rules that are on can name at most ${MOST_SEGMENTS} segments. Name fewer, or turn a rule off.`
  throw unprocessable('too_many', [{ path: 'trigger.filter', message }])
}

async function rowOf(
  scope: Scope,
  tx: TenantTx,
  input: Omit<Input, 'survey_ids'>,
  { kept, ...fixed }: Pick<store.RuleRow, 'id' | 'survey_ids' | 'created_at'> & { kept: Id<'user'>[] },
): Promise<store.RuleRow> {
  const { owner_id, escalate_to, notify } = input
  const named = {
    ...(owner_id !== null && { owner_id }),
    ...(escalate_to !== null && { escalate_to }),
    ...Object.fromEntries(notify.email.map((text, index) => [`notify.email.${index}`, text])),
  }
  const members = await requireMembers(tx, named, kept)
  const memberOf = (path: string) => members.get(path) ?? null
  const now = scope.clock.now()
  return {
    ...fixed,
    name: input.name,
    enabled: input.enabled,
    trigger: input.trigger,
    priority: input.priority,
    owner_id: memberOf('owner_id'),
    due_in_minutes: input.due_in_minutes,
    business_hours: input.business_hours,
    escalate_after_minutes: input.escalate_after_minutes,
    escalate_to: memberOf('escalate_to'),
    notify: {
      email: [...new Set(notify.email.flatMap((_, index) => memberOf(`notify.email.${index}`) ?? []))],
      owner: notify.owner,
    },
    updated_at: now,
    check_at: input.enabled && input.trigger.on === 'score_drop' ? now : null,
  }
}

function present(row: store.RuleRow): Presented {
  return {
    id: formatId('alertRule', row.id),
    name: row.name,
    enabled: row.enabled,
    survey_ids: row.survey_ids.map((id) => formatId('survey', id)),
    trigger: row.trigger,
    priority: row.priority,
    owner_id: row.owner_id && formatId('user', row.owner_id),
    due_in_minutes: row.due_in_minutes,
    business_hours: row.business_hours,
    escalate_after_minutes: row.escalate_after_minutes,
    escalate_to: row.escalate_to && formatId('user', row.escalate_to),
    notify: { email: row.notify.email.map((id) => formatId('user', id)), owner: row.notify.owner },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
