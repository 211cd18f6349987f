import { hash } from 'node:crypto'
import { formatId, type Id } from '../../../../platform/ids.ts'

const BODIES_AT_MOST = 500

/** Which sections of an event a webhook is sent. */
export interface Toggles {
  include_text: boolean
  include_custom_data: boolean
  include_answers: boolean
}

export interface EventEnvelope {
  id: string
  type: string
  createdAt: string
  /** JSON of the unredacted `data`. */
  data: string
}

export interface RenderedBody {
  body: string
  /** Names of the sections that a toggle took out, or that nobody gets. */
  omitted: string[]
}

// `score` is an answer in another form, so it goes with the answers.
const SECTIONS: Array<{ name: string; toggle: keyof Toggles; members: string[] }> = [
  { name: 'answers', toggle: 'include_answers', members: ['answers', 'score'] },
  { name: 'text', toggle: 'include_text', members: ['text'] },
  { name: 'customData', toggle: 'include_custom_data', members: ['customData'] },
]

/**
 * The exact bytes of a delivery. The same event and toggles always give the same string, so a retry
 * carries the body of the first attempt unless a toggle changed or an erasure took something out.
 */
export function renderBody(event: EventEnvelope, toggles: Toggles): RenderedBody {
  const data = JSON.parse(event.data) as Record<string, unknown>
  const present = SECTIONS.filter((section) => section.name in data)
  const withheld = Array.isArray(data['omitted']) ? data['omitted'] : []
  const hidden = present.filter((section) => !toggles[section.toggle] || withheld.includes(section.name))
  for (const section of hidden) for (const member of section.members) delete data[member]
  const omitted = hidden.map((section) => section.name)
  const shown = present.length > 0 ? { ...data, omitted } : data
  const { id, type, createdAt } = event
  return { body: JSON.stringify({ id, type, createdAt, apiVersion: 'v1', data: shown }), omitted }
}

/** The toggles of a webhook that is gone, told from the sections that its last attempt omitted. */
export function togglesOf(omitted: readonly string[]): Toggles {
  return {
    include_answers: !omitted.includes('answers'),
    include_text: !omitted.includes('text'),
    include_custom_data: !omitted.includes('customData'),
  }
}

export function sha256(body: string): string {
  return hash('sha256', body)
}

export interface HashedBody extends RenderedBody {
  bodySha256: string
}

/** Bodies of the latest events. An event for many webhooks is rendered once for each setting of the toggles. */
export interface Bodies {
  render(
    event: Pick<EventEnvelope, 'type' | 'data'> & { id: Id<'event'>; createdAt: Date },
    toggles: Toggles,
  ): HashedBody
}

export function createBodies(): Bodies {
  const rendered = new Map<string, { data: string; hashed: HashedBody }>()
  return {
    render(event, toggles) {
      const key = `${event.id} ${toggles.include_answers} ${toggles.include_text} ${toggles.include_custom_data}`
      const known = rendered.get(key)
      // An erasure changes the data of an event, and what it took out must not be sent from memory.
      if (known?.data === event.data) return known.hashed
      const { id, createdAt } = event
      const envelope = { ...event, id: formatId('event', id), createdAt: createdAt.toISOString() }
      const body = renderBody(envelope, toggles)
      const hashed = { ...body, bodySha256: sha256(body.body) }
      if (rendered.size >= BODIES_AT_MOST) rendered.clear()
      rendered.set(key, { data: event.data, hashed })
      return hashed
    },
  }
}
