import type { z } from 'zod'
import { isOutOfTime } from '../../../platform/database/database.ts'
import { widgetOf } from '../../../platform/fields/parts.ts'
import type { Filter } from '../../../platform/filter/grammar.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { readPeriod } from '../../answers/reporting/report/periods.service.ts'
import { rollUp } from '../../answers/reporting/report/slots.service.ts'
import { releaseEveryAnonymous } from '../../answers/responses/anonymity/anonymity.service.ts'
import { askedOf } from './cells.service.ts'
import type { WidgetsData } from './dashboards.schema.ts'
import { figureOf, type FigureOf } from './figures.service.ts'
import { unitOf } from './figures.ts'
import { forgetQuery, limitTime, markQuery } from './response-figures.store.ts'
import { endsOf, type Period, type Query, type Widget } from './query.ts'
import { funnelOf, rowsOf, type Frame } from './lists.service.ts'

export type Data = z.input<typeof WidgetsData>

/** The period, the zone and the filter that queries share. */
export interface Common {
  period: Period
  timezone: string
  filter: Filter
}

export interface Content extends Common {
  widgets: Widget[]
}

interface TooSlow {
  error: { code: 'too_slow'; detail: string }
}

/** The time that one query has. */
export const MOST_MS = 5_000
/** The time that all queries of one call have together, because they share a connection. */
const MOST_CALL_MS = 10_000
/** Less time than this is none: even the statements around a query need some. */
const SHORTEST_MS = 50
const TOO_SLOW: TooSlow = {
  error: {
    code: 'too_slow',
    detail: 'The query took too long. Choose a shorter period, fewer groups or a filter on fewer fields.',
  },
}

/**
 * The data of all widgets as of one moment.
 * @param mostMs the time of each statement. A longer one ends the whole, and so does the time of the call.
 * @throws Problem 400 for a period that ends before it begins.
 */
export async function readData(
  scope: Scope,
  { widgets, ...common }: Content,
  { isPublic = false, mostMs }: { isPublic?: boolean; mostMs?: number } = {},
): Promise<Data> {
  const asked = new Map(widgets.map((widget) => [widget.id, widget]))
  const { figures, ...frame } = await readOnce(scope, common, asked, {
    isPublic,
    async read(frame, widget, time) {
      await time.begin()
      return widgetData(frame, widget)
    },
    ...(mostMs !== undefined && { mostMs }),
  })
  return { ...frame, widgets: figures }
}

/** The same, but a query that takes too long says so, and the others answer. */
export async function readDataInTime(
  scope: Scope,
  { widgets, ...common }: Content,
): Promise<Omit<Data, 'widgets'> & { widgets: Record<string, FigureOf | TooSlow> }> {
  const asked = new Map(widgets.map((widget) => [widget.id, widget]))
  const { figures, ...frame } = await readInTime(scope, common, asked, widgetData)
  return { ...frame, widgets: figures }
}

/** The answers to queries as of one moment. @throws Problem 400 for a period that ends before it begins. */
export function readFigures(scope: Scope, common: Common, queries: Map<string, Query>, mostMs = MOST_MS) {
  return readInTime(scope, common, queries, (frame, query) => figureOf(frame, query), mostMs)
}

type Read<Asked> = (frame: Frame, asked: Asked) => Promise<FigureOf>

/** The same, of anything that is read in a frame. */
export async function readInTime<Asked extends Query | Widget>(
  scope: Scope,
  common: Common,
  asked: Map<string, Asked>,
  read: Read<Asked>,
  mostMs = MOST_MS,
  mostCallMs = MOST_CALL_MS,
) {
  return readOnce<Asked, FigureOf | TooSlow>(scope, common, asked, {
    mostMs,
    mostCallMs,
    async read(frame, each, time) {
      if (time.isOver()) return TOO_SLOW
      await markQuery(frame.tx)
      try {
        await time.begin()
        return await read(frame, each)
      } catch (error) {
        if (!isOutOfTime(error)) throw error
        // The others go on as of the same moment, and none is read twice.
        await forgetQuery(frame.tx)
        delete frame.known.traits
        return TOO_SLOW
      }
    },
  })
}

interface CallTime {
  /** Whether the time of the whole call is over. */
  isOver(): boolean
  /** Starts the time of one query. */
  begin(): Promise<void>
}

interface Reading<Asked, Answer> {
  read(frame: Frame, asked: Asked, time: CallTime): Promise<Answer>
  isPublic?: boolean
  mostMs?: number
  mostCallMs?: number
}

async function readOnce<Asked extends Query | Widget, Answer = FigureOf>(
  scope: Scope,
  { period, timezone, filter }: Common,
  asked: Map<string, Asked>,
  { read, isPublic = false, mostMs, mostCallMs = MOST_CALL_MS }: Reading<Asked, Answer>,
): Promise<Omit<Data, 'widgets'> & { figures: Record<string, Answer> }> {
  if ([...asked.values()].some(readsResponses)) await releaseEveryAnonymous(scope)
  const crowded = new Set<Id<'survey'>>()
  const now = scope.clock.now()
  const began = performance.now()
  const left = () => mostCallMs - (performance.now() - began)
  const data = await scope.read(
    async (tx) => {
      const time: CallTime = {
        isOver: () => left() < SHORTEST_MS,
        async begin() {
          if (mostMs !== undefined) await limitTime(tx, Math.max(SHORTEST_MS, Math.ceil(Math.min(mostMs, left()))))
        },
      }
      await time.begin()
      const ends = endsOf(period, timezone, now)
      const { from, to, previousFrom } = await readPeriod(scope, tx, { ...ends, interval: 'month', timezone })
      const frame: Frame = { scope, tx, filter, timezone, from, to, previousFrom, isPublic, crowded, known: {} }
      const figures: Record<string, Answer> = {}
      for (const [name, each] of asked) figures[name] = await read(frame, each, time)
      return {
        period: { from: from.toISOString(), to: to.toISOString(), timezone },
        snapshot_at: now.toISOString(),
        figures,
      }
    },
    { snapshot: true },
  )
  await rollUp(scope, [...crowded])
  return data
}

function readsResponses(asked: Query | Widget): boolean {
  if (!('kind' in asked)) return asked.source === 'responses'
  return asked.query.source === 'responses' || widgetOf(asked.kind) !== undefined
}

async function widgetData(frame: Frame, { kind, query }: Widget): Promise<FigureOf> {
  const widget = widgetOf(kind)
  if (widget) {
    const rows = await rowsOf(frame, query, widget)
    return { enough: true, n: rows.length, unit: unitOf(query.measure), rows }
  }
  if (kind === 'funnel') return { ...(await funnelOf(frame, await askedOf(frame, query), query.source)), unit: 'count' }
  return figureOf(frame, query, { isRanked: kind === 'leaderboard' })
}
