import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Empty, Note, Status } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../app/me.ts'
import { Call } from '../../frame/call.tsx'
import { Screen, Lede } from '../../frame/screen.tsx'
import { NotAllowed, reasonOf } from '../../frame/failure.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { Loaded, UnseenHead } from '../../frame/loaded.tsx'
import { scheduleText } from '../../schedules/schedule.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatMoment, formatNumber } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import { ExportTabs } from './tabs.tsx'
import { Templates } from './templates.tsx'

const ScheduleDialog = lazy(() =>
  import('./schedule-dialog.tsx').then(({ ScheduleDialog }) => ({ default: ScheduleDialog })),
)

type Schedule = Schemas['ExportSchedule']
type Template = Schemas['ExportTemplate']

export const schedulesQuery = {
  queryKey: ['export-schedules'],
  queryFn: () => answerOf(api.GET('/v1/export-schedules', { params: { query: { limit: 100 } } })),
}

export const templatesQuery = {
  queryKey: ['export-templates'],
  queryFn: () => answerOf(api.GET('/v1/export-templates', { params: { query: { limit: 100 } } })),
}

/** Which exports run by themselves, and does each still run? */
export function Schedules() {
  const words = useWords()
  const mayManage = useMay('exports.manage')
  const [editing, setEditing] = useState<Schedule | Template | null>(null)
  const schedules = useQuery({ ...schedulesQuery, enabled: mayManage })
  const templates = useQuery({ ...templatesQuery, enabled: mayManage })
  return (
    <Screen
      title={words('frame:screens.exports')}
      end={
        <Link className="button" to="/app/exports/new">
          <Icon name="plus" isSmall />
          {words('exports:newTemplate')}
        </Link>
      }
    >
      <ExportTabs current="schedules" />
      {mayManage ? (
        <Loaded query={templates}>
          {({ data: known }) => (
            <Loaded query={schedules}>
              {({ data }) =>
                known.length === 0 ? (
                  <Empty
                    title={words('exports:noTemplates')}
                    actions={
                      <Link className="button primary" to="/app/exports/new">
                        {words('exports:newTemplate')}
                      </Link>
                    }
                  >
                    <p>{words('exports:noTemplatesText')}</p>
                    <Call path="/v1/export-schedules" body={'{"template_id": "ext_…", "cron": "0 6 * * 1"}'} />
                  </Empty>
                ) : (
                  <>
                    <Summary schedules={data} />
                    {data.length > 0 && <ScheduleTable schedules={data} templates={known} onChange={setEditing} />}
                    <Templates templates={known} onSchedule={setEditing} />
                  </>
                )
              }
            </Loaded>
          )}
        </Loaded>
      ) : (
        <NotAllowed permission="exports.manage" />
      )}
      {editing && (
        <Suspense>
          <ScheduleDialog of={editing} onClose={() => setEditing(null)} />
        </Suspense>
      )}
    </Screen>
  )
}

function Summary({ schedules }: { schedules: Schedule[] }) {
  const words = useWords()
  const stopped = schedules.filter(({ paused_reason: reason }) => reason !== null).length
  const running = schedules.filter(({ enabled, paused_reason: reason }) => enabled && reason === null)
  const [next] = running.flatMap(({ next_run_at: at }) => at ?? []).toSorted()
  const shown = stopped > 0 ? stopped : running.length
  return (
    <Lede sub={next === undefined ? undefined : words('exports:lede.next', { at: formatMoment(next) })}>
      {words(stopped > 0 ? 'exports:lede.stopped' : 'exports:lede.running', { count: shown, n: formatNumber(shown) })}
    </Lede>
  )
}

interface TableProps {
  schedules: Schedule[]
  templates: Template[]
  onChange: (schedule: Schedule) => void
}

