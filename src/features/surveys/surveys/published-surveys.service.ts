import { cacheOf } from '../../../platform/config/caches.ts'
import { notFound, Problem, type Issue } from '../../../http/problems/problem.ts'
import type { ValueQuery, ReadTx, TenantTx } from '../../../platform/database/database.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import { type Scope, signalOf } from '../../../platform/scope.ts'
import type { SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { opennessOf, type Opening, type Openness } from './openness.ts'
import { hasResponses } from './quotas.store.ts'
import * as store from './surveys.store.ts'
import type { SurveyRow } from './surveys.store.ts'

export interface PublishedSurvey {
  id: Id<'survey'>
  version: number
  definition: SurveyDefinition
  responseLimit: number | null
  /** Recent completions by quota. */
  counts: Record<string, number>
}

// Versions never change, so a cached one stays valid. The size is in characters of JSON; the objects take several times
// as many bytes.
const DEFINITIONS = cacheOf<string, KnownDefinition>({ maxSize: 16 * 1024 * 1024, sizeOf: ({ chars }) => chars })
interface KnownDefinition {
  definition: SurveyDefinition
  chars: number
}
// A reader of many versions displaces none that respondents need.
const MOST_CHARS_IN_PASSING = 64 * 1024

// A turn of a conversation and its answer share one transaction, and both ask.
const openings = new WeakMap<ReadTx, Map<Id<'survey'>, store.OpeningRow>>()

/**
 * The published version for respondents.
 * @throws Problem 404 for an unknown or draft survey, 410 `survey_not_open` if it takes no responses right now.
 */
export async function readOpenSurvey(scope: Scope, tx: ReadTx, id: Id<'survey'>): Promise<PublishedSurvey> {
  const opening = await readOpening(scope, tx, id)
  const definition = await readDefinition(scope, tx, id, opening.version)
  return { id, version: opening.version, definition, responseLimit: opening.response_limit, counts: opening.counts }
}

/**
 * The same with another value, in one round trip. Null for a survey that takes no responses right now, and for a
 * version that this process has not read yet.
 */
export async function findFront(
  scope: Scope,
  id: Id<'survey'>,
  look: ValueQuery,
): Promise<{ survey: PublishedSurvey; look: string } | null> {
  const found: Array<store.OpeningRow & { look: string }> = []
  await scope.read(async (tx) => store.tellFront(tx, id, look, (row) => row && found.push(row)))
  const [row] = found
  if (!row || opennessOf(row, scope.clock.now()) !== 'open') return null
  const { version, response_limit: responseLimit, counts } = row
  const definition = knownDefinition(scope, id, version)
  return definition ? { survey: { id, version, definition, responseLimit, counts }, look: row.look } : null
}

/** @throws the Problems of `readOpenSurvey`. */
export async function readOpening(scope: Scope, tx: ReadTx, id: Id<'survey'>) {
  const opening = openings.get(tx)?.get(id) ?? remember(tx, await store.findOpening(tx, id))
  if (!opening) throw notFound('survey')
  const openness = opennessOf(opening, scope.clock.now())
  if (openness === 'draft') throw notFound('survey')
  if (openness !== 'open') throw notOpen(openness, opening.starts_at)
  return opening
}

/** Whether respondents may still change what they said: the survey is open, or only full. */
export async function takesChanges(scope: Scope, tx: ReadTx, id: Id<'survey'>): Promise<boolean> {
  const opening = await store.findOpening(tx, id)
  return opening !== undefined && opennessOf({ ...opening, response_limit: null }, scope.clock.now()) === 'open'
}

/** Reads a survey's opening before its id is known, so that `readOpening` in this transaction needs no query. */
export async function prepareOpening(tx: TenantTx, found: ValueQuery): Promise<void> {
  remember(tx, await store.findFoundOpening(tx, found))
}

function remember(tx: ReadTx, opening: store.OpeningRow | undefined): store.OpeningRow | undefined {
  const known = openings.get(tx) ?? new Map<Id<'survey'>, store.OpeningRow>()
  if (opening) openings.set(tx, known.set(opening.id, opening))
  return opening
}

/** Lets one transaction after another work on a survey. */
export async function lockSurvey(tx: TenantTx, id: Id<'survey'>): Promise<void> {
  await store.lockSurvey(tx, id)
}

/**
 * The draft as a respondent would see it, in any state of the survey and with every quota open. @throws Problem 404.
 */
export async function readDraftAsPublished(tx: ReadTx, id: Id<'survey'>): Promise<PublishedSurvey> {
  const row = await store.findSurvey(tx, id)
  if (!row) throw notFound('survey')
  return { id, version: row.version, definition: row.definition, responseLimit: null, counts: {} }
}

/** The survey for a member of the workspace: the published definition, or the draft before the first publish. */
export async function readCurrentSurvey(
  scope: Scope,
  tx: ReadTx,
  id: Id<'survey'>,
): Promise<{ name: string; version: number; created_at: Date; definition: SurveyDefinition; opening: Opening }> {
  const row = await store.findCurrent(tx, id)
  if (!row) throw notFound('survey')
  const { name, version, created_at } = row
  return {
    name,
    version,
    created_at,
    definition: row.draft ?? (await readDefinition(scope, tx, id, version)),
    opening: row,
  }
}

/** The definition of a published version. */
export async function readDefinition(
  scope: Scope,
  tx: ReadTx,
  id: Id<'survey'>,
  version: number,
): Promise<SurveyDefinition> {
  return (await readSized(scope, tx, id, version)).definition
}

/** The same with its size in characters. `isNew` says that no cache had it. */
export async function readSized(
  scope: Scope,
  tx: ReadTx,
  id: Id<'survey'>,
  version: number,
): Promise<KnownDefinition & { isNew: boolean }> {
  const read = await readKept(scope, tx, { id, version }, Infinity)
  if (!read) throw new Error(`version ${version} of survey ${formatId('survey', id)} is missing`)
  return read
}

/** The same for a reader of many, who soon lets go of it. Undefined if there is none. */
export async function readInPassing(
  scope: Scope,
  tx: ReadTx,
  id: Id<'survey'>,
  version: number,
): Promise<SurveyDefinition | undefined> {
  return (await readKept(scope, tx, { id, version }, MOST_CHARS_IN_PASSING))?.definition
}

/** The definition of a published version, if this process has it. */
export function knownDefinition(scope: Scope, id: Id<'survey'>, version: number): SurveyDefinition | undefined {
  return scope.caches.of(DEFINITIONS).get(keyOf(scope, id, version))?.definition
}

async function readKept(
  scope: Scope,
  tx: ReadTx,
  { id, version }: store.NamedVersion,
  mostChars: number,
): Promise<(KnownDefinition & { isNew: boolean }) | undefined> {
  const key = keyOf(tx, id, version)
  const definitions = scope.caches.of(DEFINITIONS)
  const known = definitions.get(key)
  if (known) return { ...known, isNew: false }
  const row = await store.findVersion(tx, id, version)
  // Many may have asked at once.
  const parsed = definitions.get(key)
  if (parsed || !row) return parsed && { ...parsed, isNew: false }
  const read = { definition: JSON.parse(row.text) as SurveyDefinition, chars: row.text.length }
  if (read.chars <= mostChars) definitions.set(key, read)
  return { ...read, isNew: true }
}

function keyOf({ tenantId }: Pick<ReadTx, 'tenantId'>, id: Id<'survey'>, version: number): string {
  return `${tenantId}/${id}/${version}`
}

const REASONS: Record<Exclude<Openness, 'open' | 'draft'>, string> = {
  paused: 'This survey is paused. Try again later.',
  closed: 'This survey is closed.',
  archived: 'This survey is closed.',
  ended: 'This survey is closed.',
  full: 'This survey has all the responses that it needs.',
  not_started: 'This survey has not opened yet.',
}

export function notOpen(openness: Exclude<Openness, 'open' | 'draft'>, startsAt: Date | null): Problem {
  const opensAt = openness === 'not_started' && startsAt ? { opens_at: startsAt.toISOString() } : {}
  return new Problem(410, 'survey_not_open', {
    detail: `${REASONS[openness]} Nothing was stored.`,
    extra: { reason: openness, ...opensAt },
  })
}

/** A limit that moves after each answer would count the people of an anonymous survey one by one. */
export async function limitIssues(
  scope: Scope,
  tx: ReadTx,
  row: SurveyRow,
  responseLimit: number | null,
): Promise<Issue[]> {
  if (row.version === 0 || responseLimit === null || responseLimit === row.response_limit) return []
  const { privacy } = await readDefinition(scope, tx, row.id, row.version)
  if (privacy !== 'anonymous') return []
  return [
    {
      path: 'response_limit',
      message:
        'A published anonymous survey keeps its limit, because a new one would count single answers. ' +
        'Take it off with null, or duplicate the survey.',
    },
  ]
}

/** A survey would promise another privacy. A listener says so if people were already asked under the present one. */
export const PROMISE_CHANGES = signalOf<{ surveyId: Id<'survey'>; hasAsked: boolean }>('promise.changed')

/**
 * People were asked, or answered, under one promise, so the next version cannot make another: who opened an invitation
 * is known to the second, and an anonymous survey promises that it is not.
 */
export async function privacyIssues(
  scope: Scope,
  tx: TenantTx,
  row: SurveyRow,
  { privacy = 'open' }: SurveyDefinition,
): Promise<Issue[]> {
  if (row.version === 0) return []
  const { privacy: promised = 'open' } = await readDefinition(scope, tx, row.id, row.version)
  if (privacy === promised) return []
  const change = { surveyId: row.id, hasAsked: false }
  await scope.signals.emit(PROMISE_CHANGES, scope, tx, change)
  const done = (await hasResponses(tx, row.id))
    ? 'have already answered'
    : change.hasAsked
      ? 'were already invited'
      : null
  if (done === null) return []
  return [{ path: 'privacy', message: `Keep ${promised}, because people ${done}. To change it, duplicate the survey.` }]
}

// Other features run these statements as they are.
export { listPublished as listSurveyIds } from './surveys.store.ts'

/** The names of these surveys. */
export async function surveyNames(tx: ReadTx, ids: Id<'survey'>[]): Promise<Map<Id<'survey'>, string>> {
  if (ids.length === 0) return new Map()
  return new Map((await store.listNames(tx, ids)).map(({ id, name }) => [id, name]))
}

/** The metric and the privacy of each survey that was ever published. */
export async function surveyTraits(tx: ReadTx): Promise<Map<Id<'survey'>, store.Traits>> {
  return new Map((await store.listTraits(tx)).map((row) => [row.id, row]))
}
