import type { z } from 'zod'
import { badRequest } from '../../../../http/problems/problem.ts'
import { compileFilter } from '../../../../platform/filter/compile.ts'
import type { Filter } from '../../../../platform/filter/grammar.ts'
import { formatId, type Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { themesOf } from './themes.ts'
import { countThemes } from './themes.store.ts'
import { readTopicNames } from './topics.service.ts'
import { OF_TEXT } from '../verbatim-rows.ts'
import type { Themes, ThemesQuery } from '../verbatim.schema.ts'

const DAY_MS = 86_400_000
const DAYS = 30
const MOST_DAYS = 366 * 3
/** Of a trend by day. */
const MOST_STEPS = 400
const LEADING = 8

/** Topics of texts by how often they were written about. @throws Problem 400 for an empty or too long period. */
export async function listThemes(
  scope: Scope,
  { filter, from, to, interval }: z.output<typeof ThemesQuery>,
): Promise<z.input<typeof Themes>> {
  const until = to ?? scope.clock.now()
  const since = from ?? new Date(until.getTime() - DAYS * DAY_MS)
  const length = until.getTime() - since.getTime()
  if (length <= 0 || length > MOST_DAYS * DAY_MS)
    throw badRequest([{ path: 'from', message: `Use a time before \`to\`, and at most ${MOST_DAYS} days.` }])
  if (interval === 'day' && length > MOST_STEPS * DAY_MS)
    throw badRequest([{ path: 'interval', message: `Use week or month for more than ${MOST_STEPS} days.` }])
  return scope.read(
    async (tx) => {
      const condition = filter
        ? await compileFilter('responses', filter, {
            tx,
            alias: OF_TEXT,
            now: scope.clock.now(),
            asker: scope.principal,
          })
        : null
      const now = await countThemes(tx, { from: since, to: until, interval }, condition)
      const earlier = new Date(since.getTime() - length)
      const before = await countThemes(tx, { from: earlier, to: since, interval: 'month' }, condition)
      const names = await readTopicNames(tx)
      const themes = await themesOf(now, before)
      return {
        data: themes.flatMap((theme) => {
          const name = names.get(theme.topicId)
          if (name === undefined) return []
          return [
            {
              topic: { topic_id: formatId('topic', theme.topicId as Id<'topic'>), name },
              n: theme.n,
              share: theme.share,
              sentiment: theme.sentiment,
              score_impact: theme.scoreImpact,
              score_impact_interval: theme.scoreImpactInterval,
              trend: theme.trend,
              change: theme.change,
            },
          ]
        }),
      }
    },
    { snapshot: true },
  )
}

/** The topics that people wrote most about. */
export async function leadingThemes(scope: Scope, filter: Filter, period: { from: Date; to: Date }) {
  const { data } = await listThemes(scope, { filter, interval: 'month', ...period })
  return data.slice(0, LEADING).map(({ topic, n, sentiment }) => ({ ...topic, n, sentiment }))
}
