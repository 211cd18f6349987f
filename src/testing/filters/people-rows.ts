import type { Occasion } from './contract.ts'
import type { Dice } from './random.ts'
import { idOf, MOMENTS, NOW, PLANS, SQL, uuidOf, type MadeRow } from './rows.ts'

export interface MadePerson extends MadeRow {
  invitations: Event[]
  responses: Event[]
  suppressed: Array<{ channel: string; hash: string }>
}

interface Event {
  at: string
  survey: number
  /** Whether it makes the person invited, or one who responded. */
  counts: boolean
}

export function makePerson(dice: Dice, n: number): MadePerson {
  const plan = dice.maybe<unknown>([...PLANS, null])
  const hasEmail = dice.chance(0.7)
  const row = {
    id: uuidOf('person', n),
    external_id: dice.chance(0.3) ? null : `${dice.one(['crm', 'CRM', 'É', SQL])}-${n}`,
    email_hash: hasEmail ? `e${n}` : null,
    phone_hash: !hasEmail || dice.chance(0.3) ? `p${n}` : null,
    language: dice.maybe(['en', 'DE', 'pt-BR', SQL]),
    timezone: dice.maybe(['Europe/Berlin', 'UTC']),
    attributes: plan === null && dice.chance(0.5) ? {} : { plan },
    created_at: dice.one(MOMENTS),
    updated_at: NOW,
    last_invited_at: dice.maybe(MOMENTS),
    last_responded_at: dice.maybe(MOMENTS),
    last_score: dice.maybe([0, 5, 9, 10]),
    last_band: dice.maybe(['promoter', 'detractor']),
  }
  const suppressed = dice
    .some(['email', 'sms', 'voice'], 2)
    .map((channel) => ({ channel, hash: channel === 'email' ? row.email_hash : row.phone_hash }))
    .filter((one): one is { channel: string; hash: string } => one.hash !== null)
  const past = MOMENTS.filter((at) => new Date(at) <= NOW)
  const events = () =>
    Array.from({ length: dice.below(3) }, () => ({
      at: dice.one(past),
      survey: dice.below(3),
      counts: dice.chance(0.8),
    }))
  const [invitations, responses] = [events(), events()]
  const occasions = (all: Event[]): Occasion[] =>
    all
      .filter(({ counts }) => counts)
      .map(({ at, survey }) => ({ at: new Date(at), survey_id: idOf('survey', survey) }))
  const unlessNull = <T>(value: T | null) => (value === null ? [] : [value])
  return {
    stored: row,
    invitations,
    responses,
    suppressed,
    seen: {
      external_id: unlessNull(row.external_id),
      language: unlessNull(row.language),
      timezone: unlessNull(row.timezone),
      'attribute.plan': unlessNull(plan as string | null),
      email: unlessNull(row.email_hash),
      phone: unlessNull(row.phone_hash),
      created_at: [new Date(row.created_at)],
      last_invited_at: unlessNull(row.last_invited_at).map((at) => new Date(at)),
      last_responded_at: unlessNull(row.last_responded_at).map((at) => new Date(at)),
      last_score: unlessNull(row.last_score),
      last_band: unlessNull(row.last_band),
      suppressed: suppressed.map(({ channel }) => channel),
      invited: occasions(invitations),
      responded: occasions(responses),
    },
  }
}
