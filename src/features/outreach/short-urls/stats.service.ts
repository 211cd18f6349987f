import type { z } from 'zod'
import { unprocessable } from '../../../http/problems/problem.ts'
import type { Id } from '../../../platform/ids.ts'
import { dayIn } from '../../../platform/look/day-names.ts'
import type { Scope } from '../../../platform/scope.ts'
import { readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { readShortUrl } from './short-urls.service.ts'
import type { ShortUrlStats, StatsQuery } from './short-urls.schema.ts'
import * as store from './short-urls.store.ts'

const MOST_DAYS = 366
const DAY_MS = 86_400_000

/** Counts clicks by day, people and programs apart. @throws Problem 404; 422 for more than 366 days. */
export async function readStats(
  scope: Scope,
  id: Id<'shortUrl'>,
  query: z.output<typeof StatsQuery>,
): Promise<z.input<typeof ShortUrlStats>> {
  await readShortUrl(scope, id)
  return scope.read(async (tx) => {
    const timezone = query.timezone ?? (await readWorkspace(tx)).timezone
    const to = query.to ?? dayIn(timezone, scope.clock.now())
    const from = query.from ?? addDays(to, -29)
    const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
    if (days < 1 || days > MOST_DAYS)
      throw unprocessable('invalid_period', [{ path: 'from', message: `Choose a period of 1 to ${MOST_DAYS} days.` }])
    const counted = new Map((await store.listDays(tx, id, { from, to, timezone })).map((row) => [row.date, row]))
    const data = Array.from({ length: days }, (_, n) => {
      const date = addDays(from, n)
      const { human = 0, bot = 0 } = counted.get(date) ?? {}
      return { date, human, bot }
    })
    const totals = data.reduce((sum, day) => ({ human: sum.human + day.human, bot: sum.bot + day.bot }), {
      human: 0,
      bot: 0,
    })
    return { from, to, timezone, totals, data }
  })
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)
}
