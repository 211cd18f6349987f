import { z } from 'zod'
import { PageQuery, pageOf } from '../../../http/routes/pagination.ts'
import { filterBody, filterParameter } from '../../../platform/filter/schema.ts'
import { bound, timezone } from '../../answers/reporting/report/reporting.schema.ts'
import { FigureData, loose, period, queryShape, refuse, TooSlow, WidgetQuery } from './figures.schema.ts'
import { kinds, SOURCES, UNAVAILABLE } from './query.ts'
import { widgetOf } from '../../../platform/fields/parts.ts'
import { nameLine } from '../../../platform/schemas/line-schema.ts'
import { instantOrDay } from '../../../platform/instant.ts'
import { secret } from '../../../platform/schemas/secret-schema.ts'
import { METRICS } from '../../../survey-engine/model/definition.ts'

const MOST_WIDGETS = 30
const position = z.number().int().min(0).max(1_000)
// Features add kinds, and all of them are there when the first dashboard is read.
const widgetKind = z.lazy(() => z.enum(kinds()))
const storedKind = z
  .lazy(() => z.enum([...kinds(), UNAVAILABLE]))
  .describe(
    '`unavailable`: the server lacks what the widget shows. It has no data, `query` stands for none, and it can be moved, named or left out.',
  )
const size = z.number().int().min(1).max(48)

const widgetsOf = (kind: typeof widgetKind) => {
  const Widget = z
    .strictObject({
      id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'Use letters, digits, - and _.'),
      kind,
      title: z.string().trim().max(200),
      query: WidgetQuery,
      layout: z.strictObject({ x: position, y: position, w: size, h: size }),
    })
    .superRefine(({ kind, query }, context) => {
      const widget = widgetOf(kind)
      if (widget && query.source !== 'responses')
        refuse(context, ['query', 'source'], `Use the source responses. Only responses have ${widget.rows}.`)
      if (
        kind === 'leaderboard' &&
        (query.source !== 'responses' || !METRICS.some((metric) => metric === query.measure))
      )
        refuse(context, ['query', 'measure'], 'Use nps, csat or ces of responses for a leaderboard.')
      if (kind === 'funnel' && query.source !== 'responses' && query.source !== 'sends')
        refuse(context, ['query', 'source'], 'Use the source responses or sends for a funnel.')
    })

  return (
    z
      .array(Widget)
      .max(MOST_WIDGETS)
      // It also runs if a widget is wrong, and then has none in its place.
      .superRefine((all: Array<{ id: string } | undefined>, context) => {
        const seen = new Set<string>()
        for (const [index, { id } = { id: `wrong ${index}` }] of all.entries()) {
          if (seen.has(id)) refuse(context, [index, 'id'], 'Give each widget an id of its own.')
          seen.add(id)
        }
      })
  )
}

const fields = {
  name: nameLine(200),
  period,
  timezone: timezone.describe('IANA name, such as Europe/Berlin. Days begin at midnight there.'),
  filter: filterBody('responses'),
  widgets: widgetsOf(widgetKind),
}

export const CreateDashboard = z
  .strictObject({
    ...fields,
    period: fields.period.default({ days: 30 }),
    timezone: fields.timezone.default('UTC'),
    filter: fields.filter.default({ all: [] }),
    widgets: fields.widgets.default([]),
  })
  .meta({ id: 'CreateDashboard' })

export const UpdateDashboard = z
  .strictObject({ ...fields, widgets: widgetsOf(storedKind) })
  .partial()
  .meta({ id: 'UpdateDashboard' })

export const DashboardQuery = PageQuery.strict()

export const DataQuery = z
  .strictObject({
    days: z.coerce.number().int().min(1).max(3_650).optional().describe('The days up to today, for this call alone.'),
    from: bound.optional().describe('The start, for this call alone. Needs `to`.'),
    to: bound.optional().describe('The end, for this call alone. A day is part of the period. Needs `from`.'),
    timezone: timezone.optional().describe('For this call alone.'),
    filter: filterParameter('responses').optional(),
  })
  .superRefine(({ days, from, to }, context) => {
    if ((from === undefined) !== (to === undefined))
      refuse(context, [from === undefined ? 'from' : 'to'], 'Use `from` and `to` together.')
    if (days !== undefined && (from ?? to) !== undefined) refuse(context, ['days'], 'Use `days`, or `from` and `to`.')
  })

export const Dashboard = z
  .object({
    id: z.string(),
    name: z.string(),
    period: z.union([z.object({ days: z.number().int() }), z.object({ from: z.string(), to: z.string() })]),
    timezone: z.string(),
    filter: loose.describe('A filter on responses, for each widget about responses.'),
    widgets: z.array(
      z.object({
        id: z.string(),
        kind: storedKind,
        title: z.string(),
        query: z.object({
          ...queryShape,
          source: z.enum(SOURCES),
          filter: loose.optional(),
          compare: z.union([z.enum(['previous', 'year']), loose]).optional(),
        }),
        layout: z.object({ x: position, y: position, w: size, h: size }),
      }),
    ),
    built_in: z.boolean().describe('The dashboard that the workspace began with. It can be changed, not deleted.'),
    shares: z.array(
      z.object({
        id: z.string(),
        has_password: z.boolean(),
        expires_at: z.iso.datetime().nullable(),
        created_at: z.iso.datetime(),
      }),
    ),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Dashboard' })

export const DashboardList = pageOf(Dashboard).meta({ id: 'DashboardList' })

const Refused = z
  .object({ error: z.object({ code: z.literal('forbidden'), permission: z.string() }) })
  .describe('The list of its source takes a permission that the reader lacks.')

const NotAvailable = z
  .object({ error: z.object({ code: z.literal('not_available') }) })
  .describe('The server lacks what the widget shows.')
  .meta({ id: 'UnavailableWidget' })

const data = {
  period: z.object({ from: z.iso.datetime(), to: z.iso.datetime(), timezone: z.string() }),
  snapshot_at: z.iso.datetime(),
  widgets: z.record(z.string(), FigureData),
}

export const WidgetsData = z.object(data)

export const DashboardData = z
  .object({ ...data, widgets: z.record(z.string(), z.union([FigureData, Refused, NotAvailable, TooSlow])) })
  .meta({ id: 'DashboardData' })

export const SharedDashboard = z
  .object({
    name: z.string(),
    ...data,
    layout: z.array(
      z.object({
        id: z.string(),
        kind: widgetKind,
        title: z.string(),
        layout: z.object({ x: position, y: position, w: size, h: size }),
      }),
    ),
  })
  .meta({ id: 'SharedDashboard' })

export const CreateShare = z
  .strictObject({
    expires_at: instantOrDay
      .optional()
      .describe(
        'From then on the link answers 404. A date means the end of that day in the time zone of the workspace. Default: never.',
      ),
    password: z.string().min(8).max(200).optional().describe('Readers must send it.'),
  })
  .meta({ id: 'CreateDashboardShare' })

export const CreatedShare = z
  .object({
    id: z.string(),
    token: secret(z.string().describe('Part of the public addresses. It is shown only now.')),
  })
  .meta({ id: 'CreatedDashboardShare' })

export const SharePassword = z.strictObject({ password: z.string().min(1).max(200) }).meta({ id: 'SharePassword' })
