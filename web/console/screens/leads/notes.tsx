import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { useMemberName, useMe } from '../../app/me.ts'
import { Problem } from '../../frame/failure.tsx'
import { answerOf, api } from '../../session/api.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import type { Lead } from './leads.tsx'

type Note = Lead['notes'][number]

/** Notes of colleagues. One's own can be changed. */
export function Notes({ lead, mayManage }: { lead: Lead; mayManage: boolean }) {
  const words = useWords()
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: (text: string) =>
      answerOf(api.POST('/v1/leads/{id}/notes', { params: { path: { id: lead.id } }, body: { text } })),
    onSuccess: (next) => client.setQueryData(['lead', lead.id], next),
  })
  if (!mayManage) return null
  return (
    <section className="section">
      <header>
        <h2>{words('list:fields.notes')}</h2>
      </header>
      {lead.notes.map((note) => (
        <OneNote key={note.id} lead={lead} note={note} />
      ))}
      <NoteForm
        label={words('leads:writeNote')}
        verb={words('leads:addNote')}
        isBusy={add.isPending}
        onText={add.mutateAsync}
      />
      {add.error && <Problem error={add.error} />}
    </section>
  )
}

function OneNote({ lead, note }: { lead: Lead; note: Note }) {
  const words = useWords()
  const me = useMe()
  const nameOf = useMemberName()
  const client = useQueryClient()
  const [isEditing, setEditing] = useState(false)
  const params = { params: { path: { id: lead.id, nid: note.id } } }
  const edit = useMutation({
    mutationFn: (text: string) => answerOf(api.PATCH('/v1/leads/{id}/notes/{nid}', { ...params, body: { text } })),
    onSuccess: (next) => {
      client.setQueryData(['lead', lead.id], next)
      setEditing(false)
    },
  })
  const remove = useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/leads/{id}/notes/{nid}', params)),
    onSuccess: () => client.invalidateQueries({ queryKey: ['lead', lead.id] }),
  })
  const error = edit.error ?? remove.error
  return (
    <div style={{ marginBlockEnd: 12 }}>
      <p className="filters">
        <b className="strong">
          <bdi>{nameOf(note.author) ?? words('leads:former')}</bdi>
        </b>
        <span className="faint">
          <TimeAgo at={note.created_at} />
          {note.edited_at !== null && ` · ${words('leads:edited')}`}
        </span>
        {!isEditing && note.author === me.user?.id && (
          <button type="button" className="link" onClick={() => setEditing(true)}>
            {words('leads:edit')}
          </button>
        )}
        <button type="button" className="link" onClick={() => remove.mutate()}>
          {words('frame:delete')}
        </button>
      </p>
      {isEditing ? (
        <NoteForm
          label={words('leads:edit')}
          verb={words('frame:save')}
          before={note.text}
          isBusy={edit.isPending}
          onText={edit.mutateAsync}
        />
      ) : (
        <p dir="auto" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
          {note.text}
        </p>
      )}
      {error && <Problem error={error} />}
    </div>
  )
}

interface FormProps {
  label: string
  verb: string
  before?: string
  isBusy: boolean
  onText: (text: string) => Promise<unknown>
}

function NoteForm({ label, verb, before, isBusy, onText }: FormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const text = String(new FormData(form).get('text')).trim()
    // A refusal is shown beside the form, which keeps its words.
    if (text !== '')
      void onText(text).then(
        () => form.reset(),
        () => {},
      )
  }
  return (
    <form className="form" onSubmit={submit}>
      <textarea
        className="input"
        name="text"
        rows={2}
        maxLength={5000}
        aria-label={label}
        placeholder={label}
        defaultValue={before}
      />
      <div className="actions">
        <Button type="submit" isBusy={isBusy}>
          {verb}
        </Button>
      </div>
    </form>
  )
}
