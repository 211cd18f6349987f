import { html } from 'hono/html'
import { KIB } from '../../../http/bodies/body.ts'
import type { AppContext } from '../../../http/context.ts'
import { acceptedLanguage, acceptsPages, noticePage } from '../../../http/pages/notice-page.ts'
import { Problem } from '../../../http/problems/problem.ts'
import { systemRoute } from '../../../http/routes/route.ts'
import { messagesIn } from './unsubscribe-messages.ts'
import { readSubscriber, unsubscribe, type Subscriber } from './unsubscribe.service.ts'

const tag = 'Suppression'
const params = { token: 'text' } as const
const problems = {
  404: 'This server did not make the link, or its message was deleted long ago. HTML if the client accepts it.',
}

export const getUnsubscribeRoute = systemRoute({
  method: 'get',
  path: '/public/unsubscribe/:token',
  operationId: 'getUnsubscribePage',
  summary: 'Show the page to unsubscribe',
  description: 'A page with a button. Opening it changes nothing, because programs open links too.',
  tag,
  params,
  headers: ['accept', 'accept-language'],
  response: { status: 200, contentType: 'text/html' },
  problems,
  handler: (system, { params: { token }, c }) =>
    answer(c, async () => {
      const subscriber = await readSubscriber(system, token)
      const { language, title } = wordsFor(c, subscriber)
      return noticePage(c, { language, title, content: renderQuestion(subscriber, language) })
    }),
})

export const unsubscribeRoute = systemRoute({
  method: 'post',
  path: '/public/unsubscribe/:token',
  operationId: 'unsubscribe',
  summary: 'Unsubscribe',
  description:
    'The form of the page, or the one click of a mail program (RFC 8058). Any body is accepted. A second call gets ' +
    'the same answer.',
  tag,
  params,
  headers: ['accept', 'accept-language'],
  bodyLimit: 64 * KIB,
  audit: ['suppression.create'],
  response: {
    status: 200,
    contentType: 'text/html',
    description: 'A page, or a line of text if the client accepts no HTML.',
  },
  problems,
  handler: (system, { params: { token }, c }) =>
    answer(c, async () => {
      const subscriber = await unsubscribe(system, token)
      const { language, done } = wordsFor(c, subscriber)
      if (!acceptsPages(c)) return c.text(`${done}\n`)
      return noticePage(c, { language, title: done, content: renderDone(subscriber, language) })
    }),
})

function wordsFor(c: AppContext, { language }: Subscriber) {
  return messagesIn(acceptedLanguage(c, language))
}

async function answer(c: AppContext, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404 || !acceptsPages(c)) throw error
    const { language, gone } = messagesIn(acceptedLanguage(c))
    return noticePage(c, { status: 404, language, title: gone })
  }
}

/** Asks first, because programs follow links. The form posts to the page's own address. */
function renderQuestion({ workspace, address }: Subscriber, language: string) {
  const messages = messagesIn(language)
  return html`<p>${messages.question(workspace, address)}</p><form method="post"><button type="submit">${messages.button}</button></form>`
}

function renderDone({ workspace, address }: Subscriber, language: string) {
  return html`<p role="status">${messagesIn(language).doneText(workspace, address)}</p>`
}
