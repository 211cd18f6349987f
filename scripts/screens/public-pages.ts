import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Site } from '../../web/testing/site.ts'
import { SHOWN } from './survey.ts'

interface PublicPage {
  name: string
  address: string
  act?: (page: Page) => Promise<void>
  /** Shown instead of the address: a mail. */
  html?: string
  options?: BrowserContextOptions
}

/** Each public page beside the survey's, and each mail, with what leads to it. */
export async function publicPages(site: Site): Promise<PublicPage[]> {
  const { base, call } = site
  const closed = await site.publish(SHOWN)
  await call('POST', `/v1/surveys/${closed}/close`, {})
  const survey = await site.publish(SHOWN)
  const { channels } = await call<{ channels: { sms: string } }>('POST', `/v1/surveys/${survey}/preview-links`, {})
  await call('POST', `/v1/surveys/${survey}/invite`, {
    channel: 'email',
    recipients: [{ email: 'bo@example.com', name: 'Bo' }],
  })
  const [role] = (await call<{ data: { id: string }[] }>('GET', '/v1/roles')).data
  await call('POST', '/v1/members/invitations', { email: 'cleo@example.com', role_id: role?.id })
  await fetch(`${base}/public/password-resets`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com' }),
  })
  for (const n of [10, 9, 9, 8, 6, 10, 9, 3, 10, 9])
    await call('POST', `/public/surveys/${survey}/responses`, { answers: { score: n }, completed: true })
  const dashboard = await call<{ id: string }>('POST', '/v1/dashboards', DASHBOARD)
  const { token } = await call<{ token: string }>('POST', `/v1/dashboards/${dashboard.id}/share`, {})
  const badge = await call<{ svg_url: string }>('POST', '/v1/badges', {
    name: 'Shop',
    survey_id: survey,
    metric: 'nps',
    period_days: 90,
    min_n: 5,
    style: 'card',
  })
  const mails = await site.mails()
  const mailTo = (address: string) => mails.find(({ to }) => to === address)?.html ?? ''
  const linkIn = (html: string, path: string) =>
    new RegExp(`href="([^"]*${path}[^"]*)"`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const [invited, joining, reset] = [mailTo('bo@example.com'), mailTo('cleo@example.com'), mailTo('ada@example.com')]
  // The site believes to be at its default address.
  const here = (url: string) => base + url.replace(/^https?:\/\/[^/]+/, '')
  const unsubscribe = linkIn(invited, '/public/unsubscribe/')
  const blank = `${base}/health`
  return [
    { name: 'closed', address: `${base}/public/s/${closed}` },
    { name: 'closed-arabic', address: `${base}/public/s/${closed}?lang=ar`, options: { colorScheme: 'dark' } },
    { name: 'not-found', address: `${base}/public/s/nothing` },
    { name: 'preview-sms', address: here(channels.sms), act: reply },
    { name: 'unsubscribe', address: here(unsubscribe) },
    { name: 'unsubscribed', address: here(unsubscribe), act: confirm },
    { name: 'join', address: here(linkIn(joining, '/public/invitations/')) },
    { name: 'new-password', address: here(linkIn(reset, '/public/password-resets/')) },
    { name: 'dashboard', address: `${base}/public/d/${token}` },
    { name: 'badge', address: here(badge.svg_url) },
    { name: 'mail-invitation', address: blank, html: invited },
    { name: 'mail-invitation-dark', address: blank, html: invited, options: { colorScheme: 'dark' } },
    { name: 'mail-join', address: blank, html: joining },
    { name: 'mail-new-password', address: blank, html: reset },
    { name: 'reference', address: `${base}/docs` },
  ]
}

async function confirm(page: Page): Promise<void> {
  await page.click('button')
  await page.waitForSelector('[role=status]')
}

async function reply(page: Page): Promise<void> {
  await page.fill('#reply', '9')
  await page.click('button')
  await page.waitForSelector('input[type=hidden][value="9"]', { state: 'attached' })
}

const DASHBOARD = {
  name: 'Acme this quarter',
  period: { days: 90 },
  widgets: [
    {
      id: 'nps',
      kind: 'number',
      title: 'NPS',
      query: { source: 'responses', measure: 'nps' },
      layout: { x: 0, y: 0, w: 4, h: 2 },
    },
    {
      id: 'weeks',
      kind: 'line',
      title: 'Responses by week',
      query: { source: 'responses', measure: 'count', interval: 'week' },
      layout: { x: 4, y: 0, w: 8, h: 4 },
    },
    {
      id: 'channels',
      kind: 'table',
      title: 'By channel',
      query: { source: 'responses', measure: 'nps', by: ['channel'] },
      layout: { x: 0, y: 4, w: 4, h: 3 },
    },
    {
      id: 'finished',
      kind: 'gauge',
      title: 'Completed',
      query: { source: 'responses', measure: 'completion_rate' },
      layout: { x: 4, y: 4, w: 4, h: 3 },
    },
    {
      id: 'count',
      kind: 'number',
      title: 'Responses',
      query: { source: 'responses', measure: 'count' },
      layout: { x: 8, y: 4, w: 4, h: 3 },
    },
  ],
}
