import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useBlocker, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { settled, type Box } from '../../../src/features/programme/dashboards/grid.ts'
import { ApiProblem } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Note } from '../../ui/parts.tsx'
import { toast } from '../../ui/toast.tsx'
import type { Filter } from '../app/list-state.ts'
import { Problem } from '../frame/failure.tsx'
import { Confirm } from '../frame/lazy-confirm.tsx'
import { Screen } from '../frame/screen.tsx'
import { useFields } from '../list/filter/fields.ts'
import { FilterBar } from '../list/filter/filter-bar.tsx'
import { answerOf, api } from '../session/api.ts'
import { formatNumber } from '../words/format.ts'
import { useWords } from '../words/words.ts'
import { Board } from './board.tsx'
import { dashboardQuery, useData, type Read, type BoardState } from './stored.ts'
import { EditedWidget } from './edited-widget.tsx'
import { added } from './grid.ts'
import { fitting, KINDS, sizeOf, type Answer, type Dashboard, type Kind, type Widget } from './queries.ts'
import { isSameBoard } from './built-in.ts'
import { useMoves } from './moves.ts'
import { proposedTitle } from './titles.ts'
import { WidgetForm } from './widget-form.tsx'

export type Draft = Pick<Dashboard, 'name' | 'period' | 'timezone' | 'filter' | 'widgets'>

const DAYS = [7, 30, 90, 365]

interface Props {
  read: Read
  title: string
  above?: { to: string; label: string }
  /** Goes to the dashboard as it is saved, whatever has changed. */
  onLeave: () => void
  /** Goes on with editing, with another form open or none. */
  onGo: (search: BoardState) => Promise<void>
  /** The widgets of the beginning, if there is a way back to them. */
  beginning?: Pick<Draft, 'period' | 'filter' | 'widgets'>
  /** Says the effect of saving, where that is not plain. */
  note?: string
}

