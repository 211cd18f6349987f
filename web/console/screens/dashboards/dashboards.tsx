import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Empty } from '../../../ui/parts.tsx'
import { useMay } from '../../app/me.ts'
import { Call } from '../../frame/call.tsx'
import { Screen, NewButton } from '../../frame/screen.tsx'
import { Problem } from '../../frame/failure.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { LoadedRows, Row, UnseenHead } from '../../frame/loaded.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import { UNAVAILABLE, type Dashboard } from '../../boards/queries.ts'
import { nameInWords } from '../../boards/titles.ts'

/** A copy of another dashboard, or an empty one. */
type NewBoard = Pick<Dashboard, 'name'> & { from: Dashboard | null }

/** Which figures stand side by side? */
export function Dashboards() {
  const words = useWords()
  const navigate = useNavigate()
  const mayManage = useMay('dashboards.manage')
  const [begun, setBegun] = useState<NewBoard | null>(null)
  const [deleting, setDeleting] = useState<Dashboard | null>(null)
  const list = useQuery({
    queryKey: ['dashboards'],
    queryFn: () => answerOf(api.GET('/v1/dashboards', { params: { query: { limit: 100 } } })),
  })
  const create = mayManage && (
    <NewButton label={words('dashboards:new')} onPress={() => setBegun({ name: '', from: null })} />
  )
  return (
    <Screen title={words('frame:screens.dashboards')} end={create}>
      <LoadedRows
        query={list}
        empty={
          <Empty title={words('dashboards:empty')} actions={create}>
            <Call path="/v1/dashboards" />
          </Empty>
        }
      >
        {(dashboards) => (
          <table className="table tall" aria-label={words('frame:screens.dashboards')}>
            <thead>
              <tr>
                <th>{words('list:fields.name')}</th>
                <th className="end wide">{words('dashboards:widgets')}</th>
                <th className="end wide">{words('dashboards:shares')}</th>
                <th className="wide">{words('list:fields.updated_at')}</th>
                {mayManage && <UnseenHead className="end">{words('list:menu')}</UnseenHead>}
              </tr>
            </thead>
            <tbody>
              {dashboards.map((dashboard) => (
                <Row
                  key={dashboard.id}
                  onOpen={() =>
                    void navigate({ to: '/app/dashboards/$dashboardId', params: { dashboardId: dashboard.id } })
                  }
                >
                  <td className="first">
                    <Link className="pair" to="/app/dashboards/$dashboardId" params={{ dashboardId: dashboard.id }}>
                      <bdi className="strong cut">{nameInWords(dashboard, words)}</bdi>
                      <small className="cut">{periodText(dashboard, words)}</small>
                    </Link>
                  </td>
                  <td className="end figure wide">{formatNumber(dashboard.widgets.length)}</td>
                  <td className="end figure wide">
                    {dashboard.shares.length === 0 ? (
                      <span className="faint">–</span>
                    ) : (
                      words('dashboards:links', {
                        count: dashboard.shares.length,
                        n: formatNumber(dashboard.shares.length),
                      })
                    )}
                  </td>
                  <td className="faint nowrap wide">
                    <TimeAgo at={dashboard.updated_at} />
                  </td>
                  {mayManage && (
                    <td className="end when" style={{ width: 60 }}>
                      <Menu
                        size="square"
                        label={words('dashboards:menuOf', { name: nameInWords(dashboard, words) })}
                        groups={[
                          {
                            items: [
                              {
                                label: words('dashboards:edit'),
                                icon: 'pencil',
                                onChoose: () =>
                                  void navigate({
                                    to: '/app/dashboards/$dashboardId',
                                    params: { dashboardId: dashboard.id },
                                    search: { edit: true },
                                  }),
                              },
                              {
                                label: words('dashboards:duplicate'),
                                icon: 'copy',
                                onChoose: () =>
                                  setBegun({
                                    name: words('dashboards:copyOf', { name: nameInWords(dashboard, words) }),
                                    from: dashboard,
                                  }),
                              },
                            ],
                          },
                          ...(dashboard.built_in
                            ? []
                            : [
                                {
                                  items: [
                                    {
                                      label: words('frame:delete'),
                                      icon: 'trash',
                                      onChoose: () => setDeleting(dashboard),
                                    },
                                  ],
                                },
                              ]),
                        ]}
                      >
                        <Icon name="ellipsis" />
                      </Menu>
                    </td>
                  )}
                </Row>
              ))}
            </tbody>
          </table>
        )}
      </LoadedRows>
      {begun && <NewDashboard begun={begun} onClose={() => setBegun(null)} />}
      {deleting && <DeleteDashboard dashboard={deleting} onClose={() => setDeleting(null)} />}
    </Screen>
  )
}

function periodText({ period }: Dashboard, words: ReturnType<typeof useWords>): string {
  return 'days' in period
    ? words('dashboards:lastDays', { count: period.days, n: formatNumber(period.days) })
    : `${period.from.slice(0, 10)} – ${period.to.slice(0, 10)}`
}

/** Names a dashboard, and opens it to be filled. */
function NewDashboard({ begun: { name, from }, onClose }: { begun: NewBoard; onClose: () => void }) {
  const words = useWords()
  const navigate = useNavigate()
  const client = useQueryClient()
  const create = useMutation({
    mutationFn: (named: string) => {
      const { timezone, period, filter, widgets } = from ?? {}
      const copied = from && { timezone, period, filter, widgets: widgets?.filter(({ kind }) => kind !== UNAVAILABLE) }
      return answerOf(api.POST('/v1/dashboards', { body: { name: named, ...copied } as never }))
    },
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: ['dashboards'] })
      void navigate({ to: '/app/dashboards/$dashboardId', params: { dashboardId: id }, search: { edit: true } })
    },
  })
  return (
    <Dialog
      title={words(from ? 'dashboards:duplicate' : 'dashboards:new')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form="new-dashboard" look="primary" isBusy={create.isPending}>
            {words('dashboards:create')}
          </Button>
        </>
      }
    >
      <form
        id="new-dashboard"
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate(String(new FormData(event.currentTarget).get('name')).trim())
        }}
      >
        {create.error && <Problem error={create.error} />}
        <Field label={words('list:fields.name')} name="name" defaultValue={name} maxLength={200} required autoFocus />
      </form>
    </Dialog>
  )
}

function DeleteDashboard({ dashboard: { id, name, shares }, onClose }: { dashboard: Dashboard; onClose: () => void }) {
  const words = useWords()
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => answerOf<unknown>(api.DELETE('/v1/dashboards/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['dashboards'] })
      onClose()
    },
  })
  return (
    <Confirm
      title={words('dashboards:deleteTitle', { name })}
      verb={words('frame:delete')}
      act={remove}
      onClose={onClose}
    >
      <p>{words('dashboards:deleteText', { count: shares.length, n: formatNumber(shares.length) })}</p>
    </Confirm>
  )
}
