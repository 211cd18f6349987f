import type { z } from 'zod'
import { foreignCursor } from '../../../http/routes/pagination.ts'
import type { Page } from '../../../http/routes/pagination.ts'
import type { ReadTx } from '../../../platform/database/database.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { requirePerson } from './people.service.ts'
import type { TimelineList, TimelineQuery } from './people.schema.ts'
import { listTimeline, type Moment, type TimelineRow } from './timeline.store.ts'

type Entry = z.input<typeof TimelineList>['data'][number]

/** Lists what a feature knows of a person before a moment: newest first, and at most `limit`. */
export type TimelineSource = (
  tx: ReadTx,
  id: Id<'person'>,
  range: { before: Moment | null; limit: number },
) => Promise<TimelineRow[]>

/** The events of a person, newest first. @throws Problem 404. */
export async function readTimeline(
  scope: Scope,
  id: Id<'person'>,
  { limit, cursor }: z.output<typeof TimelineQuery>,
  sources: TimelineSource[],
): Promise<Page<Entry>> {
  const range = { before: cursor === undefined ? null : readCursor(cursor), limit: limit + 1 }
  const rows = await scope.read(async (tx) => {
    await requirePerson(tx, id)
    const found: TimelineRow[] = []
    for (const list of [listTimeline, ...sources]) found.push(...(await list(tx, id, range)))
    return found.sort((a, b) => b.at.getTime() - a.at.getTime() || (a.key < b.key ? 1 : -1))
  })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { data: shown.map(present), next_cursor: rows.length > limit && last ? writeCursor(last) : null }
}

function present(row: TimelineRow): Entry {
  return {
    at: row.at.toISOString(),
    kind: row.kind,
    channel: row.channel,
    survey_id: row.survey_id && formatId('survey', row.survey_id),
    invitation_id: row.invitation_id && formatId('invitation', row.invitation_id),
    response_id: row.response_id && formatId('response', row.response_id),
    score: row.score,
    send_id: row.send_id && formatId('send', row.send_id),
    alert_id: row.alert_id && formatId('alert', row.alert_id),
    text: row.text,
    reason: row.reason,
  }
}

function writeCursor({ at, key }: Moment): string {
  return Buffer.from(`${at.toISOString()} ${key}`).toString('base64url')
}

function readCursor(cursor: string): Moment {
  const [, at = '', key = ''] = /^(\S{24}) ([\w -]{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  const moment = new Date(at)
  if (Number.isNaN(moment.getTime())) throw foreignCursor()
  return { at: moment, key }
}
