import { useQuery } from '@tanstack/react-query'
import { Status } from '../../../ui/parts.tsx'
import { useMemberName } from '../../app/me.ts'
import { ruleNamesQuery } from '../../list/names.ts'
import { formatMoment, formatTimeAgo } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import type { Alert } from './change.ts'
import { isDone } from './steps.ts'

/** When an alert is due, or since when it is done. */
export function Due({ alert }: { alert: Alert }) {
  const words = useWords()
  const { due_at: dueAt, resolved_at: resolvedAt, overdue, status } = alert
  if (isDone(status))
    return (
      <span className="faint nowrap">
        <TimeAgo at={resolvedAt ?? alert.opened_at} />
      </span>
    )
  if (dueAt === null) return <span className="faint nowrap">{words('alerts:noDue')}</span>
  const text = (
    <time dateTime={dueAt} title={formatMoment(dueAt)}>
      {words('alerts:due', { when: formatTimeAgo(dueAt, Date.now()) })}
    </time>
  )
  if (!overdue) return <span className="faint nowrap">{text}</span>
  return (
    <Status tone="bad" icon="circle-alert">
      {text}
    </Status>
  )
}

/** The owner as a sign with two letters. */
export function Owner({ id }: { id: string | null }) {
  const words = useWords()
  const nameOf = useMemberName()
  const name = id === null ? words('alerts:nobody') : (nameOf(id) ?? words('alerts:former'))
  const letters = name
    .split(/\s+/)
    .slice(0, 2)
    .map((part) => part.slice(0, 1))
    .join('')
  return (
    <span className={`avatar ${id === null ? 'none' : ''}`} role="img" aria-label={name} title={name}>
      {id !== null && <span aria-hidden="true">{letters}</span>}
    </span>
  )
}

/** The name of a rule, also if the rule is deleted. */
export function useRuleName(): (id: string) => string {
  const words = useWords()
  const { data } = useQuery(ruleNamesQuery)
  return (id) => data?.data.find((rule) => rule.id === id)?.name ?? (data ? words('alerts:goneRule') : '')
}
