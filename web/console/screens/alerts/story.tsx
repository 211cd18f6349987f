import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useMemberName } from '../../app/me.ts'
import { Problem } from '../../frame/failure.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatMoment } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import { useRuleName } from './alert-words.tsx'

type AlertDetail = Schemas['AlertDetail']
type Entry = AlertDetail['timeline'][number]

const ICONS: Record<string, string> = {
  opened: 'bell',
  escalated: 'arrow-up',
  comment: 'message-circle',
  status: 'circle-check',
  owner_id: 'user-plus',
  priority: 'flag',
  due_at: 'clock',
  case_url: 'link',
}

/** The story of an alert, oldest first, and a place for a comment. */
export function Story({ alert, mayManage }: { alert: AlertDetail; mayManage: boolean }) {
  const words = useWords()
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: (text: string) =>
      answerOf(api.POST('/v1/alerts/{id}/comments', { params: { path: { id: alert.id } }, body: { text } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['alert', alert.id] }),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const text = String(new FormData(form).get('text')).trim()
    if (text !== '') add.mutate(text, { onSuccess: () => form.reset() })
  }
  return (
    <section className="section">
      <header>
        <h2>{words('alerts:story')}</h2>
      </header>
      <ol className="timeline">
        {alert.timeline.map((entry, at) => (
          <li key={at}>
            <span className="dot">
              <Icon name={ICONS[entry.kind] ?? 'pencil'} />
            </span>
            <Happening entry={entry} ruleId={alert.rule_id} />
            <TimeAgo at={entry.at} />
          </li>
        ))}
      </ol>
      {mayManage && (
        <form className="form" onSubmit={submit}>
          <textarea
            className="input"
            name="text"
            rows={2}
            maxLength={5000}
            aria-label={words('alerts:writeComment')}
            placeholder={words('alerts:writeComment')}
          />
          {add.error && <Problem error={add.error} />}
          <div className="actions">
            <Button type="submit" isBusy={add.isPending}>
              {words('alerts:comment')}
            </Button>
          </div>
        </form>
      )}
    </section>
  )
}

function Happening({ entry, ruleId }: { entry: Entry; ruleId: string }) {
  const words = useWords()
  const memberName = useMemberName()
  const ruleName = useRuleName()
  const { actor, kind, to, text } = entry
  const nameOf = (id: string | null) =>
    id === null
      ? words('alerts:byServer')
      : (memberName(id) ?? words(id.startsWith('usr_') ? 'alerts:former' : 'alerts:byMachine'))
  const who = nameOf(actor)
  const sentences: Record<string, () => string> = {
    opened: () => words('alerts:story.opened', { rule: ruleName(ruleId) }),
    escalated: () => words(to === null ? 'alerts:story.escalated' : 'alerts:story.escalatedTo', { name: nameOf(to) }),
    comment: () => who,
    status: () => words('alerts:story.status', { who, to: words(`list:values.${to}`) }),
    owner_id: () =>
      to === null
        ? words('alerts:story.noOwner', { who })
        : actor === to
          ? words('alerts:story.took', { who })
          : words('alerts:story.gave', { who, to: nameOf(to) }),
    priority: () => words('alerts:story.priority', { who, to: words(`list:values.${to}`) }),
    due_at: () =>
      to === null ? words('alerts:story.noDue', { who }) : words('alerts:story.due', { who, to: formatMoment(to) }),
  }
  const said: ReactNode = (
    sentences[kind] ?? (() => words('alerts:story.wrote', { who, field: words(`list:fields.${kind}`) }))
  )()
  return (
    <span style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
      <span className={kind === 'comment' ? 'strong' : ''}>{said}</span>
      {text !== null && (
        <>
          <br />
          <bdi dir="auto">{text}</bdi>
        </>
      )}
    </span>
  )
}
