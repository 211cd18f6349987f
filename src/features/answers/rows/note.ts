import { notFound, Problem } from '../../../http/problems/problem.ts'
import { formatId, newIdAt, type Id } from '../../../platform/ids.ts'
import { callerId, type Principal } from '../../../platform/principal.ts'

/** A note of the team about a response or a lead. */
export interface Note {
  id: string
  text: string
  /** The user or API key, as a TypeID. */
  author: string | null
  created_at: string
  edited_at: string | null
}

export function newNote(principal: Principal, text: string, now: Date): Note {
  const id = formatId('note', newIdAt('note', now))
  return { id, text, author: callerId(principal), created_at: now.toISOString(), edited_at: null }
}

/** @throws Problem 404 for an unknown note, 403 `not_author` for others than its author. */
export function editedNotes(
  notes: Note[],
  id: Id<'note'>,
  by: { principal: Principal; text: string; now: Date },
): Note[] {
  const note = find(notes, id)
  if (note.author === null || note.author !== callerId(by.principal))
    throw new Problem(403, 'not_author', { detail: 'Only its author can change a note. You can delete it.' })
  const edited = { ...note, text: by.text, edited_at: by.now.toISOString() }
  return note.text === by.text ? notes : notes.map((each) => (each === note ? edited : each))
}

/** @throws Problem 404 for an unknown note. */
export function notesWithout(notes: Note[], id: Id<'note'>): Note[] {
  const note = find(notes, id)
  return notes.filter((each) => each !== note)
}

function find(notes: Note[], id: Id<'note'>): Note {
  const name = formatId('note', id)
  const note = notes.find((each) => each.id === name)
  if (!note) throw notFound()
  return note
}
