import { z } from 'zod'
import { isStorable, KIB, readFormText } from '../../../http/bodies/body.ts'
import type { AppContext } from '../../../http/context.ts'
import { acceptedLanguage, acceptsPages, noticePage } from '../../../http/pages/notice-page.ts'
import { notFound, Problem } from '../../../http/problems/problem.ts'
import { systemRoute, type Route } from '../../../http/routes/route.ts'
import { wishesIn } from '../../../platform/wishes.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import { previewWords } from './preview-words.ts'
import { renderConversation, withBand } from './previews.page.ts'
import { openPreview, previewConversation, previewMail } from './previews.service.ts'
import type { Feature } from '../../../platform/feature.ts'

const LONGEST_FORM = 256 * KIB
const LONGEST_REPLY = 1_600
const MOST_REPLIES = 100

const tag = 'Public capture'
const path = '/public/previews/:token/:channel'
const params = { token: 'text', channel: 'text' } as const
const response = { status: 200, contentType: 'text/html' }
const query = z.object({ lang: z.string().max(35).optional().describe('A language of the survey.') })
const problems = {
  404:
    'This server did not make the link, the survey is gone, or there is no such channel. HTML if the client ' +
    'accepts it.',
  410: '`link_expired`, likewise.',
  422: '`empty_survey`: the draft has no questions. HTML if the client accepts it.',
}

export const getChannelPreviewRoute = systemRoute({
  method: 'get',
  path,
  operationId: 'getChannelPreview',
  summary: 'Try a draft as it comes by mail, SMS or phone',
  description:
    '`channel` is `email`, `sms` or `voice`. The token is that of a preview link. Nothing is stored or sent. By SMS and ' +
    'phone the page is a conversation that somebody can answer. By mail it is the built-in invitation.',
  tag,
  params,
  query,
  headers: ['accept', 'accept-language'],
  response,
  problems,
  handler: (system, { params, query: { lang }, c }) => show(system, c, params, lang, []),
})

export const replyToChannelPreviewRoute = systemRoute({
  method: 'post',
  path,
  operationId: 'replyToChannelPreview',
  summary: 'Reply in the preview of a conversation',
  description: 'The form of the page: every reply so far, in order, as `turn`.',
  tag,
  params,
  query,
  headers: ['accept', 'accept-language', 'content-type'],
  bodyLimit: LONGEST_FORM,
  rawBody: {
    'application/x-www-form-urlencoded': z
      .object({ turn: z.union([z.string(), z.array(z.string())]).describe(`At most ${MOST_REPLIES}.`) })
      .meta({ id: 'ChannelPreviewForm' }),
  },
  audit: { none: 'Nothing changes.' },
  response,
  problems: { ...problems, 413: 'The form is too large.', 415: 'The body is not a form.' },
  handler: async (system, { params, query: { lang }, c }) => {
    const said = new URLSearchParams(await readFormText(c.req.raw, LONGEST_FORM)).getAll('turn')
    const turns = said.filter(isStorable).slice(0, MOST_REPLIES)
    return show(
      system,
      c,
      params,
      lang,
      turns.map((turn) => turn.slice(0, LONGEST_REPLY)),
    )
  },
})

async function show(
  system: SystemScope,
  c: AppContext,
  { token, channel }: { token: string; channel: string },
  asked: string | undefined,
  turns: string[],
): Promise<Response> {
  try {
    const preview = await openPreview(system, token)
    if (channel === 'email') {
      const { language, html, subject } = await previewMail(preview, asked ?? acceptedLanguage(c))
      return c.body(withBand(html, previewWords(language), subject), 200, MAIL_HEADERS)
    }
    if (channel !== 'sms' && channel !== 'voice') throw notFound()
    const wishes = asked === undefined ? wishesIn(c.req.header('accept-language') ?? '') : [asked]
    const simulation = await previewConversation(preview, { channel, turns, wishes })
    const { language } = simulation
    return noticePage(c, { language, title: previewWords(language)[channel], content: renderConversation(simulation) })
  } catch (error) {
    if (!(error instanceof Problem) || ![404, 410, 422].includes(error.status) || !acceptsPages(c)) throw error
    const language = acceptedLanguage(c)
    const { empty, gone } = previewWords(language)
    return noticePage(c, { status: error.status, language, title: error.code === 'empty_survey' ? empty : gone })
  }
}

// As in a mail program: pictures and styles of the mail, and nothing that runs. The builder frames it.
const MAIL_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
}

export const previews = {
  name: 'previews',
  routes: [getChannelPreviewRoute, replyToChannelPreviewRoute],
} satisfies Feature<Route>
