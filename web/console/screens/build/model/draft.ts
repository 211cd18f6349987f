import type {
  Ending,
  LocalizedText,
  Question,
  Quota,
  Rule,
  SurveyDefinition,
} from '../../../../../src/survey-engine/model/definition.ts'

export type { Ending, LocalizedText, Question, Quota, Rule, SurveyDefinition }

/** All that an author changes: the definition, and settings that hold at once. It is never changed in place. */
export interface Draft extends SurveyDefinition {
  name: string
  starts_at: string | null
  closes_at: string | null
  response_limit: number | null
}
export type Member = keyof Draft

export const MEMBERS = Object.keys({
  name: true,
  starts_at: true,
  closes_at: true,
  response_limit: true,
  metric: true,
  default_language: true,
  languages: true,
  messages: true,
  questions: true,
  logic: true,
  custom_fields: true,
  variables: true,
  endings: true,
  quotas: true,
  dedupe: true,
  single_use_tokens: true,
  allow_changes: true,
  lead_capture: true,
  privacy: true,
  layout: true,
  targeting: true,
  theme: true,
  proof_of_work: true,
} satisfies Record<Member, true>) as Member[]

const SETTINGS: ReadonlySet<string> = new Set(['name', 'starts_at', 'closes_at', 'response_limit'])

/** The members of a survey that belong to its draft. */
export function draftOf(survey: object): Draft {
  const all = survey as Record<string, unknown>
  return Object.fromEntries(MEMBERS.flatMap((name) => (name in all ? [[name, all[name]]] : []))) as unknown as Draft
}

/** The part that publishing makes a version. */
export function definitionOf(draft: Draft): SurveyDefinition {
  return Object.fromEntries(
    Object.entries(draft).filter(([name]) => !SETTINGS.has(name)),
  ) as unknown as SurveyDefinition
}

/** Deep equality of JSON values. A member that is undefined counts as absent. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...names].every((name) => isSame(left[name], right[name]))
}

/** One text for all values that are the same. */
export function keyOf(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}

/** Members that differ. Untouched members are the same object, so this costs nothing for them. */
export function changedMembers(before: Draft, after: Draft): Member[] {
  return MEMBERS.filter((name) => !isSame(before[name], after[name]))
}

/** The body of a PATCH that makes `before` become `after`. Null takes a member away. */
export function patchOf(before: Draft, after: Draft): Patch {
  return Object.fromEntries(changedMembers(before, after).map((name) => [name, after[name] ?? absent(name, after)]))
}
export type Patch = Partial<Record<Member, unknown>>

// The API takes no null for these: their default says the same.
function absent(name: Member, { dedupe }: Draft): unknown {
  if (name === 'proof_of_work') return false
  if (name === 'privacy') return 'open'
  return name === 'allow_changes' ? dedupe !== 'single_use' : null
}
