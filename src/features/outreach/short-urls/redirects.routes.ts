import type { AppContext } from '../../../http/context.ts'
import { acceptedLanguage, acceptsPages, noticePage } from '../../../http/pages/notice-page.ts'
import { notFound, Problem } from '../../../http/problems/problem.ts'
import { systemRoute } from '../../../http/routes/route.ts'
import { followShortUrl, withSlug } from './redirects.service.ts'
import { VisitQuery } from './short-urls.schema.ts'

export const followShortUrlRoute = systemRoute({
  method: 'get',
  path: '/r/:slug',
  operationId: 'followShortUrl',
  summary: 'Follow a short URL',
  tag: 'Short links',
  params: { slug: 'text' },
  query: VisitQuery,
  readsQuery: true,
  headers: ['accept', 'accept-language', 'user-agent', 'sec-purpose', 'purpose'],
  response: { status: 302, headers: ['Location'], description: 'A redirect to the target, in `Location`.' },
  problems: {
    404: 'There is no such short URL. HTML if the client accepts it.',
    410: '`short_url_expired`: it has expired or used up its clicks. HTML if the client accepts it.',
  },
  async handler(system, { params: { slug }, c }) {
    const visit = {
      userAgent: c.req.header('user-agent') ?? '',
      method: c.req.method,
      purpose: c.req.header('sec-purpose') ?? c.req.header('purpose') ?? '',
      query: new URL(c.req.url).search,
    }
    const found = await withSlug(system, slug, (scope) => followShortUrl(scope, slug, visit))
    if (found === null) return refuse(c, notFound('shortUrl'))
    if (found.gone)
      return refuse(
        c,
        new Problem(410, 'short_url_expired', {
          detail: 'This short URL has expired or used up its clicks. Ask the person who gave it to you for a new one.',
        }),
      )
    return c.body(null, 302, {
      Location: found.target,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'strict-origin-when-cross-origin',
    })
  },
})

function refuse(c: AppContext, problem: Problem): Promise<Response> {
  if (!acceptsPages(c)) throw problem
  const { language, unknown, gone } = messagesIn(acceptedLanguage(c))
  return noticePage(c, { status: problem.status, language, title: problem.status === 410 ? gone : unknown })
}

interface Messages {
  unknown: string
  gone: string
}

const ALL: Record<string, Messages> = {
  en: { unknown: 'There is nothing at this address.', gone: 'This link has expired.' },
  de: { unknown: 'Unter dieser Adresse gibt es nichts.', gone: 'Dieser Link ist abgelaufen.' },
  fr: { unknown: 'Il n’y a rien à cette adresse.', gone: 'Ce lien a expiré.' },
  es: { unknown: 'No hay nada en esta dirección.', gone: 'Este enlace ha caducado.' },
  it: { unknown: 'A questo indirizzo non c’è nulla.', gone: 'Questo link è scaduto.' },
  nl: { unknown: 'Op dit adres is niets te vinden.', gone: 'Deze link is verlopen.' },
  pt: { unknown: 'Não há nada neste endereço.', gone: 'Este link expirou.' },
  pl: { unknown: 'Pod tym adresem nic nie ma.', gone: 'Ten link wygasł.' },
  ar: { unknown: 'لا يوجد شيء على هذا العنوان.', gone: 'انتهت صلاحية هذا الرابط.' },
}

/** The messages in a language, or in English if there is no translation, with the language used. */
function messagesIn(language: string): Messages & { language: string } {
  const found = ALL[language]
  return found ? { ...found, language } : { ...(ALL['en'] as Messages), language: 'en' }
}
