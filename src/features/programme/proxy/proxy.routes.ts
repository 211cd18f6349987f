import { spend } from '../../../http/limits/rate-limit.ts'
import { tenantRoute, type Route } from '../../../http/routes/route.ts'
import { FetchedPage, FetchPage } from './proxy.schema.ts'
import { fetchPage } from './proxy.service.ts'
import type { Feature } from '../../../platform/feature.ts'

export const fetchPageRoute = tenantRoute({
  method: 'post',
  path: '/proxy/fetch',
  operationId: 'fetchPage',
  summary: 'Preview a page with the embed script',
  description:
    'Reads the page by GET, without cookies and without your headers: at most 1 MiB, 5 seconds and 3 redirects, ' +
    'from port 80 or 443 of a public address. A workspace can make 120 calls a minute.',
  tag: 'Proxy widget',
  permission: 'proxy.fetch',
  idempotent: false,
  body: FetchPage,
  example: { url: 'https://example.com/pricing', survey_id: 'srv_01jqe5v0k8e9r9d3z2m6h7t4xw' },
  audit: ['proxy.fetch'],
  response: { status: 200, schema: FetchedPage },
  problems: {
    422: 'The URL is not http(s) or leads to a blocked address or port, or the survey is not yours.',
    502: 'The target cannot be reached, has no HTML page, or its page is too large.',
    504: 'The target took more than 5 seconds.',
  },
  async handler(scope, { body, limiters }) {
    await spend(limiters.proxyFetch, scope.tenantId)
    return fetchPage(scope, body)
  },
})

export const proxy = { name: 'proxy', routes: [fetchPageRoute] } satisfies Feature<Route>