function ScheduleTable({ schedules, templates, onChange }: TableProps) {
  const words = useWords()
  const { schedule: asked }: { schedule?: string } = useSearch({ strict: false })
  const [deleting, setDeleting] = useState<Schedule | null>(null)
  const stopped = schedules.filter(({ paused_reason: reason }) => reason !== null)
  const nameOf = ({ template_id: id }: Schedule) => templates.find((each) => each.id === id)?.name ?? id
  return (
    <>
      {stopped.map((each) => (
        <div className="in" key={each.id} style={{ flex: 'none', paddingBlock: '0 16px' }}>
          <Note tone="warn">
            <b>
              <bdi>{nameOf(each)}</bdi>
            </b>{' '}
            {words(`exports:reasons.${each.paused_reason}`)}
          </Note>
        </div>
      ))}
      <table
        className="table tall"
        aria-label={words('exports:tabs.schedules')}
        style={{ ['--row' as string]: '88px' }}
      >
        <thead>
          <tr>
            <th>{words('exports:template')}</th>
            <th>{words('list:fields.state')}</th>
            <th className="wide">{words('exports:when')}</th>
            <th className="wide">{words('exports:nextRun')}</th>
            <th className="wide">{words('exports:lastRun')}</th>
            <UnseenHead className="end">{words('list:menu')}</UnseenHead>
          </tr>
        </thead>
        <tbody>
          {schedules.map((each) => (
            <tr
              key={each.id}
              className={each.id === asked ? 'current' : ''}
              aria-current={each.id === asked || undefined}
            >
              <td className="first">
                <span className="pair">
                  <button type="button" className="strong cut" onClick={() => onChange(each)}>
                    <bdi>{nameOf(each)}</bdi>
                  </button>
                  <small className="cut">{scheduleText(each, words)}</small>
                </span>
              </td>
              <td className="who">
                <ScheduleState schedule={each} />
              </td>
              <td className="wide">{scheduleText(each, words)}</td>
              <td className="faint nowrap wide">
                {each.next_run_at === null ? '–' : <TimeAgo at={each.next_run_at} />}
              </td>
              <td className="wide">
                {each.last_run_id === null ? (
                  <span className="faint">–</span>
                ) : (
                  <Link className="link" to="/app/exports/$runId" params={{ runId: each.last_run_id }}>
                    {words('exports:lastRunOpen')}
                  </Link>
                )}
              </td>
              <td className="end when" style={{ width: 60 }}>
                <ScheduleMenu
                  schedule={each}
                  name={nameOf(each)}
                  onChange={() => onChange(each)}
                  onDelete={() => setDeleting(each)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {deleting && <DeleteSchedule schedule={deleting} name={nameOf(deleting)} onClose={() => setDeleting(null)} />}
    </>
  )
}

function ScheduleState({ schedule: { enabled, paused_reason: reason } }: { schedule: Schedule }) {
  const words = useWords()
  if (reason !== null) return <Status tone="warn">{words('exports:scheduleStates.stopped')}</Status>
  return (
    <Status tone={enabled ? 'ok' : 'plain'} {...(!enabled && { icon: 'pause' })}>
      {words(enabled ? 'exports:scheduleStates.on' : 'exports:scheduleStates.off')}
    </Status>
  )
}

interface MenuProps {
  schedule: Schedule
  name: string
  onChange: () => void
  onDelete: () => void
}

function ScheduleMenu({ schedule: { id, enabled, paused_reason: reason }, name, onChange, onDelete }: MenuProps) {
  const words = useWords()
  const client = useQueryClient()
  const isOn = enabled && reason === null
  const turn = useMutation({
    mutationFn: (on: boolean) =>
      answerOf(api.PATCH('/v1/export-schedules/{id}', { params: { path: { id } }, body: { enabled: on } })),
    onSuccess: (_, on) => {
      void client.invalidateQueries({ queryKey: ['export-schedules'] })
      toast({
        text: words(on ? 'exports:resumed' : 'exports:paused', { name }),
        action: { label: words('frame:undo'), onPress: () => turn.mutate(!on) },
      })
    },
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  return (
    <Menu
      size="square"
      label={words('exports:menuOf', { name })}
      groups={[
        {
          items: [
            { label: words('exports:change'), icon: 'pencil', onChoose: onChange },
            {
              label: words(isOn ? 'exports:pause' : 'exports:resume'),
              icon: isOn ? 'pause' : 'rotate-ccw',
              onChoose: () => turn.mutate(!isOn),
            },
          ],
        },
        { items: [{ label: words('frame:delete'), icon: 'trash', onChoose: onDelete }] },
      ]}
    >
      <Icon name="ellipsis" />
    </Menu>
  )
}

function DeleteSchedule({
  schedule: { id },
  name,
  onClose,
}: {
  schedule: Schedule
  name: string
  onClose: () => void
}) {
  const words = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => answerOf<unknown>(api.DELETE('/v1/export-schedules/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['export-schedules'] })
      void navigate({ to: '/app/exports/schedules' })
      onClose()
    },
  })
  return (
    <Confirm
      title={words('exports:deleteSchedule', { name })}
      verb={words('frame:delete')}
      act={remove}
      onClose={onClose}
    >
      <p>{words('exports:deleteScheduleText')}</p>
    </Confirm>
  )
}