/** Changes a dashboard. Nothing is saved before "Save". */
export function EditDashboard({ read, title, above, onLeave, onGo: go, beginning, note }: Props) {
  const words = useWords()
  const client = useQueryClient()
  const { widget: openId }: BoardState = useSearch({ strict: false })
  const { id } = read.dashboard
  const [stored, setStored] = useState(read)
  const [draft, setDraft] = useState<Draft>(() => draftOf(read.dashboard))
  const place = useRef<HTMLDivElement>(null)
  const data = useData(id, {})
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(stored.dashboard))
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const save = useMutation({
    mutationFn: async (etag: string) => {
      const call = api.PATCH('/v1/dashboards/{id}', {
        params: { path: { id }, header: { 'if-match': etag } },
        body: inOrder(draft) as never,
      })
      const { response } = await call
      return { dashboard: await answerOf(call), etag: response.headers.get('etag') ?? '' }
    },
    onSuccess: (saved) => {
      client.setQueryData(dashboardQuery(id).queryKey, saved)
      void client.invalidateQueries({ queryKey: ['dashboards'] })
      void client.invalidateQueries({ queryKey: ['figures', 'dashboard', id] })
      toast({ text: words('dashboards:saved') })
      onLeave()
    },
  })
  const readAgain = useMutation({
    mutationFn: () => client.fetchQuery({ ...dashboardQuery(id), staleTime: 0 }),
    onSuccess: () => save.reset(),
  })
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isChanged && (current.pathname !== next.pathname || (next.search as BoardState).edit !== true),
    enableBeforeUnload: isChanged,
    withResolver: true,
  })
  const boxes = settled(draft.widgets.map((widget) => ({ id: widget.id, ...widget.layout })))
  const setBoxes = (next: Box[]) => change({ widgets: laidOut(draft.widgets, next) })
  const sayMove = (text: string, before: Box[]) => {
    const undo = () => {
      setDraft((now) => ({ ...now, widgets: laidOut(now.widgets, before) }))
      toast({ text: words('dashboards:movedBack'), of: 'move' })
    }
    toast({ text, of: 'move', action: { label: words('frame:undo'), onPress: undo } })
  }
  const moves = useMoves({ place, boxes, onChange: setBoxes, onSay: sayMove, titleOf: (id) => titleIn(draft, id) })
  const open = draft.widgets.find((each) => each.id === openId)
  const add = (kind: Kind) => {
    const made = newWidget(kind, draft.widgets, words(`dashboards:kinds.${kind}`))
    change({ widgets: laidOut([...draft.widgets, made], added(boxes, made.id, sizeOf(kind))) })
    void go({ edit: true, widget: made.id })
  }
  const remove = (widget: Widget) => {
    const before = draft.widgets
    change({ widgets: before.filter((each) => each.id !== widget.id) })
    if (openId === widget.id) void go({ edit: true })
    toast({
      text: words('dashboards:removed', { title: widget.title }),
      action: {
        label: words('frame:undo'),
        onPress: () =>
          setDraft((now) =>
            now.widgets.some((each) => each.id === widget.id) ? now : { ...now, widgets: [...now.widgets, widget] },
          ),
      },
    })
  }
  const isTaken = save.error instanceof ApiProblem && (save.error.status === 412 || save.error.status === 409)
  const savedAnswers = (data.data?.widgets ?? {}) as unknown as Record<string, Answer>
  const isSameFrame =
    JSON.stringify([draft.period, draft.timezone, draft.filter]) ===
    JSON.stringify([stored.dashboard.period, stored.dashboard.timezone, stored.dashboard.filter])
  const savedOf = (widget: Widget): Answer => {
    const same = stored.dashboard.widgets.find((each) => each.id === widget.id)
    const isSame =
      isSameFrame && same?.kind === widget.kind && JSON.stringify(same.query) === JSON.stringify(widget.query)
    return isSame ? savedAnswers[widget.id] : undefined
  }
  return (
    <Screen
      title={title}
      {...(above && { above })}
      end={
        <>
          <Button onClick={onLeave}>{words(isChanged ? 'dashboards:discard' : 'dashboards:done')}</Button>
          <Button
            look="primary"
            disabled={!isChanged || draft.name.trim() === ''}
            isBusy={save.isPending}
            onClick={() => save.mutate(stored.etag)}
          >
            {words('frame:save')}
          </Button>
        </>
      }
    >
      <div className={open ? 'split editing' : 'editing'}>
        <div className={open ? 'wide' : ''}>
          {note !== undefined && (
            <div className="in" style={{ flex: 'none', paddingBlockEnd: 0 }}>
              <Note>{note}</Note>
            </div>
          )}
          <div className="tools">
            {/* Home has its own title. */}
            {!beginning && (
              <input
                className="input"
                style={{ width: 220 }}
                aria-label={words('list:fields.name')}
                value={draft.name}
                maxLength={200}
                onChange={({ target }) => change({ name: target.value })}
              />
            )}
            <PeriodChoice period={draft.period} onChange={(period) => change({ period })} />
            <DashboardFilter filter={draft.filter} onChange={(filter) => change({ filter })} />
            <div className="end">
              {beginning && !isSameBoard(draft, beginning) && (
                <Button
                  look="quiet"
                  onClick={() => {
                    const before = draft
                    change(beginning)
                    void go({ edit: true })
                    toast({
                      text: words('dashboards:asBegan'),
                      action: { label: words('frame:undo'), onPress: () => setDraft(before) },
                    })
                  }}
                >
                  <Icon name="undo-2" isSmall flips />
                  {words('dashboards:begin')}
                </Button>
              )}
              <Menu
                look="plain"
                groups={[
                  {
                    items: KINDS.map((kind) => ({
                      label: words(`dashboards:kinds.${kind}`),
                      onChoose: () => add(kind),
                    })),
                  },
                ]}
              >
                <Icon name="plus" isSmall />
                {words('dashboards:addWidget')}
              </Menu>
            </div>
          </div>
          <div className="in">
            {save.error && !isTaken && <Problem error={save.error} />}
            {isTaken && (
              <Note tone="warn">
                <p>{words('dashboards:taken')}</p>
                <p className="filters">
                  <button
                    type="button"
                    className="link"
                    onClick={() =>
                      readAgain.mutate(undefined, {
                        onSuccess: (next) => {
                          setStored(next)
                          setDraft(draftOf(next.dashboard))
                        },
                      })
                    }
                  >
                    {words('dashboards:takeTheirs')}
                  </button>
                  <button
                    type="button"
                    className="link"
                    onClick={() =>
                      readAgain.mutate(undefined, {
                        onSuccess: (next) => {
                          setStored(next)
                          save.mutate(next.etag)
                        },
                      })
                    }
                  >
                    {words('dashboards:writeMine')}
                  </button>
                </p>
              </Note>
            )}
            <p className="sub only-wide" style={{ marginBlockEnd: 12 }} id="widget-keys">
              {words('dashboards:keys')}
            </p>
            {draft.widgets.length === 0 && <p className="soft">{words('dashboards:noWidgetsText')}</p>}
            <Board boxes={moves.shown} className={moves.isMoving ? 'moving' : ''} place={place} order={draft.widgets}>
              {(box) => {
                const widget = draft.widgets.find((each) => each.id === box.id)
                return (
                  widget && (
                    <EditedWidget
                      widget={widget}
                      box={box}
                      frame={draft}
                      saved={savedOf(widget)}
                      until={data.data?.period.to}
                      moves={moves}
                      onOpen={() => void go({ edit: true, widget: widget.id })}
                      onDuplicate={() => {
                        const made = { ...widget, id: freeId(draft.widgets) }
                        change({ widgets: laidOut([...draft.widgets, made], added(boxes, made.id, widget.layout)) })
                      }}
                      onRemove={() => remove(widget)}
                    />
                  )
                )
              }}
            </Board>
          </div>
        </div>
        {open && (
          <aside aria-label={words('dashboards:widget')}>
            <WidgetForm
              key={open.id}
              widget={open}
              frame={draft}
              saved={savedOf(open)}
              until={data.data?.period.to}
              onChange={(part) =>
                change({
                  widgets: draft.widgets.map((each) =>
                    each.id === open.id ? { ...each, ...part, ...proposedTitle(each, part, words) } : each,
                  ),
                })
              }
              onClose={() => {
                void go({ edit: true }).then(() =>
                  place.current?.querySelector<HTMLElement>(`[data-widget="${open.id}"] [data-handle]`)?.focus(),
                )
              }}
              onRemove={() => remove(open)}
            />
          </aside>
        )}
      </div>
      {blocker.status === 'blocked' && (
        <Confirm
          title={words('dashboards:leaveTitle')}
          verb={words('dashboards:leave')}
          act={{ mutate: () => blocker.proceed() }}
          onClose={() => blocker.reset()}
        >
          <p>{words('dashboards:leaveText')}</p>
        </Confirm>
      )}
    </Screen>
  )
}

