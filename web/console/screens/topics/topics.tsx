import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Empty, Note, Status } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../app/me.ts'
import { topicName } from '../../figures/topic-names.ts'
import { Call } from '../../frame/call.tsx'
import { Screen, NewButton } from '../../frame/screen.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { reasonOf } from '../../frame/failure.tsx'
import { LoadedRows, UnseenHead } from '../../frame/loaded.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatLanguage, formatNumber, formatRate } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'

type Topic = Schemas['Topic']

const TopicDialog = lazy(() => import('./topic-dialog.tsx').then(({ TopicDialog }) => ({ default: TopicDialog })))
const MOST = 200
const REFRESH_MS = 3_000
const FEW_WORDS = 5

const topicsQuery = {
  queryKey: ['topics'],
  queryFn: () => answerOf(api.GET('/v1/topics', { params: { query: { limit: MOST } } })),
}

/** What do texts count as? */
export function Topics() {
  const words = useWords()
  const client = useQueryClient()
  const mayManage = useMay('responses.manage')
  const [editing, setEditing] = useState<Topic | 'new' | null>(null)
  const [deleting, setDeleting] = useState<Topic | null>(null)
  const list = useQuery({
    ...topicsQuery,
    refetchInterval: ({ state }) => (state.data?.data.some(isRunning) === true ? REFRESH_MS : false),
  })
  const themes = useQuery({
    queryKey: ['themes', 'topics'],
    queryFn: () => answerOf(api.GET('/v1/verbatim/themes', { params: { query: { interval: 'month' as const } } })),
    staleTime: 60_000,
  })
  const reread = () => client.invalidateQueries({ queryKey: ['topics'] })
  const turn = useMutation({
    mutationFn: ({ id, enabled }: Topic) =>
      answerOf(api.PATCH('/v1/topics/{id}', { params: { path: { id } }, body: { enabled: !enabled } })),
    onSuccess: (topic) => {
      void reread()
      toast({
        text: words(topic.enabled ? 'topics:turnedOn' : 'topics:turnedOff', { name: topicName(topic.name, words) }),
      })
    },
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  const remove = useMutation({
    mutationFn: ({ id }: Topic) => answerOf<unknown>(api.DELETE('/v1/topics/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      setDeleting(null)
      void reread()
    },
  })
  const topics = list.data?.data ?? []
  const running = topics.find(isRunning)
  const counts = new Map((themes.data?.data ?? []).map(({ topic, n }) => [topic.topic_id, n]))
  const create = mayManage && <NewButton label={words('topics:new')} onPress={() => setEditing('new')} />
  return (
    <Screen title={words('frame:screens.topics')} end={create}>
      {running && (
        <div className="in" style={{ flex: 'none', paddingBlockEnd: 0 }}>
          <Note icon="circle-dashed">
            {words('topics:running', {
              share: formatRate(
                Math.floor((100 * running.classification.done) / Math.max(1, running.classification.total)),
              ),
            })}
          </Note>
        </div>
      )}
      <LoadedRows
        query={list}
        empty={
          <Empty title={words('topics:empty')} actions={create}>
            <p>{words('topics:emptyText')}</p>
            <Call path="/v1/topics" body={'{"name": "…", "keywords": {"en": ["box", "packag*"]}}'} />
          </Empty>
        }
      >
        {(topics) => (
          <table
            className="table tall topics"
            aria-label={words('frame:screens.topics')}
            style={{ ['--row' as string]: '60px' }}
          >
            <thead>
              <tr>
                <th>{words('figures:topic')}</th>
                <th className="wide">{words('topics:state')}</th>
                <th className="end">{words('topics:texts')}</th>
                <UnseenHead className="wide">{words('frame:more')}</UnseenHead>
              </tr>
            </thead>
            <tbody>
              {topics.map((topic) => (
                <tr key={topic.id}>
                  <td className="first">
                    <span className="pair">
                      {mayManage ? (
                        <button type="button" className="strong cut" onClick={() => setEditing(topic)}>
                          <bdi>{topicName(topic.name, words)}</bdi>
                        </button>
                      ) : (
                        <bdi className="strong cut">{topicName(topic.name, words)}</bdi>
                      )}
                      <small className="cut">
                        {Object.entries(topic.keywords).map(([language, list]) => (
                          <span key={language}>
                            {formatLanguage(language)}: <bdi>{list.slice(0, FEW_WORDS).join(', ')}</bdi>{' '}
                          </span>
                        ))}
                      </small>
                    </span>
                  </td>
                  <td className="wide">
                    <Status tone={topic.enabled ? 'ok' : 'plain'}>
                      {words(topic.enabled ? 'topics:on' : 'topics:off')}
                    </Status>
                  </td>
                  <td className="end figure when">
                    <Link
                      className="link"
                      to="/app/verbatim"
                      search={{ filter: { all: [{ field: 'topic', op: 'eq', value: topic.id }] } }}
                      aria-label={words('topics:textsOf', {
                        name: topicName(topic.name, words),
                        n: formatNumber(counts.get(topic.id) ?? 0),
                      })}
                    >
                      {formatNumber(counts.get(topic.id) ?? 0)}
                    </Link>
                  </td>
                  <td className="wide" style={{ width: 60 }}>
                    {mayManage && (
                      <Menu
                        size="square"
                        label={words('topics:menu', { name: topicName(topic.name, words) })}
                        groups={[
                          {
                            items: [
                              { label: words('topics:change'), icon: 'pencil', onChoose: () => setEditing(topic) },
                              {
                                label: words(topic.enabled ? 'topics:turnOff' : 'topics:turnOn'),
                                onChoose: () => turn.mutate(topic),
                              },
                            ],
                          },
                          {
                            items: [
                              { label: words('frame:delete'), icon: 'trash', onChoose: () => setDeleting(topic) },
                            ],
                          },
                        ]}
                      >
                        <Icon name="ellipsis" />
                      </Menu>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </LoadedRows>
      {editing !== null && (
        <Suspense>
          <TopicDialog topic={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
        </Suspense>
      )}
      {deleting && (
        <Confirm
          title={words('topics:deleteTitle', { name: topicName(deleting.name, words) })}
          verb={words('frame:delete')}
          act={{ ...remove, mutate: () => remove.mutate(deleting) }}
          onClose={() => setDeleting(null)}
        >
          <p>
            {words('topics:deleteText', {
              count: counts.get(deleting.id) ?? 0,
              n: formatNumber(counts.get(deleting.id) ?? 0),
            })}
          </p>
        </Confirm>
      )}
    </Screen>
  )
}

function isRunning({ classification }: Topic): boolean {
  return classification.state === 'running'
}
