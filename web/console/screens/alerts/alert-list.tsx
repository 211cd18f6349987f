import { useNavigate } from '@tanstack/react-router'
import { Status } from '../../../ui/parts.tsx'
import { useMay } from '../../app/me.ts'
import { Problem } from '../../frame/failure.tsx'
import { Count } from '../../list/count.tsx'
import { PAGE_ROWS, usePages } from '../../list/pages.ts'
import { useSelection } from '../../list/selection.ts'
import { PersonName } from '../../list/person-name.tsx'
import { Table, type Column } from '../../list/table.tsx'
import { withinList } from '../../list/beside.tsx'
import { answerOf, api } from '../../session/api.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords, type Words } from '../../words/words.ts'
import { AlertBatch } from './alert-batch.tsx'
import { Due, Owner, useRuleName } from './alert-words.tsx'
import { ScoreOf } from './board.tsx'
import type { Alert } from './change.ts'
import type { AlertsState } from './steps.ts'

interface Props {
  state: AlertsState
  openId: string | undefined
  onSort: (sort: string) => void
}

/** The alerts row by row. */
export function AlertList({ state, openId, onSort }: Props) {
  const words = useWords()
  const navigate = useNavigate()
  const ruleName = useRuleName()
  const filter = state.filter === undefined ? undefined : JSON.stringify(state.filter)
  const list = usePages<Alert>({
    queryKey: ['alerts', 'list', filter, state.sort],
    fetchPage: (cursor) =>
      answerOf(
        api.GET('/v1/alerts', {
          params: {
            query: {
              limit: PAGE_ROWS,
              ...(cursor !== null && { cursor }),
              ...(cursor === null && { count: 'true' as const }),
              ...(filter !== undefined && { filter }),
              ...(state.sort !== undefined && { sort: state.sort }),
            },
          },
        }),
      ),
  })
  const mayManage = useMay('alerts.manage')
  const selection = useSelection(filter ?? '')
  return (
    <>
      {list.error && <Problem error={list.error} onRetry={list.refetch} />}
      <Table
        label={words('frame:screens.alerts')}
        className="alerts"
        columns={columnsOf(words, ruleName)}
        list={list}
        openId={openId}
        selection={mayManage ? selection : undefined}
        sort={state.sort ?? '-opened_at'}
        onSort={onSort}
        onOpen={({ id }) =>
          void navigate({
            to: '/app/alerts/$alertId',
            params: { alertId: id },
            ...withinList(),
            replace: openId !== undefined,
          })
        }
      />
      {mayManage && (
        <AlertBatch
          selection={selection}
          filter={state.filter}
          matching={list.count?.matching}
          loaded={list.rows.length}
        />
      )}
      <p className="foot">
        <Count count={list.count} />
      </p>
    </>
  )
}

function columnsOf(words: Words, ruleName: (id: string) => string): Column<Alert>[] {
  return [
    {
      id: 'score',
      label: words('list:fields.score'),
      width: '64px',
      className: 'wide',
      render: (alert) => (alert.score === null ? <span className="faint">–</span> : <ScoreOf alert={alert} />),
    },
    {
      id: 'words',
      label: words('list:fields.text'),
      className: 'first said',
      render: ({ id, excerpt, rule_id }) => (
        <a className="cut" style={{ display: 'block' }} href={`/app/alerts/${id}`} onClick={open}>
          <bdi dir="auto">{excerpt ?? ruleName(rule_id)}</bdi>
        </a>
      ),
    },
    {
      id: 'person',
      label: words('list:fields.person_id'),
      className: 'who cut',
      render: ({ person_id }) => <PersonName id={person_id} none="–" />,
    },
    {
      id: 'rule',
      label: words('list:fields.rule_id'),
      className: 'wide faint nowrap',
      render: ({ rule_id }) => <bdi>{ruleName(rule_id)}</bdi>,
    },
    {
      id: 'status',
      label: words('list:fields.status'),
      className: 'wide nowrap',
      render: ({ status }) => <Status tone="plain">{words(`list:values.${status}`)}</Status>,
    },
    {
      id: 'priority',
      label: words('list:fields.priority'),
      sort: 'priority',
      className: 'wide',
      render: ({ priority }) => words(`list:values.${priority}`),
    },
    {
      id: 'owner',
      label: words('list:fields.owner_id'),
      className: 'wide nowrap',
      render: ({ owner_id }) => <Owner id={owner_id} />,
    },
    {
      id: 'due',
      label: words('list:fields.due_at'),
      sort: 'due_at',
      className: 'when',
      render: (alert) => <Due alert={alert} />,
    },
    {
      id: 'opened',
      label: words('list:fields.opened_at'),
      sort: 'opened_at',
      isAtEnd: true,
      className: 'faint nowrap wide',
      render: ({ opened_at }) => <TimeAgo at={opened_at} />,
    },
  ]
}

/** The row opens what its link names, without loading a page. */
function open(event: React.MouseEvent<HTMLAnchorElement>): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  event.currentTarget.closest('tr')?.click()
}
