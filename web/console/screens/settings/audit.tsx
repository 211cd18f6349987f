import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Note, Status } from '../../../ui/parts.tsx'
import type { ListState } from '../../app/list-state.ts'
import { placeOf } from '../../app/screens.ts'
import { Problem } from '../../frame/failure.tsx'
import { FilterBar } from '../../list/filter/filter-bar.tsx'
import { useFields } from '../../list/filter/fields.ts'
import { usePages } from '../../list/pages.ts'
import { Table, type Column } from '../../list/table.tsx'
import { rolesQuery, useMemberName } from '../../app/me.ts'
import { roleName } from '../../frame/role-choice.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatMoment, formatNumber } from '../../words/format.ts'
import { useWords, type Words } from '../../words/words.ts'
import { Settings } from './layout.tsx'

type Entry = Schemas['AuditEntry']

/** Shows who did what, and whether the log is whole. */
export function Audit() {
  const words = useWords()
  const navigate = useNavigate()
  const state = useSearch({ strict: false }) as ListState
  const fields = useFields('audit')
  const nameOf = useMemberName()
  const roles = useRoleNames()
  const filter = state.filter === undefined ? undefined : JSON.stringify(state.filter)
  const list = usePages<Entry>({
    queryKey: ['audit', filter],
    fetchPage: (cursor) =>
      answerOf(
        api.GET('/v1/audit', {
          params: { query: { limit: 200, ...(filter && { filter }), ...(cursor && { cursor }) } as never },
        }),
      ),
  })
  return (
    <Settings name="audit" end={<Verify />}>
      <FilterBar
        fields={fields}
        filter={state.filter}
        onChange={(next) => void navigate({ to: '.', search: next ? { filter: next } : {} })}
      />
      {list.error && list.rows.length === 0 ? (
        <Problem error={list.error} onRetry={list.refetch} />
      ) : (
        <Table
          label={words('settings:places.audit')}
          columns={columnsOf(words, nameOf, roles)}
          list={list}
          onOpen={() => {}}
        />
      )}
    </Settings>
  )
}

/** The names of roles by their ids, which is all that the log has of them. */
function useRoleNames(): ReadonlyMap<string, string> {
  const words = useWords()
  const { data } = useQuery(rolesQuery)
  return new Map((data?.data ?? []).map(({ id, name }) => [id, roleName(name, words)]))
}

function columnsOf(
  words: Words,
  nameOf: ReturnType<typeof useMemberName>,
  roles: ReadonlyMap<string, string>,
): Column<Entry>[] {
  return [
    {
      id: 'at',
      label: words('list:fields.at'),
      className: 'faint nowrap',
      width: '190px',
      render: ({ at }) => formatMoment(at),
    },
    {
      id: 'actor',
      label: words('list:fields.actor'),
      className: 'first',
      render: ({ actor }) => <bdi className="cut">{nameOf(actor.id) ?? words(`settings:actors.${actor.type}`)}</bdi>,
    },
    {
      id: 'action',
      label: words('list:fields.action'),
      render: ({ action, outcome }) => (
        <span className="cut" title={action}>
          {actionText(action, words)}{' '}
          {outcome !== 'ok' && <Status tone="bad">{words(`settings:outcomes.${outcome}`)}</Status>}
        </span>
      ),
    },
    {
      id: 'target',
      label: words('list:fields.target'),
      className: 'wide',
      render: ({ target }) => {
        if (!target) return null
        const role = roles.get(target.id)
        if (role !== undefined) return <bdi>{role}</bdi>
        const place = placeOf(target.id)
        const id = (
          <span className="mono cut" dir="ltr">
            {`${target.id.slice(0, target.id.indexOf('_') + 1)}…${target.id.slice(-6)}`}
          </span>
        )
        return place ? <Link to={place}>{id}</Link> : id
      },
    },
    {
      id: 'changes',
      label: words('settings:audit.changed'),
      className: 'soft wide rest',
      render: ({ changes }) => <bdi dir="ltr">{changes.map((change) => changeText(change, roles)).join(', ')}</bdi>,
    },
  ]
}

function actionText(action: string, words: Words): string {
  const [thing = '', act = ''] = action.split('.')
  return `${words(`settings:audit.things.${thing}`)}: ${words(`settings:audit.acts.${act}`)}`
}

function changeText({ path, from, to }: Entry['changes'][number], names: ReadonlyMap<string, string>): string {
  const text = (value: unknown) => (typeof value === 'string' ? (names.get(value) ?? value) : shown(value))
  if (from === undefined) return to === undefined ? path : `${path}: ${text(to)}`
  return `${path}: ${text(from)} → ${text(to)}`
}

function shown(value: unknown): string {
  return value === undefined || value === null ? '–' : typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function Verify() {
  const words = useWords()
  const verify = useMutation({ mutationFn: () => answerOf(api.GET('/v1/audit/verify')) })
  const verdict = verify.data
  return (
    <>
      {verify.error && <Problem error={verify.error} />}
      {verdict &&
        (verdict.ok ? (
          <Status tone="ok">
            {words('settings:whole', { count: verdict.entries, n: formatNumber(verdict.entries) })}
          </Status>
        ) : (
          <Note tone="bad">{words('settings:broken', { at: verdict.broken_at ?? '–' })}</Note>
        ))}
      <Button isBusy={verify.isPending} onClick={() => verify.mutate()}>
        <Icon name="shield" isSmall />
        {words('settings:verify')}
      </Button>
    </>
  )
}