function draftOf({ name, period, timezone, filter, widgets }: Dashboard): Draft {
  return {
    name,
    period,
    timezone,
    filter,
    widgets: laidOut(widgets, settled(widgets.map(({ id, layout }) => ({ id, ...layout })))),
  }
}

function laidOut(widgets: Widget[], boxes: Box[]): Widget[] {
  const places = new Map(boxes.map(({ id, ...layout }) => [id, layout]))
  return widgets.map((widget) => ({ ...widget, layout: places.get(widget.id) ?? widget.layout }))
}

/** Widgets in reading order, as mails and phones show them. */
function inOrder(draft: Draft): Draft {
  const widgets = draft.widgets.toSorted((a, b) => a.layout.y - b.layout.y || a.layout.x - b.layout.x)
  return { ...draft, name: draft.name.trim(), widgets }
}

function titleIn({ widgets }: Draft, id: string): string {
  return widgets.find((each) => each.id === id)?.title ?? ''
}

function newWidget(kind: Kind, widgets: Widget[], title: string): Widget {
  return {
    id: freeId(widgets),
    kind,
    title,
    query: fitting(kind, {
      source: 'responses',
      measure: kind === 'gauge' || kind === 'leaderboard' ? 'nps' : 'count',
    }),
    layout: { x: 0, y: 0, ...sizeOf(kind) },
  }
}

function freeId(widgets: Widget[]): string {
  const taken = new Set(widgets.map(({ id }) => id))
  let n = widgets.length + 1
  while (taken.has(`w${n}`)) n += 1
  return `w${n}`
}

function PeriodChoice({
  period,
  onChange,
}: {
  period: Dashboard['period']
  onChange: (period: Dashboard['period']) => void
}) {
  const words = useWords()
  const own = 'days' in period ? String(period.days) : ''
  return (
    <select
      className="input"
      style={{ width: 'auto' }}
      aria-label={words('dashboards:period')}
      value={own}
      onChange={({ target }) => target.value !== '' && onChange({ days: Number(target.value) })}
    >
      {own === '' && (
        <option value="">{'from' in period ? `${period.from.slice(0, 10)} – ${period.to.slice(0, 10)}` : ''}</option>
      )}
      {[...new Set([...DAYS, ...('days' in period ? [period.days] : [])])]
        .toSorted((a, b) => a - b)
        .map((days) => (
          <option key={days} value={days}>
            {words('dashboards:lastDays', { count: days, n: formatNumber(days) })}
          </option>
        ))}
    </select>
  )
}

function DashboardFilter({
  filter,
  onChange,
}: {
  filter: Dashboard['filter']
  onChange: (filter: Dashboard['filter']) => void
}) {
  const words = useWords()
  const fields = useFields('responses')
  return (
    <FilterBar
      fields={fields}
      filter={filter as unknown as Filter}
      label={words('dashboards:filterAll')}
      onChange={(next) => onChange((next ?? { all: [] }) as unknown as Dashboard['filter'])}
    />
  )
}
