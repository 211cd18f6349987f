import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Empty, Status } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../app/me.ts'
import { Call } from '../../frame/call.tsx'
import { Screen, Lede, NewButton } from '../../frame/screen.tsx'
import { reasonOf } from '../../frame/failure.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { LoadedRows, Row, UnseenHead } from '../../frame/loaded.tsx'
import { surveyNamesQuery } from '../../list/names.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'

const BadgeForm = lazy(() => import('./badge-form.tsx').then(({ BadgeForm }) => ({ default: BadgeForm })))

type Badge = Schemas['Badge']

const NEW = 'new'

/** Which figures do our sites show? */
export function Badges() {
  const words = useWords()
  const navigate = useNavigate()
  const { badge: openId }: { badge?: string } = useSearch({ strict: false })
  const mayManage = useMay('badges.manage')
  const [deleting, setDeleting] = useState<Badge | null>(null)
  const surveys = useQuery(surveyNamesQuery)
  const list = useQuery({
    queryKey: ['badges'],
    queryFn: () => answerOf(api.GET('/v1/badges', { params: { query: { limit: 100 } } })),
  })
  const go = (badge?: string) => void navigate({ to: '/app/badges', search: badge === undefined ? {} : { badge } })
  const open = list.data?.data.find(({ id }) => id === openId)
  const isOpen = open !== undefined || (openId === NEW && mayManage)
  const add = mayManage && <NewButton label={words('badges:new')} onPress={() => go(NEW)} />
  const surveyName = ({ survey_id: id }: Badge) => surveys.data?.data.find((survey) => survey.id === id)?.name ?? ''
  return (
    <Screen title={words('frame:screens.badges')} end={add}>
      <div className={isOpen ? 'split' : ''}>
        <div className={isOpen ? 'wide' : ''}>
          <LoadedRows
            query={list}
            empty={
              <Empty title={words('badges:empty')} actions={isOpen ? null : add}>
                <p>{words('badges:emptyText')}</p>
                <Call path="/v1/badges" body={'{"name": "…", "survey_id": "srv_…", "metric": "nps"}'} />
              </Empty>
            }
          >
            {(badges) => (
              <>
                <Summary badges={badges} />
                <table className="table tall badges" aria-label={words('frame:screens.badges')}>
                  <thead>
                    <tr>
                      <th>{words('list:fields.name')}</th>
                      <th className="end">{words('badges:picture')}</th>
                      <th className="wide">{words('list:fields.state')}</th>
                      {mayManage && <UnseenHead className="end wide">{words('list:menu')}</UnseenHead>}
                    </tr>
                  </thead>
                  <tbody>
                    {badges.map((badge) => (
                      <Row key={badge.id} onOpen={() => go(badge.id)}>
                        <td className="first">
                          <span className="pair">
                            <button
                              type="button"
                              className="strong cut"
                              aria-current={badge.id === openId ? 'true' : undefined}
                              onClick={() => go(badge.id)}
                            >
                              <bdi>{badge.name}</bdi>
                            </button>
                            <small className="cut">
                              <bdi>{surveyName(badge)}</bdi>
                            </small>
                          </span>
                        </td>
                        <td className="end when">
                          {badge.enabled ? (
                            <img src={pictureOf(badge)} alt={badge.label} height={badge.style === 'card' ? 44 : 20} />
                          ) : (
                            <span className="faint">–</span>
                          )}
                        </td>
                        <td className="wide">
                          <Status tone={badge.enabled ? 'ok' : 'plain'}>
                            {words(badge.enabled ? 'badges:shown' : 'badges:hidden')}
                          </Status>
                        </td>
                        {mayManage && (
                          <td className="end wide" style={{ width: 60 }}>
                            <BadgeMenu badge={badge} onOpen={() => go(badge.id)} onDelete={() => setDeleting(badge)} />
                          </td>
                        )}
                      </Row>
                    ))}
                  </tbody>
                </table>
              </>
            )}
          </LoadedRows>
        </div>
        {isOpen && (
          <aside aria-label={words('badges:badge')}>
            <Suspense>
              <BadgeForm
                key={openId}
                badge={open ?? null}
                mayManage={mayManage}
                menu={
                  open &&
                  mayManage && <BadgeMenu badge={open} onOpen={() => go(open.id)} onDelete={() => setDeleting(open)} />
                }
                onMade={go}
                onClose={() => go()}
              />
            </Suspense>
          </aside>
        )}
      </div>
      {deleting && (
        <DeleteBadge
          badge={deleting}
          onClose={(isGone) => {
            if (isGone && deleting.id === openId) go()
            setDeleting(null)
          }}
        />
      )}
    </Screen>
  )
}

/** By a relative address, and anew after each change: readers keep a picture for five minutes. */
function pictureOf({ svg_url: url, updated_at: at }: Badge): string {
  return `${new URL(url, location.origin).pathname}?${Date.parse(at)}`
}

function Summary({ badges }: { badges: Badge[] }) {
  const words = useWords()
  const shown = badges.filter(({ enabled }) => enabled).length
  return <Lede>{words('badges:lede', { count: shown, n: formatNumber(shown) })}</Lede>
}

interface MenuProps {
  badge: Badge
  onOpen: () => void
  onDelete: () => void
}

function BadgeMenu({ badge: { id, name, enabled }, onOpen, onDelete }: MenuProps) {
  const words = useWords()
  const client = useQueryClient()
  const turn = useMutation({
    mutationFn: (on: boolean) =>
      answerOf(api.PATCH('/v1/badges/{id}', { params: { path: { id } }, body: { enabled: on } })),
    onSuccess: (_, on) => {
      void client.invalidateQueries({ queryKey: ['badges'] })
      toast({
        text: words(on ? 'badges:turnedOn' : 'badges:turnedOff', { name }),
        action: { label: words('frame:undo'), onPress: () => turn.mutate(!on) },
      })
    },
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  return (
    <Menu
      size="square"
      label={words('badges:menuOf', { name })}
      groups={[
        {
          items: [
            { label: words('badges:change'), icon: 'pencil', onChoose: onOpen },
            { label: words(enabled ? 'badges:turnOff' : 'badges:turnOn'), onChoose: () => turn.mutate(!enabled) },
          ],
        },
        { items: [{ label: words('frame:delete'), icon: 'trash', onChoose: onDelete }] },
      ]}
    >
      <Icon name="ellipsis" />
    </Menu>
  )
}

function DeleteBadge({ badge: { id, name }, onClose }: { badge: Badge; onClose: (isGone: boolean) => void }) {
  const words = useWords()
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => answerOf<unknown>(api.DELETE('/v1/badges/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['badges'] })
      onClose(true)
    },
  })
  return (
    <Confirm
      title={words('badges:deleteTitle', { name })}
      verb={words('frame:delete')}
      act={remove}
      onClose={() => onClose(false)}
    >
      <p>{words('badges:deleteText')}</p>
    </Confirm>
  )
}
