import { AlertQuery } from '../../src/features/programme/alerts/alerts.schema.ts'
import { addComment, listAlerts, updateAlert } from '../../src/features/programme/alerts/alerts.service.ts'
import { CreateAlertRule } from '../../src/features/programme/alerts/rules/rules.schema.ts'
import { createAlertRule } from '../../src/features/programme/alerts/rules/rules.service.ts'
import { LeadQuery } from '../../src/features/programme/leads/leads.schema.ts'
import { addLeadNote, listLeads, updateLead } from '../../src/features/programme/leads/leads.service.ts'
import { formatId, parseId } from '../../src/platform/ids.ts'
import { daysBefore, HOUR_MS, stepsTaken, type Stage } from './stage.ts'

/** Alert rules are switched on this many days ago. */
export const RULES_FOR_DAYS = 75
/** Hours after an alert opened: acknowledged, in progress, resolved, closed. */
const STEPS = [2, 5, 20, 48]
const LEAD_HOURS = 30
const CAUSES = ['Late delivery', 'Damaged parcel', 'Wrong item', 'Billing', 'Long wait', 'Product fault']
const COMMENTS = [
  'Called, no answer. Trying again tomorrow.',
  'Asked the depot for the tracking.',
  'Waits for billing.',
]
const RESOLUTIONS = [
  'Apologised and refunded the delivery.',
  'Sent a replacement.',
  'Explained the bill, all fine now.',
]

export async function makeRules({ owner, today, surveys }: Stage): Promise<void> {
  const scope = owner(daysBefore(today, RULES_FOR_DAYS))
  const below = (value: number) => ({ on: 'response', filter: { all: [{ field: 'score', op: 'lte', value }] } })
  const quiet = { notify: { email: [], owner: false }, due_in_minutes: 2_880 }
  const rules = [
    { name: 'Unhappy customer', survey_ids: [surveys.purchase], trigger: below(3), priority: 'high' },
    { name: 'Support went wrong', survey_ids: [surveys.support], trigger: below(1), priority: 'urgent' },
    {
      name: 'NPS falls',
      survey_ids: [surveys.purchase],
      trigger: { on: 'score_drop', metric: 'nps', window_days: 7, drop: 15, min_n: 30 },
    },
  ]
  for (const { survey_ids: ids, ...rule } of rules) {
    const survey_ids = ids.map((id) => formatId('survey', id))
    await createAlertRule(scope, CreateAlertRule.parse({ ...rule, ...quiet, survey_ids }))
  }
}

/** Older alerts are done, and the latest are in all states. */
export async function workOnAlerts({ owner, today, chance }: Stage): Promise<void> {
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof listAlerts>> = await listAlerts(
      owner(today),
      AlertQuery.parse({ limit: '100', ...(cursor && { cursor }) }),
    )
    for (const { id: text, opened_at: opened } of page.data) {
      const id = parseId('alert', text)
      if (!id) continue
      const openedAt = new Date(opened)
      const after = (hours: number) => owner(new Date(openedAt.getTime() + hours * HOUR_MS))
      const isOld = openedAt < daysBefore(today, 8)
      const wished = isOld ? (chance.is(0.93) ? 4 : 2) : chance.whole(0, 4)
      const reached = Math.min(wished, stepsTaken(openedAt, STEPS, today))
      if (reached >= 1) await updateAlert(after(2), id, { status: 'acknowledged' }, () => true)
      if (reached >= 2) await updateAlert(after(5), id, { status: 'in_progress' }, () => true)
      if (reached >= 2 && stepsTaken(openedAt, [6], today) > 0 && chance.is(0.4))
        await addComment(after(6), id, { text: chance.pick(COMMENTS) })
      if (reached < 3) continue
      const words = { root_cause: chance.pick(CAUSES), resolution: chance.pick(RESOLUTIONS) }
      await updateAlert(after(20), id, { status: 'resolved', ...words }, () => true)
      if (reached === 4 && chance.is(0.8)) await updateAlert(after(48), id, { status: 'closed' }, () => true)
    }
    cursor = page.next_cursor
  } while (cursor)
}

export async function workOnLeads({ owner, today, chance }: Stage): Promise<void> {
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof listLeads>> = await listLeads(
      owner(today),
      LeadQuery.parse({ limit: '100', ...(cursor && { cursor }) }),
    )
    for (const { id: text, created_at: created } of page.data) {
      const id = parseId('lead', text)
      const status = chance.pick(['new', 'contacted', 'contacted', 'qualified', 'converted', 'lost'] as const)
      const createdAt = new Date(created)
      if (!id || status === 'new' || stepsTaken(createdAt, [LEAD_HOURS], today) === 0) continue
      const scope = owner(new Date(createdAt.getTime() + LEAD_HOURS * HOUR_MS))
      await updateLead(scope, id, { status, tags: [chance.pick(['spring', 'newsletter', 'shop'])] })
      if (chance.is(0.4)) await addLeadNote(scope, id, { text: 'Asked for the price of ten, sent an offer.' })
    }
    cursor = page.next_cursor
  } while (cursor)
}
