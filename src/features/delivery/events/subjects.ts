import { formatId, parseId, type Id } from '../../../platform/ids.ts'

/** The thing that an event is about. */
export interface Subject {
  type: 'response' | 'alert' | 'lead' | 'survey' | 'export_run' | 'webhook'
  /** Its public id. */
  id: string
}

const KINDS = {
  response: { kind: 'response', type: 'response' },
  alert: { kind: 'alert', type: 'alert' },
  lead: { kind: 'lead', type: 'lead' },
  export: { kind: 'exportRun', type: 'export_run' },
  webhook: { kind: 'webhook', type: 'webhook' },
} as const
const PARTS = /(?:^|:)(response|alert|lead|export|webhook):([0-9a-f-]{36})(?=:|$)/g

/** The subject in the source of an event: its last thing. `response:…:alert:…:opened` is about the alert. */
export function subjectOf(event: string, source: string | null, surveyId: Id<'survey'> | null): Subject | null {
  if (event === 'survey.sent') return surveyId && { type: 'survey', id: formatId('survey', surveyId) }
  const last = [...(source ?? '').matchAll(PARTS)].at(-1)
  if (!last) return null
  const { kind, type } = KINDS[last[1] as keyof typeof KINDS]
  return { type, id: formatId(kind, last[2] as Id<typeof kind>) }
}

/** The alert or the lead that a source ends with. It may begin with their response. */
export function ownSubject(source: string): string | null {
  const [, name, id = null] = [...source.matchAll(PARTS)].at(-1) ?? []
  return name === 'alert' || name === 'lead' ? id : null
}

/** How the events about a subject are found. */
export type Sought = { source: string } | { subjectId: string } | { surveyId: Id<'survey'> }

/** Null for an id that no event is about. */
export function soughtOf(text: string): Sought | null {
  const surveyId = parseId('survey', text)
  if (surveyId) return { surveyId }
  const own = parseId('alert', text) ?? parseId('lead', text)
  if (own) return { subjectId: own }
  for (const [name, { kind }] of Object.entries(KINDS)) {
    const id = parseId(kind, text)
    if (id) return { source: `${name}:${id}:` }
  }
  return null
}
