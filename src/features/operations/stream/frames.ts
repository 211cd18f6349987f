import type { ChangeRow } from '../../../platform/topics.ts'

// One event of a stream, as text/event-stream writes it (HTML standard, "Server-sent events").

export const COMMENT = ':\n\n'
export const RESET = 'event: reset\ndata: {}\n\n'

export type EndReason = 'session_ended' | 'forbidden' | 'ip_not_allowed' | 'slow' | 'shutdown' | 'expired'

export function endFrame(reason: EndReason): string {
  return `event: end\ndata: ${JSON.stringify({ reason })}\n\n`
}

// All streams of a workspace share the rows, so each is written once.
const written = new WeakMap<ChangeRow, string>()

export function changeFrame(row: ChangeRow): string {
  const known = written.get(row)
  if (known !== undefined) return known
  const { id, topic, type, object_id, survey_id, at } = row
  const data = { type, id: object_id, ...(survey_id !== null && { survey_id }), at: at.toISOString() }
  const frame = `id: ${id}\nevent: ${topic}\ndata: ${JSON.stringify(data)}\n\n`
  written.set(row, frame)
  return frame
}

/** Several changes of one thing as one: the newest, unless the thing is new or gone. */
export function merged(rows: ChangeRow[]): ChangeRow[] {
  const byThing = Map.groupBy(rows, ({ topic, object_id }) => `${topic} ${object_id}`)
  return [...byThing.values()]
    .map((all) => {
      const last = all.at(-1) as ChangeRow
      if (all.length === 1) return last
      const type = all[0]?.type === 'created' && last.type === 'updated' ? 'created' : last.type
      return { ...last, type, survey_id: last.survey_id ?? all.find((row) => row.survey_id)?.survey_id ?? null }
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
}
