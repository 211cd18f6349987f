import type { Schemas } from '../../../../api/client.ts'

export type Org = Schemas['Org']

/** The settings that this screen changes. */
const MEMBERS = [
  'name',
  'timezone',
  'embed_origins',
  'remember_recipients',
  'ai',
  'quiet_hours',
  'contact_frequency',
  'business_hours',
  'retention',
] as const
type Member = (typeof MEMBERS)[number]
export type Draft = Pick<Org, Member>

/** Sets a setting of the draft. */
export type Set = <Name extends Member>(name: Name, value: Draft[Name]) => void

export function draftOf(org: Org): Draft {
  return Object.fromEntries(MEMBERS.map((name) => [name, org[name]])) as Draft
}

/** The settings that differ, as a change sends them. */
export function changesOf(saved: Org, draft: Draft): Partial<Draft> {
  const clean: Draft = {
    ...draft,
    name: draft.name.trim(),
    embed_origins: draft.embed_origins.map((line) => line.trim()).filter((line) => line !== ''),
  }
  return Object.fromEntries(
    MEMBERS.filter((name) => JSON.stringify(saved[name]) !== JSON.stringify(clean[name])).map((name) => [
      name,
      clean[name],
    ]),
  )
}
