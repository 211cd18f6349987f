import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Menu, type MenuItem } from '../../../ui/menu.tsx'
import { Empty, Skeleton, Status } from '../../../ui/parts.tsx'
import type { Tone } from '../../../ui/tone.ts'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../app/me.ts'
import { Problem, reasonOf } from '../../frame/failure.tsx'
import { Screen } from '../../frame/screen.tsx'
import { Count } from '../../list/count.tsx'
import { useListState } from '../../list/list-state.ts'
import { PAGE_ROWS, usePages } from '../../list/pages.ts'
import { Table, type Column } from '../../list/table.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords, type Words } from '../../words/words.ts'

type Survey = Schemas['SurveySummary']
type Verb = 'pause' | 'resume' | 'close' | 'archive'

const TONES: Record<Survey['state'], Tone> = {
  draft: 'plain',
  live: 'ok',
  paused: 'warn',
  closed: 'plain',
  archived: 'plain',
}
const VERBS: Record<Survey['state'], Verb[]> = {
  draft: ['archive'],
  live: ['pause', 'close'],
  paused: ['resume', 'close'],
  closed: ['archive'],
  archived: [],
}

/** The surveys of the workspace, those changed last first. */
export function Surveys() {
  const words = useWords()
  const navigate = useNavigate()
  const mayManage = useMay('surveys.manage')
  const { state, change, words: query, setWords } = useListState()
  const sort = state.sort ?? '-updated_at'
  const list = usePages<Survey>({
    queryKey: ['surveys', 'list', state.q, sort],
    fetchPage: (cursor) =>
      answerOf(
        api.GET('/v1/surveys', {
          params: {
            query: {
              limit: PAGE_ROWS,
              sort,
              ...(cursor !== null && { cursor }),
              ...(cursor === null && { count: 'true' as const }),
              ...(state.q !== undefined && { search: state.q }),
            },
          },
        }),
      ),
  })
  const columns = useColumns(words, mayManage)
  const create = mayManage && (
    <Button look="primary" onClick={() => void navigate({ to: '/app/welcome' })}>
      <Icon name="plus" isSmall />
      {words('surveys:new')}
    </Button>
  )
  return (
    <Screen title={words('frame:screens.surveys')} end={create}>
      {list.isRefetching && <div className="refetching" />}
      <div className="tools">
        <label className="search">
          <Icon name="search" isSmall />
          <input
            className="input"
            type="search"
            value={query}
            placeholder={words('surveys:search')}
            aria-label={words('surveys:search')}
            onChange={({ target }) => setWords(target.value)}
          />
        </label>
        <div className="end">
          <Count count={list.count} />
        </div>
      </div>
      {list.error && list.rows.length === 0 ? (
        <div className="in">
          <Problem error={list.error} onRetry={list.refetch} />
        </div>
      ) : list.isPending ? (
        <Skeleton label={words('frame:loading')} />
      ) : list.rows.length === 0 ? (
        state.q === undefined ? (
          <Empty title={words('surveys:empty')} actions={create}>
            <p>{words('surveys:emptyText')}</p>
            <pre
              className="code"
              tabIndex={0}
            >{`curl "$BASE/v1/surveys" -H "Authorization: Bearer $TOKEN" \\\n  -d '{"name": "…", "questions": […]}'`}</pre>
          </Empty>
        ) : (
          <Empty
            title={words('list:nothing')}
            actions={<Button onClick={() => setWords('')}>{words('list:clear')}</Button>}
          />
        )
      ) : (
        <Table
          label={words('frame:screens.surveys')}
          className="surveys"
          columns={columns}
          list={list}
          sort={sort}
          onSort={(next) => change({ sort: next })}
          onOpen={({ id }) => void navigate({ to: '/app/responses', search: { filter: onlyOf(id) } })}
          rowHeight={52}
        />
      )}
    </Screen>
  )
}

function onlyOf(id: string) {
  return { all: [{ field: 'survey_id', op: 'eq', value: id }] }
}

function useColumns(words: Words, mayManage: boolean): Column<Survey>[] {
  return [
    {
      id: 'name',
      label: words('surveys:name'),
      sort: 'name',
      className: 'first',
      render: ({ name, metric, question_count }) => (
        <span className="pair">
          <bdi className="cut strong">{name}</bdi>
          <small>
            {[
              ...(metric === null ? [] : [metric.toUpperCase()]),
              words('surveys:questions', { count: question_count }),
            ].join(' · ')}
          </small>
        </span>
      ),
    },
    {
      id: 'state',
      label: words('list:fields.state'),
      className: 'when',
      render: ({ state }) => <Status tone={TONES[state]}>{words(`surveys:states.${state}`)}</Status>,
    },
    {
      id: 'answers',
      label: words('surveys:answers'),
      isAtEnd: true,
      className: 'figure who',
      render: ({ response_count }) => formatNumber(response_count),
    },
    {
      id: 'last',
      label: words('surveys:last'),
      isAtEnd: true,
      className: 'faint nowrap wide',
      render: ({ last_response_at }) => (last_response_at === null ? '–' : <TimeAgo at={last_response_at} />),
    },
    {
      id: 'menu',
      label: '',
      isAtEnd: true,
      width: '60px',
      className: 'wide',
      render: (survey) => <SurveyMenu survey={survey} mayManage={mayManage} />,
    },
  ]
}

function SurveyMenu({ survey, mayManage }: { survey: Survey; mayManage: boolean }) {
  const words = useWords()
  const client = useQueryClient()
  const act = useMutation({
    mutationFn: (verb: Verb) => {
      const params = { params: { path: { id: survey.id } } }
      const calls = {
        pause: () => api.POST('/v1/surveys/{id}/pause', params),
        resume: () => api.POST('/v1/surveys/{id}/resume', params),
        close: () => api.POST('/v1/surveys/{id}/close', params),
        archive: () => api.POST('/v1/surveys/{id}/archive', params),
      }
      return answerOf<unknown>(calls[verb]())
    },
    onSuccess: (_, verb) => {
      void client.invalidateQueries({ queryKey: ['surveys'] })
      toast({ text: words(`surveys:done.${verb}`, { name: survey.name }) })
    },
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  const link = `${location.origin}/public/s/${survey.id}`
  const open: MenuItem[] =
    survey.state === 'live'
      ? [
          { label: words('surveys:open'), icon: 'eye', onChoose: () => void window.open(link, '_blank', 'noopener') },
          {
            label: words('surveys:copyLink'),
            icon: 'link',
            onChoose: () => {
              void navigator.clipboard.writeText(link)
              toast({ text: words('frame:copied') })
            },
          },
        ]
      : []
  const verbs = mayManage
    ? VERBS[survey.state].map((verb) => ({ label: words(`surveys:verbs.${verb}`), onChoose: () => act.mutate(verb) }))
    : []
  if (open.length + verbs.length === 0) return null
  return (
    <Menu
      size="square"
      label={words('surveys:menu', { name: survey.name })}
      groups={[{ items: open }, { items: verbs }].filter(({ items }) => items.length > 0)}
    >
      <Icon name="ellipsis" />
    </Menu>
  )
}
