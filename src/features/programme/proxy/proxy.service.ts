import type { z } from 'zod'
import { Problem, unprocessable } from '../../../http/problems/problem.ts'
import { audit, auditTarget } from '../../../platform/audit.ts'
import { formatId } from '../../../platform/ids.ts'
import { BlockedUrlError, OutboundError } from '../../../platform/ports/ports.ts'
import type { Scope } from '../../../platform/scope.ts'
import { findSurveyId } from '../../surveys/surveys/surveys.service.ts'
import type { FetchedPage, FetchPage } from './proxy.schema.ts'
import { withEmbed } from './with-embed.ts'

const TIMEOUT_MS = 5_000

/**
 * A web page with the embed script of a survey, for a preview.
 * @throws Problem 422 for a refused address, 502 for a target that fails, 504 for a slow one.
 */
export async function fetchPage(
  scope: Scope,
  request: z.output<typeof FetchPage>,
): Promise<z.input<typeof FetchedPage>> {
  const url = wellFormed(request.url)
  const surveyId = await findSurveyId(scope, request.survey_id, 'survey_id')
  const record = (outcome: 'ok' | 'failed') =>
    scope.tx(async (tx) =>
      audit(scope, tx, { action: 'proxy.fetch', target: auditTarget('survey', surveyId), outcome }),
    )
  const { baseUrl, version } = scope.settings
  try {
    const page = await scope.ports.outboundHttp.page({
      url,
      userAgent: `Earshot/${version}`,
      timeoutMs: TIMEOUT_MS,
    })
    const html = await withEmbed(page, { src: `${baseUrl}/public/embed.js`, surveyId: formatId('survey', surveyId) })
    await record('ok')
    return { url: page.url, status: page.status, html }
  } catch (error) {
    const problem = problemOf(error)
    if (problem) await record('failed')
    throw problem ?? error
  }
}

function wellFormed(text: string): string {
  const url = URL.canParse(text) && /^https?:\/\//i.test(text) ? new URL(text) : null
  if (!url) throw refused('invalid_url', 'Use an absolute http(s) URL, such as https://example.com/.')
  if (url.username || url.password) throw refused('invalid_url', 'Remove the user name and password from the URL.')
  return url.href
}

function problemOf(error: unknown): Problem | null {
  if (error instanceof BlockedUrlError)
    return refused(
      'blocked_url',
      'Earshot may not read this address, or one that it redirects to. Use a public address on port 80 or 443.',
    )
  if (!(error instanceof OutboundError)) return null
  if (error.reason === 'timeout')
    return new Problem(504, 'target_slow', { detail: `The page did not come within ${TIMEOUT_MS / 1_000} seconds.` })
  const reason = error.reason === 'protocol' ? `The page cannot be shown: ${error.message}.` : error.publicReason
  return new Problem(502, 'target_failed', { detail: reason ?? 'The target did not answer.' })
}

function refused(code: 'invalid_url' | 'blocked_url', message: string): Problem {
  return unprocessable(code, [{ path: 'url', message }])
}
