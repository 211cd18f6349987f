import type { Dice } from './random.ts'
import { idOf, MOMENTS, NAMES, NOW, set, SQL, STATUSES, time, uuidOf, type MadeRow } from './rows.ts'

export function makeAlert(dice: Dice, n: number): MadeRow {
  const [rule, survey, owner] = [dice.below(3), dice.below(3), dice.maybe([0, 1])]
  const row = {
    id: uuidOf('alert', n),
    rule_id: uuidOf('alertRule', rule),
    survey_id: uuidOf('survey', survey),
    cause: `${n}`,
    status: dice.one(STATUSES.alerts),
    priority: dice.one(['low', 'normal', 'high', 'urgent']),
    owner_id: owner === null ? null : uuidOf('user', owner),
    opened_at: dice.one(MOMENTS),
    due_at: dice.maybe(MOMENTS),
    comment_count: 0,
    notify: [],
    revision: 1,
  }
  const isOpen = row.status !== 'resolved' && row.status !== 'closed'
  return {
    stored: row,
    seen: {
      status: [row.status],
      priority: [row.priority],
      rule_id: [idOf('alertRule', rule)],
      survey_id: [idOf('survey', survey)],
      owner_id: set(owner === null ? null : idOf('user', owner)),
      overdue: [isOpen && row.due_at !== null && new Date(row.due_at) < NOW],
      opened_at: time(row.opened_at),
      due_at: time(row.due_at),
    },
  }
}

export function makeLead(dice: Dice, n: number): MadeRow {
  const [survey, owner] = [dice.maybe([0, 1, 2]), dice.maybe([0, 1])]
  const row = {
    id: uuidOf('lead', n),
    status: dice.one(STATUSES.leads),
    source: dice.one(['response', 'manual']),
    survey_id: survey === null ? null : uuidOf('survey', survey),
    owner_id: owner === null ? null : uuidOf('user', owner),
    follow_up_at: dice.maybe(MOMENTS),
    tags: dice.some(NAMES, 3),
    created_at: dice.one(MOMENTS),
    updated_at: NOW,
  }
  return {
    stored: row,
    seen: {
      status: [row.status],
      source: [row.source],
      survey_id: set(survey === null ? null : idOf('survey', survey)),
      owner_id: set(owner === null ? null : idOf('user', owner)),
      tag: row.tags,
      created_at: time(row.created_at),
      follow_up_at: time(row.follow_up_at),
    },
  }
}

export function makeSend(dice: Dice, n: number): MadeRow {
  const [survey, invitation, agent] = [dice.below(3), dice.below(3), dice.maybe([0, 1, 2])]
  const row = {
    id: uuidOf('send', n),
    invitation_id: uuidOf('invitation', invitation),
    survey_id: uuidOf('survey', survey),
    channel: dice.one(['email', 'sms', 'voice']),
    reminder: 0,
    first_send_id: uuidOf('send', n),
    status: dice.one(STATUSES.sends),
    address_hash: 'x',
    masked: 'x',
    language: dice.maybe(['en', 'DE', 'pt-BR', SQL]),
    agent_id: agent === null ? null : uuidOf('agent', agent),
    attempts: 1,
    created_at: dice.one(MOMENTS),
  }
  return {
    stored: row,
    seen: {
      status: [row.status],
      channel: [row.channel],
      language: set(row.language),
      survey_id: [idOf('survey', survey)],
      invitation_id: [idOf('invitation', invitation)],
      agent_id: set(agent === null ? null : idOf('agent', agent)),
      created_at: time(row.created_at),
    },
  }
}

export function makeDelivery(dice: Dice, n: number): MadeRow {
  const [webhook, survey] = [dice.below(3), dice.maybe([0, 1, 2])]
  const row = {
    id: uuidOf('delivery', n),
    webhook_id: uuidOf('webhook', webhook),
    event_id: uuidOf('event', n),
    event: dice.one(['response.completed', 'alert.opened', 'Response.Completed']),
    survey_id: survey === null ? null : uuidOf('survey', survey),
    status: dice.one(STATUSES.webhook_deliveries),
    dead_lettered: dice.chance(0.3),
    created_at: dice.one(MOMENTS),
  }
  return {
    stored: row,
    seen: {
      status: [row.status],
      event: [row.event],
      webhook_id: [idOf('webhook', webhook)],
      survey_id: set(survey === null ? null : idOf('survey', survey)),
      dead_lettered: [row.dead_lettered],
      created_at: time(row.created_at),
    },
  }
}

export function makeEntry(dice: Dice, n: number): MadeRow {
  const row = {
    id: uuidOf('auditEntry', n),
    at: dice.one(MOMENTS),
    actor_type: 'user',
    actor_id: dice.maybe([idOf('user', 0), idOf('user', 1), SQL]),
    action: dice.one(['webhook.update', 'webhook.delete', 'user.sign_in', 'Survey.publish']),
    target_id: dice.maybe([idOf('webhook', 0), idOf('survey', 1)]),
    outcome: dice.one(STATUSES.audit),
    changes: [],
  }
  return {
    stored: row,
    seen: {
      actor: set(row.actor_id),
      action: [row.action],
      target: set(row.target_id),
      outcome: [row.outcome],
      at: time(row.at),
    },
  }
}
