import { requireReadable } from '../../access/workspaces/org.service.ts'
import { timeOf } from '../../access/workspaces/workspaces.service.ts'
import type { z } from 'zod'
import { presentPage, type PageRequest } from '../../../http/routes/pagination.ts'
import { conflict, notFound, unprocessable, type Issue } from '../../../http/problems/problem.ts'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import { countIfAsked } from '../../../platform/fields/counting.ts'
import { compileBeside } from '../../../platform/filter/compile.ts'
import { testsOf } from '../../../platform/filter/grammar.ts'
import { register, unregister } from '../../../platform/database/directory.ts'
import { newId, parseId, type Id } from '../../../platform/ids.ts'
import { callerId } from '../../../platform/principal.ts'
import type { Scope } from '../../../platform/scope.ts'
import { runInSlices } from '../../../platform/loop/turns.ts'
import { draftChecks } from '../../../survey-engine/checks/draft-checks.ts'
import type { SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { audited, lock, present, presentHead, recorded, type PresentedSurvey } from './changes.service.ts'
import { namedEditors } from './editors.service.ts'
import { refuseUnknownBadges, type KnownBadges } from './ending-badges.service.ts'
import { FEWEST } from '../../../platform/anonymity-threshold.ts'
import { frozenIssues, periodIssues, refuse } from './issues.ts'
import { hasPictures, withOwnPictures } from './pictures.service.ts'
import { limitIssues, privacyIssues } from './published-surveys.service.ts'
import * as quotas from './quotas.store.ts'
import type { CreateSurvey, SurveyList, SurveyQuery, UpdateSurvey } from './surveys.schema.ts'
import { ACTIVITY, besideOf, sortsBy, type Activities } from './survey.entity.ts'
import * as store from './surveys.store.ts'

/**
 * @param knownBadges says which badges an ending may show.
 * @throws Problem 422 for a draft with repeated ids or references to missing questions or badges.
 */
export async function createSurvey(
  scope: Scope,
  input: z.output<typeof CreateSurvey>,
  knownBadges: KnownBadges,
): Promise<PresentedSurvey> {
  const { name, starts_at: starts, closes_at: closes, response_limit, ...definition } = input
  const starts_at = await timeOf(scope, starts, 'beginning')
  const closes_at = await timeOf(scope, closes, 'end')
  const content = { name, starts_at, closes_at, response_limit, definition }
  await checkDraft(content)
  await refuseUnknownBadges(scope, definition.endings, knownBadges)
  requireReadable(definition.theme, 'theme')
  return insertDraft(scope, { ...content, definition: await withOwnPictures(scope, definition) })
}

/** How often surveys were completed, and when last. */
export type ReadActivity = (
  scope: Scope,
  ids: Id<'survey'>[],
) => Promise<Map<Id<'survey'>, { responses: number; lastAt: Date | null }>>

export async function listSurveys(
  scope: Scope,
  query: z.output<typeof SurveyQuery>,
  page: PageRequest,
  readActivity: ReadActivity,
): Promise<z.input<typeof SurveyList>> {
  const all = isByActivity(query) ? await readActivity(scope, await scope.read(store.listPublishedIds)) : null
  const beside = besideOf(activitiesIn(all ?? new Map()))
  const matching = (tx: ReadTx) =>
    compileBeside(store.conditionOf(query), 'surveys', query.filter, { tx, alias: 's', now: scope.clock.now(), beside })
  const rows = await scope.read(async (tx) => store.listSurveys(tx, await matching(tx), page, sortsBy(beside)))
  const shown = rows.slice(0, page.limit).map(({ id }) => id)
  const activity = all ?? (await readActivity(scope, shown))
  const editors = await namedEditors(
    scope,
    rows.map(({ updated_by }) => updated_by),
  )
  const present = (row: (typeof rows)[number]) => {
    const { responses, lastAt } = activity.get(row.id) ?? { responses: 0, lastAt: null }
    return {
      ...presentHead(scope, row),
      metric: row.metric,
      privacy: row.privacy,
      languages: row.languages,
      unpublished_changes: row.unpublished_changes,
      question_count: row.question_count,
      response_count: responses,
      last_response_at: lastAt?.toISOString() ?? null,
      updated_by: editors(row.updated_by),
    }
  }
  return {
    ...presentPage(rows, page, present),
    ...(await countIfAsked(scope, query, { table: 'surveys', alias: 's', matching, all: () => store.conditionOf({}) })),
  }
}

/** Whether the list is ordered or filtered by how often its surveys were completed. */
function isByActivity({ sort, filter }: Pick<z.output<typeof SurveyQuery>, 'sort' | 'filter'>): boolean {
  const fields = [sort?.field ?? '', ...testsOf(filter ?? { all: [] }).map(({ field }) => field)]
  return fields.some((field) => ACTIVITY.includes(field))
}

function activitiesIn(found: Awaited<ReturnType<ReadActivity>>): Activities {
  return Object.fromEntries(
    [...found].map(([id, { responses, lastAt }]) => [id, [responses, lastAt?.getTime() ?? null]]),
  )
}

export async function getSurvey(scope: Scope, id: Id<'survey'>): Promise<PresentedSurvey> {
  const row = await scope.read((tx) => store.findSurvey(tx, id))
  if (!row) throw notFound('survey')
  return present(scope, row)
}

/**
 * Changes settings at once, and the definition in the draft, which the next publish makes a version.
 * @throws Problem 412 for a stale `If-Match`, 409 for an archived survey, 422 for a draft that cannot be stored.
 */
export async function updateSurvey(
  scope: Scope,
  id: Id<'survey'>,
  given: z.output<typeof UpdateSurvey>,
  { ifMatch, knownBadges }: { ifMatch: string | undefined; knownBadges: KnownBadges },
): Promise<PresentedSurvey> {
  const input = await withOwn(scope, id, given, knownBadges)
  const period = {
    starts_at: await timeOf(scope, given.starts_at, 'beginning'),
    closes_at: await timeOf(scope, given.closes_at, 'end'),
  }
  return scope.tx(async (tx) => {
    const row = await lock(tx, id, ifMatch)
    if (row.state === 'archived')
      throw conflict('invalid_state', 'An archived survey cannot be changed. Duplicate it instead.')
    const content = merge(row, { ...input, ...period })
    refuse([
      ...(await runInSlices(draftChecks(content.definition))),
      ...frozenIssues(content.definition, row.frozen_types),
      ...periodIssues(content),
      ...limitTooLow(content),
      ...(await privacyIssues(scope, tx, row, content.definition)),
      ...(await limitIssues(scope, tx, row, content.response_limit)),
    ])
    const before = present(scope, row)
    await store.updateContent(tx, id, content, { now: scope.clock.now(), by: callerId(scope.principal) })
    await keepLimitCounter(tx, id, row.response_limit, content.response_limit)
    return recorded(scope, tx, 'update', id, before)
  })
}

/** @throws Problem 409 for a survey that was ever published. */
export async function deleteSurvey(scope: Scope, id: Id<'survey'>, ifMatch: string | undefined): Promise<void> {
  await scope.tx(async (tx) => {
    const row = await lock(tx, id, ifMatch)
    if (row.state !== 'draft')
      throw conflict(
        'invalid_state',
        'Only a draft can be deleted. A published survey keeps its responses. Close and archive it instead.',
      )
    await unregister(tx, 'survey', [id])
    await store.deleteSurvey(tx, id)
    audited(scope, tx, 'delete', id)
  })
}

/** Copies this survey's draft to a new draft, without period and limit. */
export async function duplicateSurvey(scope: Scope, id: Id<'survey'>): Promise<PresentedSurvey> {
  const row = await scope.read((tx) => store.findSurvey(tx, id))
  if (!row) throw notFound('survey')
  const copy = {
    name: `${row.name.slice(0, 193)} (copy)`,
    definition: row.definition,
    starts_at: null,
    closes_at: null,
    response_limit: null,
  }
  await checkDraft(copy)
  return insertDraft(scope, copy)
}

/** The content that editors see. @throws Problem 404. */
export async function readDraft(scope: Scope, id: Id<'survey'>): Promise<SurveyDefinition> {
  const row = await scope.read((tx) => store.findSurvey(tx, id))
  if (!row) throw notFound('survey')
  return row.definition
}

/**
 * The surveys that a body names.
 * @throws Problem 422 with `<path>.<index>` for each id that is malformed or not in this workspace.
 */
export async function findSurveyIds(scope: Scope, texts: string[], path: string): Promise<Id<'survey'>[]> {
  if (texts.length === 0) return []
  const ids = texts.map((text) => parseId('survey', text))
  const known = await scope.read((tx) =>
    store.findExisting(
      tx,
      ids.filter((id) => id !== null),
    ),
  )
  const issues = ids.flatMap((id, index): Issue[] =>
    id !== null && known.has(id) ? [] : [{ path: `${path}.${index}`, message: 'There is no such survey.' }],
  )
  if (issues.length > 0) throw unprocessable('unknown_survey', issues)
  return [...new Set(ids.filter((id) => id !== null))]
}

/** The survey that a body names. @throws Problem 422 with `path` if this workspace has no such survey. */
export async function findSurveyId(scope: Scope, text: string, path: string): Promise<Id<'survey'>> {
  const id = parseId('survey', text)
  const known = id && (await scope.read((tx) => store.findExisting(tx, [id])))
  if (!id || !known?.has(id)) throw unprocessable('unknown_survey', [{ path, message: 'There is no such survey.' }])
  return id
}

/** Looks for no badge and fetches nothing for a survey that is not there. */
async function withOwn(
  scope: Scope,
  id: Id<'survey'>,
  input: z.output<typeof UpdateSurvey>,
  knownBadges: KnownBadges,
): Promise<z.output<typeof UpdateSurvey>> {
  const { endings = [] } = input
  const hasBadges = endings.some(({ badge }) => badge !== undefined)
  requireReadable(input.theme, 'theme')
  if (!hasBadges && !hasPictures(input)) return input
  await readDraft(scope, id)
  await refuseUnknownBadges(scope, endings, knownBadges)
  return withOwnPictures(scope, input)
}

async function checkDraft(content: store.SurveyContent): Promise<void> {
  refuse([...(await runInSlices(draftChecks(content.definition))), ...periodIssues(content), ...limitTooLow(content)])
}

function limitTooLow({ definition, response_limit }: store.SurveyContent): Issue[] {
  if (definition.privacy !== 'anonymous' || response_limit === null || response_limit >= FEWEST) return []
  return [{ path: 'response_limit', message: `An anonymous survey needs at least ${FEWEST} answers.` }]
}

async function insertDraft(scope: Scope, content: store.SurveyContent): Promise<PresentedSurvey> {
  const id = newId('survey')
  return scope.tx(async (tx) => {
    await store.insertSurvey(tx, id, content, { now: scope.clock.now(), by: callerId(scope.principal) })
    // Public routes use this to find the survey's tenant.
    await register(tx, 'survey', [id])
    await keepLimitCounter(tx, id, null, content.response_limit)
    return recorded(scope, tx, 'create', id)
  })
}

// A limit that is set later also counts earlier completions.
async function keepLimitCounter(
  tx: TenantTx,
  id: Id<'survey'>,
  before: number | null,
  after: number | null,
): Promise<void> {
  if (before !== null && after === null) await quotas.deleteLimitCounter(tx, id)
  if (before === null && after !== null) await quotas.insertLimitCounter(tx, id, await quotas.countCompleted(tx, id))
}

function merge(
  row: store.SurveyRow,
  input: Omit<z.output<typeof UpdateSurvey>, 'starts_at' | 'closes_at'> & {
    starts_at: Date | null | undefined
    closes_at: Date | null | undefined
  },
): store.SurveyContent {
  const {
    name = row.name,
    starts_at = row.starts_at,
    closes_at = row.closes_at,
    response_limit = row.response_limit,
    languages,
    variables,
    single_use_tokens,
    messages,
    lead_capture,
    layout,
    targeting,
    theme,
    ...rest
  } = input
  const definition: SurveyDefinition = { ...row.definition, ...rest }
  if (languages === null) delete definition.languages
  else if (languages) definition.languages = languages
  if (variables === null) delete definition.variables
  else if (variables) definition.variables = variables
  if (single_use_tokens === null) delete definition.single_use_tokens
  else if (single_use_tokens) definition.single_use_tokens = single_use_tokens
  if (lead_capture === null) delete definition.lead_capture
  else if (lead_capture) definition.lead_capture = lead_capture
  if (layout === null) delete definition.layout
  else if (layout) definition.layout = layout
  if (targeting === null) delete definition.targeting
  else if (targeting) definition.targeting = targeting
  if (theme === null) delete definition.theme
  else if (theme) definition.theme = theme
  if (messages === null) delete definition.messages
  else if (messages) definition.messages = messages
  return { name, definition, starts_at, closes_at, response_limit }
}
