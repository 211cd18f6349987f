import { pageRequest, PageQuery } from '../../../http/routes/pagination.ts'
import { tenantRoute, type Route } from '../../../http/routes/route.ts'
import type { AppContext } from '../../../http/context.ts'
import { STALE } from '../../../http/routes/headers.ts'
import { etagOf } from '../../../platform/etag.ts'
import type { KnownBadges } from './ending-badges.service.ts'
import type { Transition } from './openness.ts'
import {
  CreateSurvey,
  OpenedSurvey,
  Survey,
  SurveyList,
  SurveyQuery,
  SurveySummary,
  SurveyVersionList,
  UpdateSurvey,
  ValidateQuery,
  Validation,
} from './surveys.schema.ts'
import { moveSurvey, publishSurvey, validateSurvey } from './lifecycle.service.ts'
import {
  createSurvey,
  deleteSurvey,
  duplicateSurvey,
  getSurvey,
  listSurveys,
  updateSurvey,
  type ReadActivity,
} from './surveys.service.ts'
import { surveyNames } from './published-surveys.service.ts'
import { listVersions } from './versions.service.ts'
import type { Feature } from '../../../platform/feature.ts'
import { getSurveyDefinitionRoute } from './definition-file.routes.ts'
import { surveys } from './survey.entity.ts'

const tag = 'Surveys'
const params = { id: 'survey' } as const
const INVALID = { 422: 'The survey cannot work with this definition. `issues` has the reasons.' }

const listSurveysRoute = (readActivity: ReadActivity) =>
  tenantRoute({
    method: 'get',
    path: '/surveys',
    operationId: 'listSurveys',
    summary: 'List surveys',
    tag,
    query: SurveyQuery,
    response: { status: 200, schema: SurveyList },
    handler: (scope, { query }) => listSurveys(scope, query, pageRequest(query), readActivity),
  })

const createSurveyRoute = (knownBadges: KnownBadges) =>
  tenantRoute({
    method: 'post',
    path: '/surveys',
    operationId: 'createSurvey',
    summary: 'Create a survey as a draft',
    tag,
    permission: 'surveys.manage',
    body: CreateSurvey,
    example: {
      name: 'After delivery',
      metric: 'nps',
      default_language: 'en',
      questions: [
        { id: 'q1', type: 'nps', title: 'How likely are you to recommend us?', required: true },
        {
          id: 'q2',
          type: 'single',
          title: { en: 'Why?', de: 'Warum?' },
          choices: [{ id: 'price', label: 'Price' }],
          allow_other: true,
        },
        { id: 'q3', type: 'open_text', title: 'Tell us more, {{answer.q1}} is…', format: 'text' },
      ],
      logic: [{ when: { all: [{ question: 'q1', op: 'lte', value: 6 }] }, then: [{ action: 'jump', to: 'q3' }] }],
      custom_fields: ['plan'],
      dedupe: 'none',
    },
    audit: ['survey.create'],
    response: { status: 201, schema: Survey, headers: ['ETag'] },
    problems: INVALID,
    handler: async (scope, { body, c }) => tagged(c, await createSurvey(scope, body, knownBadges)),
  })

const getSurveyRoute = tenantRoute({
  method: 'get',
  path: '/surveys/:id',
  operationId: 'getSurvey',
  summary: 'Read a survey with its draft and `ETag`',
  tag,
  params,
  response: { status: 200, schema: Survey, headers: ['ETag'] },
  handler: async (scope, { params: { id }, c }) => tagged(c, await getSurvey(scope, id)),
})

const updateSurveyRoute = (knownBadges: KnownBadges) =>
  tenantRoute({
    method: 'patch',
    path: '/surveys/:id',
    operationId: 'updateSurvey',
    summary: 'Change settings, or the definition in the draft',
    description:
      'Settings change at once, the definition when you publish. Send the `ETag` that you read as `If-Match`, so that ' +
      'no change is lost. A published question keeps its type.',
    tag,
    permission: 'surveys.manage',
    params,
    headers: ['if-match'],
    body: UpdateSurvey,
    example: { name: 'After delivery, 2026', closes_at: '2026-12-31T23:00:00Z' },
    audit: ['survey.update'],
    response: { status: 200, schema: Survey, headers: ['ETag'] },
    problems: { ...STALE, ...INVALID, 409: 'The survey is archived.' },
    handler: async (scope, { params: { id }, body, c }) =>
      tagged(c, await updateSurvey(scope, id, body, { ifMatch: c.req.header('if-match'), knownBadges })),
  })

const deleteSurveyRoute = tenantRoute({
  method: 'delete',
  path: '/surveys/:id',
  operationId: 'deleteSurvey',
  summary: 'Delete a draft that was never published',
  tag,
  permission: 'surveys.manage',
  params,
  headers: ['if-match'],
  audit: ['survey.delete'],
  response: { status: 204 },
  problems: { ...STALE, 409: 'The survey was published. Archive it instead.' },
  handler: async (scope, { params: { id }, c }) => {
    await deleteSurvey(scope, id, c.req.header('if-match'))
    return c.body(null, 204)
  },
})

