import { foreignCursor } from '../../../http/routes/pagination.ts'
import type { z } from 'zod'
import { dayOf } from '../../../platform/instant.ts'
import type { Filter } from '../../../platform/filter/grammar.ts'
import { formatId, parseId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { readCurrentSurvey } from '../../surveys/surveys/published-surveys.service.ts'
import { releaseIfAnonymous } from '../reporting/report/headline.service.ts'
import { FEWEST } from '../../../platform/anonymity-threshold.ts'
import { listReleased, type ReleasedText } from './verbatim.store.ts'
import { classifyTexts } from './rules-engine/classify-thread.ts'
import { readTopics } from './topics/topics.service.ts'
import type { ListedVerbatim, VerbatimList, VerbatimQuery } from './verbatim.schema.ts'
import { countAll, listVerbatim } from './search/listing.service.ts'

type Listed = z.input<typeof ListedVerbatim>

/**
 * Lists texts. Those of an anonymous survey are listed only if the filter asks for that survey and nothing else: in a
 * shuffled order that changes every day, without their response, and from five texts to a question on.
 */
export async function listTexts(
  scope: Scope,
  query: z.output<typeof VerbatimQuery>,
): Promise<z.input<typeof VerbatimList>> {
  const surveyId = query.search === undefined ? surveyIn(query.filter) : null
  if (!surveyId || !(await releaseIfAnonymous(scope, surveyId).catch(() => false))) return listVerbatim(scope, query)
  const { day, after } = readPlace(scope, surveyId, query.cursor)
  const salt = scope.secrets.sign(Buffer.from(`${surveyId} ${day}`), SHUFFLE).toString('base64url')
  const { rows, hasMore, total } = await scope.read((tx) =>
    listReleased(tx, surveyId, { salt, after, limit: query.limit }),
  )
  const n = total < FEWEST ? 0 : total
  const counted = query.count === 'true' && { count: { matching: { n, exact: true }, all: await countAll(scope) } }
  if (n === 0) return { data: [], next_cursor: null, ...counted }
  const last = hasMore ? rows.at(-1) : undefined
  return {
    data: await present(scope, surveyId, rows),
    next_cursor: last ? scope.secrets.seal(`${day} ${last.place}`, contextOf(surveyId)) : null,
    ...counted,
  }
}

const SHUFFLE = 'verbatim.shuffle'

function contextOf(surveyId: Id<'survey'>): string {
  return `${SHUFFLE}:${surveyId}`
}

/** A place in the order of a day. Sealed, so that it shows nothing of a row. */
function readPlace(scope: Scope, surveyId: Id<'survey'>, cursor: string | undefined): { day: string; after: string } {
  if (cursor === undefined) return { day: dayOf(scope.clock.now()).toISOString(), after: '' }
  try {
    const [day = '', after = ''] = scope.secrets.open(cursor, contextOf(surveyId)).split(' ')
    return { day, after }
  } catch {
    throw foreignCursor()
  }
}

function surveyIn(filter: Filter | undefined): Id<'survey'> | null {
  const [test, ...others] = filter && 'all' in filter ? filter.all : []
  if (!test || others.length > 0 || !('field' in test) || test.field !== 'survey_id' || test.op !== 'eq') return null
  return parseId('survey', String(test.value))
}

async function present(scope: Scope, surveyId: Id<'survey'>, rows: ReleasedText[]): Promise<Listed[]> {
  const topics = (await readTopics(scope)).filter(({ enabled }) => enabled)
  const { definition } = await scope.read((tx) => readCurrentSurvey(scope, tx, surveyId))
  const languages = [definition.default_language, ...(definition.languages ?? [])]
  const names = new Map<string, string>(topics.map(({ id, name }) => [id, name]))
  const classified = await classifyTexts(
    scope.tenantId,
    topics.map(({ id, keywords, survey_ids }) => ({ id, keywords, surveyIds: survey_ids })),
    rows.map(({ text, language }) => ({ text, surveyId, expected: language, languages, language: null })),
  )
  return rows.flatMap(({ question_id, text }, index) => {
    const found = classified[index]
    if (!found) return []
    return {
      response_id: null,
      survey_id: formatId('survey', surveyId),
      question_id,
      text,
      language: found.language,
      sentiment: { ...found.sentiment, source: 'rules' as const },
      topics: found.topics.map(({ id, confidence }) => ({
        topic_id: formatId('topic', id as Id<'topic'>),
        name: names.get(id) ?? '',
        confidence,
        source: 'rules' as const,
      })),
      band: null,
      score: null,
      agent_id: null,
      completed_at: null,
      tags: [],
    }
  })
}
