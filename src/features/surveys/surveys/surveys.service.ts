import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { presentPage, type Page, type PageRequest } from '../../../http/pagination.ts'
import { conflict, notFound, Problem, unprocessable, type Issue } from '../../../http/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import type { ReadTx, TenantTx } from '../../../platform/database.ts'
import { register, unregister } from '../../../platform/directory.ts'
import { formatId, newId, parseId, type Id } from '../../../platform/ids.ts'
import type { Principal, Scope } from '../../../platform/scope.ts'
import { runInSlices } from '../../../platform/turns.ts'
import type { QuestionType, SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { draftChecks } from '../../../survey-engine/checks/draft-checks.ts'
import { publishChecks } from '../../../survey-engine/checks/publish-checks.ts'
import { contactFieldsOf } from '../../../survey-engine/types/contact.ts'
import { matches } from './etag.ts'
import { afterTransition, opennessOf, TRANSITIONS, type Transition } from './openness.ts'
import * as quotas from './quotas.store.ts'
import type {
  CreateSurvey,
  Survey,
  SurveyQuery,
  SurveySummary,
  SurveyVersion,
  UpdateSurvey,
  Validation,
} from './surveys.schema.ts'
import * as store from './surveys.store.ts'

const audited = auditOf('survey', {
  shows: [
    'state',
    'version',
    'accepting_responses',
    'unpublished_changes',
    'starts_at',
    'closes_at',
    'published_at',
    'response_limit',
    'metric',
    'dedupe',
  ],
})

export interface PresentedSurvey {
  survey: z.input<typeof Survey>
  revision: number
}

/** @throws Problem 422 for a draft with repeated ids or references to missing questions. */
export async function createSurvey(scope: Scope, input: z.output<typeof CreateSurvey>): Promise<PresentedSurvey> {
  const { name, starts_at, closes_at, response_limit, ...definition } = input
  return insertDraft(scope, { name, starts_at, closes_at, response_limit, definition })
}

export async function listSurveys(
  scope: Scope,
  query: z.output<typeof SurveyQuery>,
  page: PageRequest,
): Promise<Page<z.input<typeof SurveySummary>>> {
  const rows = await scope.read((tx) => store.listSurveys(tx, { state: query.state, search: query.search }, page))
  return presentPage(rows, page.limit, (row) => ({
    ...presentHead(scope, row),
    metric: row.metric,
    question_count: row.question_count,
  }))
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
  input: z.output<typeof UpdateSurvey>,
  ifMatch: string | undefined,
): Promise<PresentedSurvey> {
  return scope.tx(async (tx) => {
    const row = await lock(tx, id, ifMatch)
    if (row.state === 'archived')
      throw conflict('invalid_state', 'An archived survey cannot be changed. Duplicate it instead.')
    const content = merge(row, input)
    refuse([
      ...(await runInSlices(draftChecks(content.definition))),
      ...frozenIssues(content.definition, row.frozen_types),
      ...periodIssues(content),
    ])
    const changed = !isDeepStrictEqual(content.definition, row.definition)
    const before = present(scope, row)
    const now = scope.clock.now()
    await store.updateContent(
      tx,
      id,
      { ...content, unpublishedChanges: row.version > 0 && (row.unpublished_changes || changed) },
      now,
    )
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

/**
 * Makes the draft the published version, and the survey live (a paused one stays paused). Does nothing without changes
 * since the last publish.
 * @throws Problem 409 in another state, 422 with an issue for each error.
 */
export async function publishSurvey(
  scope: Scope,
  id: Id<'survey'>,
  ifMatch: string | undefined,
): Promise<PresentedSurvey> {
  return scope.tx(async (tx) => {
    const row = await lock(tx, id, ifMatch)
    const state = stateAfter(row, 'publish')
    if (row.version > 0 && !row.unpublished_changes) return present(scope, row)
    const { definition } = row
    const now = scope.clock.now()
    refuse([...(await publishIssues(definition)), ...closingIssues(row, now)])
    const version = row.version + 1
    await store.insertVersion(tx, id, {
      id: newId('survey'),
      version,
      definition,
      published_at: now,
      published_by: nameOf(scope.principal),
    })
    const frozenTypes = {
      ...row.frozen_types,
      ...Object.fromEntries(definition.questions.map((question) => [question.id, question.type])),
    }
    await store.updatePublished(tx, id, { state, version, frozenTypes }, now)
    if (definition.quotas.length > 0)
      await quotas.insertCounters(
        tx,
        id,
        definition.quotas.map((quota) => quota.id),
      )
    return recorded(scope, tx, 'publish', id, present(scope, row))
  })
}

/**
 * Pauses, resumes, closes or archives.
 * @throws Problem 409 naming the allowed states, 422 for resuming past `closes_at`.
 */
export async function moveSurvey(
  scope: Scope,
  id: Id<'survey'>,
  step: Exclude<Transition, 'publish'>,
  ifMatch: string | undefined,
): Promise<PresentedSurvey> {
  return scope.tx(async (tx) => {
    const row = await lock(tx, id, ifMatch)
    const [state, now] = [stateAfter(row, step), scope.clock.now()]
    if (step === 'resume') refuse(closingIssues(row, now))
    await store.updateState(tx, id, state, now)
    return recorded(scope, tx, step, id, present(scope, row))
  })
}

/** Copies this survey's draft to a new draft, without period and limit. */
export async function duplicateSurvey(scope: Scope, id: Id<'survey'>): Promise<PresentedSurvey> {
  const row = await scope.read((tx) => store.findSurvey(tx, id))
  if (!row) throw notFound('survey')
  return insertDraft(scope, {
    name: `${row.name.slice(0, 193)} (copy)`,
    definition: row.definition,
    starts_at: null,
    closes_at: null,
    response_limit: null,
  })
}

/** The content that editors see. @throws Problem 404. */
export async function readDraft(scope: Scope, id: Id<'survey'>): Promise<SurveyDefinition> {
  const row = await scope.read((tx) => store.findSurvey(tx, id))
  if (!row) throw notFound('survey')
  return row.definition
}

/** Checks whether the draft can be published. */
export async function validateSurvey(scope: Scope, id: Id<'survey'>): Promise<z.input<typeof Validation>> {
  const row = await scope.read((tx) => store.findSurvey(tx, id))
  if (!row) throw notFound('survey')
  const issues = [...(await publishIssues(row.definition)), ...closingIssues(row, scope.clock.now())]
  return { valid: issues.length === 0, issues }
}

const MOST_BYTES_OF_VERSIONS = 1_500_000

/** Versions, newest first. A page of large definitions may end before its limit; its cursor continues there. */
export async function listVersions(
  scope: Scope,
  id: Id<'survey'>,
  page: PageRequest,
): Promise<Page<z.input<typeof SurveyVersion>>> {
  const { rows, shown } = await scope.read(async (tx) => {
    if (!(await store.findOpening(tx, id))) throw notFound('survey')
    return readVersions(tx, id, page)
  })
  return presentPage(rows, shown, ({ version, published_at, published_by, definition }) => ({
    version,
    published_at: published_at.toISOString(),
    published_by,
    definition,
  }))
}

/** The versions of a page, and one more if there are more. */
async function readVersions(
  tx: ReadTx,
  id: Id<'survey'>,
  { limit, before }: PageRequest,
): Promise<{ rows: store.VersionRow[]; shown: number }> {
  const rows: store.VersionRow[] = []
  let bytes = 0
  let wanted = 2
  while (rows.length <= limit) {
    const asked = Math.min(wanted, limit + 1 - rows.length)
    const more = await store.listVersions(tx, id, { limit: asked, before: rows.at(-1)?.id ?? before })
    rows.push(...more)
    for (const row of more) bytes += row.bytes
    if (more.length < asked) break
    if (bytes >= MOST_BYTES_OF_VERSIONS) return { rows, shown: Math.min(limit, rows.length - 1) }
    wanted = Math.max(1, Math.floor((MOST_BYTES_OF_VERSIONS - bytes) / (bytes / rows.length)))
  }
  return { rows, shown: limit }
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

async function insertDraft(scope: Scope, content: store.SurveyContent): Promise<PresentedSurvey> {
  refuse([...(await runInSlices(draftChecks(content.definition))), ...periodIssues(content)])
  const id = newId('survey')
  return scope.tx(async (tx) => {
    await store.insertSurvey(tx, id, content, scope.clock.now())
    // Public routes use this to find the survey's tenant.
    await register(tx, 'survey', [id])
    await keepLimitCounter(tx, id, null, content.response_limit)
    return recorded(scope, tx, 'create', id)
  })
}

async function lock(tx: TenantTx, id: Id<'survey'>, ifMatch: string | undefined): Promise<store.SurveyRow> {
  const row = await store.lockSurvey(tx, id)
  if (!row) throw notFound('survey')
  if (!matches(ifMatch, row.revision))
    throw new Problem(412, 'stale', {
      detail: 'The survey has changed since you read it. Read it again, then repeat the change.',
    })
  return row
}

function stateAfter(row: store.SurveyRow, step: Transition) {
  const state = afterTransition(row.state, step)
  if (state) return state
  const { from, done } = TRANSITIONS[step]
  const states = new Intl.ListFormat('en', { type: 'disjunction' }).format(from)
  throw conflict('invalid_state', `This survey is ${row.state}. Only a ${states} survey can be ${done}.`)
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

function merge(row: store.SurveyRow, input: z.output<typeof UpdateSurvey>): store.SurveyContent {
  const {
    name = row.name,
    starts_at = row.starts_at,
    closes_at = row.closes_at,
    response_limit = row.response_limit,
    languages,
    variables,
    single_use_tokens,
    messages,
    ...rest
  } = input
  const definition: SurveyDefinition = { ...row.definition, ...rest }
  if (languages === null) delete definition.languages
  else if (languages) definition.languages = languages
  if (variables === null) delete definition.variables
  else if (variables) definition.variables = variables
  if (single_use_tokens === null) delete definition.single_use_tokens
  else if (single_use_tokens) definition.single_use_tokens = single_use_tokens
  if (messages === null) delete definition.messages
  else if (messages) definition.messages = messages
  return { name, definition, starts_at, closes_at, response_limit }
}

function refuse(issues: Issue[]): void {
  if (issues.length > 0)
    throw unprocessable(
      'invalid_survey',
      issues.slice(0, 100),
      'The survey cannot work with this definition. `issues` has the places.',
    )
}

function frozenIssues({ questions }: SurveyDefinition, frozen: Record<string, QuestionType>): Issue[] {
  return questions.flatMap(({ id, type }, index): Issue[] => {
    const published = Object.hasOwn(frozen, id) ? frozen[id] : undefined
    if (published === undefined || published === type) return []
    return [
      {
        path: `questions.${index}.type`,
        message: `${id} was published with the type ${published}, which cannot change. Use another id for a new question.`,
      },
    ]
  })
}

function periodIssues({ starts_at, closes_at }: store.SurveyContent): Issue[] {
  return starts_at && closes_at && closes_at <= starts_at
    ? [{ path: 'closes_at', message: 'Choose a time after starts_at.' }]
    : []
}

function closingIssues({ closes_at }: store.SurveyContent, now: Date): Issue[] {
  return closes_at && closes_at <= now
    ? [{ path: 'closes_at', message: 'This time has passed. Choose a later one, or null.' }]
    : []
}

async function publishIssues(definition: SurveyDefinition): Promise<Issue[]> {
  const reachable = definition.questions.some(
    (question) =>
      question.type === 'contact' && contactFieldsOf(question).some((field) => field === 'email' || field === 'phone'),
  )
  const contactless = definition.dedupe === 'contact' && !reachable
  return [
    ...(await runInSlices(publishChecks(definition))),
    ...(contactless
      ? [{ path: 'dedupe', message: 'Add a contact question with an email or phone field, or choose another dedupe.' }]
      : []),
  ]
}

function nameOf(principal: Principal): string | null {
  if (principal.type === 'user') return formatId('user', principal.id)
  return principal.type === 'api_key' ? formatId('apiKey', principal.id) : null
}

/** The survey after a change, which it records. */
async function recorded(
  scope: Scope,
  tx: TenantTx,
  verb: string,
  id: Id<'survey'>,
  before?: PresentedSurvey,
): Promise<PresentedSurvey> {
  const row = await store.findSurvey(tx, id)
  if (!row) throw notFound('survey')
  const after = present(scope, row)
  audited(scope, tx, verb, id, { ...(before && { before: before.survey }), after: after.survey })
  return after
}

function present(scope: Scope, row: store.SurveyRow): PresentedSurvey {
  return {
    survey: { ...presentHead(scope, row), unpublished_changes: row.unpublished_changes, ...row.definition },
    revision: row.revision,
  }
}

function presentHead(scope: Scope, row: store.SurveyHead) {
  return {
    id: formatId('survey', row.id),
    name: row.name,
    state: row.state,
    version: row.version,
    accepting_responses: opennessOf(row, scope.clock.now()) === 'open',
    starts_at: row.starts_at?.toISOString() ?? null,
    closes_at: row.closes_at?.toISOString() ?? null,
    response_limit: row.response_limit,
    published_at: row.published_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
