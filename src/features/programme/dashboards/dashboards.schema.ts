import { z } from 'zod'
import { PageQuery, pageOf } from '../../../http/routes/pagination.ts'
import { filterBody } from '../../../platform/filter/schema.ts'
import { bound, timezone } from '../../answers/reporting/report/reporting.schema.ts'
import {
  canGroup,
  dimensionOf,
  INTERVALS,
  KINDS,
  MEASURES,
  MEASURES_OF,
  SOURCES,
  type Query,
  type Source,
} from './query.ts'
import { nameLine } from '../../../platform/line-schema.ts'
import { instantOrDay } from '../../../platform/instant.ts'
import { secret } from '../../../platform/secret-schema.ts'

const MOST_WIDGETS = 30
const MOST_SURVEYS = 100

const common = {
  survey_ids: z.array(z.string().max(60)).max(MOST_SURVEYS).optional().describe('Default: every survey.'),
  measure: z.enum(MEASURES).describe('`count`, or a figure that the source has.'),
  by: z
    .array(z.string().max(80))
    .max(2)
    .optional()
    .describe(
      'One or two of channel, language, band, agent, team, tag, topic, sentiment, custom.<name>, answer.<id>. Two give a row for each pair.',
    ),
  interval: z.enum(INTERVALS).optional().describe('The interval of a series. Weeks begin on Monday.'),
  compare: z.literal('previous').optional().describe('Adds the period of the same length just before.'),
  limit: z.number().int().min(1).max(100).optional().describe('The most rows. Default: 20.'),
}

function source<const Name extends Source>(name: Name) {
  return z.strictObject({ source: z.literal(name), ...common, filter: filterBody(name).optional() })
}

const GROUPS = 'Use channel, language, band, agent, team, tag, topic, sentiment, custom.<name> or answer.<id>.'

export const WidgetQuery = z
  .discriminatedUnion('source', [source('responses'), source('sends'), source('alerts'), source('webhook_deliveries')])
  .superRefine((query: Query, context) => {
    const measures = MEASURES_OF[query.source]
    if (!measures.includes(query.measure))
      refuse(context, ['measure'], `For ${query.source} use one of ${measures.join(', ')}.`)
    for (const [index, by] of (query.by ?? []).entries()) {
      const dimension = dimensionOf(by)
      if (!dimension) refuse(context, ['by', index], GROUPS)
      else if (!canGroup(query.source, dimension))
        refuse(context, ['by', index], `${query.source} cannot be grouped like this. Group by something else.`)
      else if (query.by?.indexOf(by) !== index) refuse(context, ['by', index], 'Name each group once.')
    }
  })

const position = z.number().int().min(0).max(1_000)
const size = z.number().int().min(1).max(48)

const Widget = z
  .strictObject({
    id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'Use letters, digits, - and _.'),
    kind: z.enum(KINDS),
    title: z.string().trim().max(200),
    query: WidgetQuery,
    layout: z.strictObject({ x: position, y: position, w: size, h: size }),
  })
  .superRefine(({ kind, query }, context) => {
    if (kind === 'verbatim' && query.source !== 'responses')
      refuse(context, ['query', 'source'], 'Use the source responses. Only responses have texts.')
    if (kind === 'leaderboard' && (query.source !== 'responses' || !['nps', 'csat', 'ces'].includes(query.measure)))
      refuse(context, ['query', 'measure'], 'Use nps, csat or ces of responses for a leaderboard.')
    if (kind === 'funnel' && query.source !== 'responses' && query.source !== 'sends')
      refuse(context, ['query', 'source'], 'Use the source responses or sends for a funnel.')
  })

const widgets = z
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

const fields = {
  name: nameLine(200),
  period: z
    .union([z.strictObject({ days: z.number().int().min(1).max(3_650) }), z.strictObject({ from: bound, to: bound })], {
      error: 'Use {days}, or {from, to}.',
    })
    .describe('The days up to today, or a start and an end. An end that is a day is part of the period.'),
  timezone: timezone.describe('IANA name, such as Europe/Berlin. Days begin at midnight there.'),
  filter: filterBody('responses'),
  widgets,
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

export const UpdateDashboard = z.strictObject(fields).partial().meta({ id: 'UpdateDashboard' })

export const DashboardQuery = PageQuery.strict()

const loose = z.record(z.string(), z.unknown())

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
        kind: z.enum(KINDS),
        title: z.string(),
        query: z.object({ ...common, source: z.enum(SOURCES), filter: loose.optional() }),
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

const figure = {
  enough: z.boolean().describe('False if a score or a rate has too few answers to be shown.'),
  n: z.number().int().describe('What the figure counts.'),
  value: z.number().nullable(),
  mean: z.number().optional().describe('Of CSAT and CES: the mean of the answers.'),
  interval: z
    .object({ low: z.number(), high: z.number(), level: z.literal(95), method: z.string() })
    .optional()
    .describe('The 95 % confidence interval of a score.'),
}
const series = z.array(z.object({ date: z.iso.date(), from: z.iso.datetime(), ...figure }))
const WidgetData = z.object({
  ...figure,
  value: figure.value.optional(),
  unit: z.enum(['count', 'score', 'percent', 'milliseconds', 'minutes']),
  series: series.optional(),
  rows: z
    .array(loose)
    .optional()
    .describe(
      '`{key, label, enough, n, value}` for groups, with `groups: [{by, key, label}]` for pairs and `position` in a leaderboard; texts for verbatim.',
    ),
  previous: z.object({ ...figure, value: figure.value.optional(), series: series.optional() }).optional(),
})

const Refused = z
  .object({ error: z.object({ code: z.literal('forbidden'), permission: z.string() }) })
  .describe('The list of its source takes a permission that the reader lacks.')

const data = {
  period: z.object({ from: z.iso.datetime(), to: z.iso.datetime(), timezone: z.string() }),
  snapshot_at: z.iso.datetime(),
  widgets: z.record(z.string(), WidgetData),
}

export const WidgetsData = z.object(data)

export const DashboardData = z
  .object({ ...data, widgets: z.record(z.string(), z.union([WidgetData, Refused])) })
  .meta({ id: 'DashboardData' })

export const SharedDashboard = z
  .object({
    name: z.string(),
    ...data,
    layout: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(KINDS),
        title: z.string(),
        layout: z.object({ x: position, y: position, w: size, h: size }),
      }),
    ),
  })
  .meta({ id: 'SharedDashboard' })

function refuse(context: z.RefinementCtx, path: Array<string | number>, message: string): void {
  context.addIssue({ code: 'custom', path, message })
}

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
