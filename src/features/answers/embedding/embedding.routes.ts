import { compressedPage, sendAsset } from '../../../http/pages/compressed.ts'
import { Problem } from '../../../http/problems/problem.ts'
import { publicRoute, systemRoute, tenantRoute, type Route } from '../../../http/routes/route.ts'
import { parseId } from '../../../platform/ids.ts'
import { webAssets, type WebAsset } from '../../../platform/look/web-assets.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import { DEMO_HEADERS, demoPage, rulesHeaders, rulesPage } from './embedding.page.ts'
import { resolveSurvey, readEmbedRules } from './embedding.service.ts'
import { EmbedDemoQuery, EmbedList, EmbedQuery } from './embedding.schema.ts'
import { listEmbeds, noteEmbed, KEPT_DAYS } from './embeds.service.ts'
import type { Feature } from '../../../platform/feature.ts'
import { removeOldRows } from '../../../platform/work/retention.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'

const tag = 'Public capture'
const NOT_BUILT = { 503: '`not_built`: the pages of this server were not built. Run `npm run build`.' }

const getEmbedScriptRoute = systemRoute({
  method: 'get',
  path: '/public/embed.js',
  operationId: 'getEmbedScript',
  summary: 'Load the script that embeds surveys in a website',
  description: 'docs/embed.md says how to use it. `/docs/embed` shows it.',
  tag,
  headers: ['accept-encoding', 'if-none-match'],
  response: { status: 200, contentType: 'text/javascript', headers: ['ETag'] },
  problems: { 304: 'The `ETag` is still current.', ...NOT_BUILT },
  handler: async (system, { c }) => sendAsset(c, program(system, 'embed'), 'public, max-age=300'),
})

const getEmbedFrameRoute = publicRoute({
  method: 'get',
  path: '/public/embed/:id',
  operationId: 'getEmbedFrame',
  summary: 'Tell the embed script when a survey opens',
  description:
    'The embed script loads this page in a hidden frame. It posts the `targeting` of the survey, and the words and ' +
    'colour of its button, to the website that the fragment names.',
  tag,
  params: { id: 'survey' },
  query: EmbedQuery,
  headers: ['referer', 'sec-fetch-site'],
  response: { status: 200, contentType: 'text/html' },
  problems: {
    410: '`survey_not_open`. `reason` is `paused`, `closed`, `archived`, `ended`, `full` or `not_started`.',
    ...NOT_BUILT,
  },
  resolve: (system, { id }) => resolveSurvey(system, id),
  handler: async (scope, { params: { id }, query: { lang, mode }, c }) => {
    const script = program(scope, 'frame').body.toString()
    const { rules, embedOrigins, isAnonymous } = await readEmbedRules(scope, id, lang)
    // A page of this server, such as the example in the console, is not a website.
    const isOurs = c.req.header('sec-fetch-site') === 'same-origin'
    if (!isOurs) await noteEmbed(scope, id, { referer: c.req.header('referer'), mode, isAnonymous, embedOrigins })
    return c.body(String(await rulesPage(rules, script)), 200, rulesHeaders(script, embedOrigins))
  },
})

const listEmbedsRoute = tenantRoute({
  method: 'get',
  path: '/surveys/:id/embeds',
  operationId: 'listSurveyEmbeds',
  summary: 'List the websites on which a survey was seen',
  description: 'The 50 newest of the last 90 days. Nothing of a visitor is kept.',
  tag: 'Surveys',
  params: { id: 'survey' },
  response: { status: 200, schema: EmbedList },
  handler: (scope, { params: { id } }) => listEmbeds(scope, id),
})

const getEmbedDemoRoute = systemRoute({
  method: 'get',
  path: '/docs/embed',
  operationId: 'getEmbedDemo',
  summary: 'Show a survey in every mode of the embed script',
  tag,
  query: EmbedDemoQuery,
  headers: ['accept', 'accept-encoding', 'accept-language'],
  response: { status: 200, contentType: 'text/html' },
  handler: async (system, { query: { survey = '' }, c }) => {
    const id = parseId('survey', survey) === null ? null : survey
    return compressedPage(c, String(await demoPage(id, system.settings.baseUrl)), 200, DEMO_HEADERS)
  },
})

function program({ caches }: Pick<SystemScope, 'caches'>, name: string): WebAsset {
  const found = webAssets(caches).program(name)
  if (!found)
    throw new Problem(503, 'not_built', {
      detail: 'The pages of this server were not built. Its operator has to run `npm run build`.',
    })
  return found
}

/** Forgets websites on which a survey was not seen for 90 days. */
export const oldEmbedsSweep: Sweep = {
  name: 'embedding.retention',
  everySeconds: 3600,
  run: (system, options) =>
    removeOldRows(system, options, { table: 'survey_embeds', agedBy: 'last_seen_at', days: KEPT_DAYS }),
}

export const embedding = {
  name: 'embedding',
  routes: [getEmbedDemoRoute, getEmbedFrameRoute, getEmbedScriptRoute, listEmbedsRoute],
  sweeps: [oldEmbedsSweep],
  retention: [{ tables: ['survey_embeds'], sweep: oldEmbedsSweep }],
} satisfies Feature<Route>