const publishSurveyRoute = tenantRoute({
  method: 'post',
  path: '/surveys/:id/publish',
  operationId: 'publishSurvey',
  summary: 'Publish the draft',
  tag,
  permission: 'surveys.manage',
  params,
  headers: ['if-match'],
  audit: ['survey.publish'],
  response: { status: 200, schema: OpenedSurvey, headers: ['ETag'] },
  problems: { ...STALE, ...INVALID, 409: 'Only a draft, live or paused survey can be published.' },
  handler: async (scope, { params: { id }, c }) => tagged(c, await publishSurvey(scope, id, c.req.header('if-match'))),
})

const pauseSurveyRoute = step(
  'pause',
  'Pause a survey: take no responses for a while',
  'Only a live survey can be paused.',
)
const resumeSurveyRoute = step('resume', 'Resume a paused survey', 'Only a paused survey can be resumed.', {
  422: '`closes_at` has passed. Choose a later time first.',
})
const closeSurveyRoute = step(
  'close',
  'Close a survey: take no more responses',
  'Only a live or paused survey can be closed.',
)
const unarchiveSurveyRoute = step(
  'unarchive',
  'Take a survey out of the archive: it is closed again',
  'Only an archived survey can be taken out of the archive.',
)
const archiveSurveyRoute = step('archive', 'Archive a closed survey', 'Only a closed survey can be archived.')

const duplicateSurveyRoute = tenantRoute({
  method: 'post',
  path: '/surveys/:id/duplicate',
  operationId: 'duplicateSurvey',
  summary: 'Copy a survey to a new draft',
  tag,
  permission: 'surveys.manage',
  params,
  audit: ['survey.create'],
  response: { status: 201, schema: Survey, headers: ['ETag'] },
  handler: async (scope, { params: { id }, c }) => tagged(c, await duplicateSurvey(scope, id)),
})

const validateSurveyRoute = tenantRoute({
  method: 'post',
  path: '/surveys/:id/validate',
  operationId: 'validateSurvey',
  summary: 'Check whether the draft can be published',
  tag,
  params,
  idempotent: false,
  query: ValidateQuery,
  audit: { none: 'It only reads.' },
  response: { status: 200, schema: Validation },
  handler: (scope, { params: { id }, query: { include } }) => validateSurvey(scope, id, include),
})

const listSurveyVersionsRoute = tenantRoute({
  method: 'get',
  path: '/surveys/:id/versions',
  operationId: 'listSurveyVersions',
  summary: 'List published versions, newest first',
  tag,
  params,
  query: PageQuery,
  response: { status: 200, schema: SurveyVersionList },
  handler: (scope, { params: { id }, query }) => listVersions(scope, id, pageRequest(query)),
})

function step(
  name: Exclude<Transition, 'publish'>,
  summary: string,
  possible: string,
  more: Record<number, string> = {},
) {
  return tenantRoute({
    method: 'post',
    path: `/surveys/:id/${name}`,
    operationId: `${name}Survey`,
    summary,
    tag,
    permission: 'surveys.manage',
    params,
    headers: ['if-match'],
    audit: [`survey.${name}`],
    response: { status: 200, schema: name === 'resume' ? OpenedSurvey : Survey, headers: ['ETag'] },
    problems: { ...STALE, 409: possible, ...more },
    handler: async (scope, { params: { id }, c }) =>
      tagged(c, await moveSurvey(scope, id, name, c.req.header('if-match'))),
  })
}

function tagged<Shown>(c: AppContext, { survey, revision }: { survey: Shown; revision: number }): Shown {
  c.header('ETag', etagOf(revision))
  return survey
}

/**
 * @param knownBadges says which badges an ending may show.
 * @param readActivity says how often surveys were completed.
 */
export function createSurveys(knownBadges: KnownBadges, readActivity: ReadActivity): Feature<Route> {
  return {
    name: 'surveys',
    entities: { surveys },
    parts: {
      lists: {
        surveys: {
          members: Object.keys(SurveySummary.shape),
          moment: 'updated_at',
          suggests: ['state', 'metric', 'language'],
        },
      },
      names: { survey: surveyNames },
    },
    routes: [
      listSurveysRoute(readActivity),
      createSurveyRoute(knownBadges),
      updateSurveyRoute(knownBadges),
      archiveSurveyRoute,
      closeSurveyRoute,
      deleteSurveyRoute,
      duplicateSurveyRoute,
      getSurveyRoute,
      listSurveyVersionsRoute,
      pauseSurveyRoute,
      publishSurveyRoute,
      resumeSurveyRoute,
      unarchiveSurveyRoute,
      validateSurveyRoute,
      getSurveyDefinitionRoute,
    ],
  }
}
