import { z } from 'zod'
import { filterBody } from '../../../platform/filter/schema.ts'
import { GROUPS_MARK, WIDGETS_MARK } from '../../../platform/fields/parts.ts'
import { bound, timezone } from '../../answers/reporting/report/reporting.schema.ts'
import { canGroup, dimensionOf, groupsOf, INTERVALS, MEASURES, MEASURES_OF, type Query, type Source } from './query.ts'
import { METRICS } from '../../../survey-engine/model/definition.ts'

const MOST_SURVEYS = 100
const MOST_QUERIES = 24

export const period = z
  .union([z.strictObject({ days: z.number().int().min(1).max(3_650) }), z.strictObject({ from: bound, to: bound })], {
    error: 'Use {days}, or {from, to}.',
  })
  .describe('The days up to today, or a start and an end. An end that is a day is part of the period.')

export const queryShape = {
  survey_ids: z.array(z.string().max(60)).max(MOST_SURVEYS).optional().describe('Default: every survey.'),
  measure: z
    .enum(MEASURES)
    .describe(
      '`count`, or a figure that the source has. `score` is the metric of each survey: it needs one survey, or `by` survey.',
    ),
  by: z
    .array(z.string().max(80))
    .max(2)
    .optional()
    .describe(
      `One or two of survey, channel, language, band, agent, team, tag${GROUPS_MARK}, custom.<name>, answer.<id>; ` +
        'status (sends, alerts, deliveries); priority, owner, rule (alerts); webhook, event (deliveries). Two give a row ' +
        'for each pair.',
    ),
  interval: z.enum(INTERVALS).optional().describe('The interval of a series. Weeks begin on Monday.'),
  period: period.optional(),
  limit: z.number().int().min(1).max(100).optional().describe('The most rows. Default: 20.'),
}

const COMPARE =
  '`previous`: the period of the same length just before. `year`: the same period a year before. A filter: other rows of ' +
  'the same period, in place of those of `filter`.'

function source<const Name extends Source>(name: Name) {
  const filter = filterBody(name)
  return z.strictObject({
    source: z.literal(name),
    ...queryShape,
    compare: z
      .union([z.enum(['previous', 'year']), filter], { error: 'Use "previous", "year" or a filter.' })
      .optional()
      .describe(COMPARE),
    filter: filter.optional(),
  })
}

export const WidgetQuery = z
  .discriminatedUnion('source', [source('responses'), source('sends'), source('alerts'), source('webhook_deliveries')])
  .superRefine((query: Query, context) => {
    const measures = MEASURES_OF[query.source]
    if (!measures.includes(query.measure))
      refuse(context, ['measure'], `For ${query.source} use one of ${measures.join(', ')}.`)
    if (query.measure === 'score' && query.survey_ids?.length !== 1 && !query.by?.includes('survey'))
      refuse(context, ['measure'], 'Surveys have different metrics. Name one survey, or group by survey.')
    for (const [index, by] of (query.by ?? []).entries()) {
      const dimension = dimensionOf(by)
      if (!dimension || !canGroup(query.source, dimension))
        refuse(context, ['by', index], `${query.source} cannot be grouped like this. Use ${groupsOf(query.source)}.`)
      else if (query.by?.indexOf(by) !== index) refuse(context, ['by', index], 'Name each group once.')
    }
  })

export const ReadFigures = z
  .strictObject({
    period,
    timezone: timezone.default('UTC').describe('IANA name, such as Europe/Berlin. Days begin at midnight there.'),
    filter: filterBody('responses').optional().describe('A filter on responses, for each query about responses.'),
    queries: z
      .record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'Use letters, digits, - and _.'), WidgetQuery)
      .refine((queries) => Object.keys(queries).length > 0, 'Ask at least one query.')
      .refine((queries) => Object.keys(queries).length <= MOST_QUERIES, `Ask at most ${MOST_QUERIES} queries.`)
      .describe('By a name of your choice.'),
  })
  .meta({ id: 'ReadFigures' })

export const loose = z.record(z.string(), z.unknown())

const figure = {
  enough: z.boolean().describe('False if a score or a rate has too few answers to be shown.'),
  n: z.number().int().describe('What the figure counts.'),
  value: z.number().nullable(),
  mean: z.number().optional().describe('Of CSAT and CES: the mean of the answers.'),
  interval: z
    .object({ low: z.number(), high: z.number(), level: z.literal(95), method: z.string() })
    .optional()
    .describe('The 95 % confidence interval of a score or a rate.'),
}
const series = z.array(z.object({ date: z.iso.date(), from: z.iso.datetime(), ...figure }))
const other = z.object({ ...figure, value: figure.value.optional(), series: series.optional() })

export const FigureData = z
  .object({
    ...figure,
    value: figure.value.optional(),
    metric: z.enum(METRICS).nullable().optional().describe('Of the measure `score`.'),
    unit: z.enum(['count', 'score', 'percent', 'milliseconds', 'minutes']),
    series: series.optional(),
    rows: z
      .array(loose)
      .optional()
      .describe(
        '`{key, label, enough, n, value}` for groups, with `groups: [{by, key, label}]` for pairs, `metric` for `score`, ' +
          `and \`position\` in a leaderboard${WIDGETS_MARK}. With \`compare\` each has the other figure and \`change\`.`,
      ),
    previous: other.optional(),
    compared: other.optional().describe('The figure of a year ago, or of the other filter.'),
    change: z
      .object({ value: z.number(), low: z.number(), high: z.number(), clear: z.boolean() })
      .nullable()
      .optional()
      .describe(
        'This figure minus the other, with its 95 % interval. `clear` if that excludes zero. Null unless both have an interval.',
      ),
    left_out: z
      .array(z.string())
      .optional()
      .describe('Anonymous surveys that are not counted, because they count only as a whole.'),
  })
  .meta({ id: 'Figure' })

export const TooSlow = z
  .object({ error: z.object({ code: z.literal('too_slow'), detail: z.string() }) })
  .describe('The query took more than 5 seconds.')

export const Figures = z
  .object({
    period: z.object({ from: z.iso.datetime(), to: z.iso.datetime(), timezone: z.string() }),
    snapshot_at: z.iso.datetime(),
    figures: z.record(z.string(), z.union([FigureData, TooSlow])),
  })
  .meta({ id: 'FigureAnswers' })

export function refuse(context: z.RefinementCtx, path: Array<string | number>, message: string): void {
  context.addIssue({ code: 'custom', path, message })
}
