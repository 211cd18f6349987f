import type { BrowserContextOptions, Page } from 'playwright-core'
import { NARROW, onScreen, startWholeConsole, WIDE, type ConsoleVisits } from '../../web/testing/whole-console.ts'

const SAID = [
  [2, 'Nine days for a parcel, and nobody answers the mails'],
  [10, 'It just works. The box was easy to open, too.'],
  [9, 'Fast, friendly, no questions asked'],
  [6, 'Good price, slow delivery'],
  [8, 'Das Paket kam pünktlich, die Farbe ist schöner als auf dem Bild'],
  [3, 'The discount was gone at the till'],
  [10, 'الخدمة ممتازة والتوصيل سريع'],
  [7, ''],
] as const

const isBelow = (score: number) =>
  encodeURIComponent(JSON.stringify({ all: [{ field: 'score', op: 'lt', value: score }] }))
const planIs = (plan: string) =>
  encodeURIComponent(JSON.stringify({ all: [{ field: 'custom.plan', op: 'eq', value: plan }] }))
const COMPARED = `filter=${planIs('pro')}&compare=${planIs('free')}`

/**
 * Takes the pictures of the console: each screen on a desktop and a phone, light and dark, and some in Arabic.
 *
 * @param keep takes the picture of a page, and closes it
 * @param names of the screens. Empty means all
 */
export async function shootConsole(
  keep: (page: Page, name: string) => Promise<void>,
  names: string[] = [],
): Promise<void> {
  const visits = await startWholeConsole()
  try {
    await shootAll(visits, keep, (name) => names.length === 0 || names.includes(name))
  } finally {
    await visits.close()
  }
}

async function shootAll(
  visits: ConsoleVisits,
  keep: (page: Page, name: string) => Promise<void>,
  isWanted: (name: string) => boolean,
): Promise<void> {
  const {
    surveyId,
    receiverId,
    webhookId,
    deliveryId,
    responseId,
    alertId,
    personId,
    invitationId,
    dashboardId,
    reportId,
    templateId,
    linkId,
  } = await fill(visits)
  const screens: Array<[name: string, path: string, title: string, token?: null]> = [
    ['sign-in', '/app/surveys', 'Sign in', null],
    ['sign-up', '/app/welcome', 'Create a workspace', null],
    ['first-run', '/app/welcome', 'What would you like to know?'],
    ['first-answer', `/app/welcome?survey=${surveyId}&receiver=${receiverId}&step=answer`, 'Answer it once yourself.'],
    ['home', '/app/home', 'Home'],
    ['surveys', '/app/surveys', 'Surveys'],
    ['builder', `/app/surveys/${surveyId}/build`, 'After your purchase'],
    ['builder-logic', `/app/surveys/${surveyId}/build?view=map`, 'After your purchase'],
    ['builder-languages', `/app/surveys/${surveyId}/build?view=languages`, 'After your purchase'],
    ['share', `/app/surveys/${surveyId}/share`, 'After your purchase'],
    ['results', `/app/surveys/${surveyId}/results`, 'After your purchase'],
    ['results-compared', `/app/surveys/${surveyId}/results?${COMPARED}`, 'After your purchase'],
    ['verbatim', '/app/verbatim', 'Verbatim'],
    ['topics', '/app/topics', 'Topics'],
    ['responses', '/app/responses', 'Responses'],
    ['responses-filter', `/app/responses?filter=${isBelow(7)}`, 'Responses'],
    ['response', `/app/responses/${responseId}`, 'Responses'],
    ['alerts', '/app/alerts', 'Alerts'],
    ['alert', `/app/alerts/${alertId}`, 'Alerts'],
    ['alert-rules', '/app/alerts/rules', 'Rules'],
    ['leads', '/app/leads', 'Leads'],
    ['agents', '/app/agents', 'Agents'],
    ['people', '/app/people', 'People'],
    ['person', `/app/people/${personId}`, 'Grace Hopper'],
    ['import', '/app/people/import', 'Import people'],
    ['segment', '/app/segments/new', 'New segment'],
    ['template', `/app/templates/${templateId}`, 'After delivery'],
    ['short-link', `/app/short-links/${linkId}`, '/r/after'],
    ['numbers', '/app/numbers', 'Numbers'],
    ['invitation', `/app/invitations/${invitationId}`, 'November wave'],
    ['new-invitation', '/app/invitations/new', 'New invitation'],
    ['dashboards', '/app/dashboards', 'Dashboards'],
    ['dashboard', `/app/dashboards/${dashboardId}`, 'Overview'],
    ['dashboard-edit', `/app/dashboards/${dashboardId}?edit=true&widget=trend`, 'Overview'],
    ['reports', '/app/reports', 'Reports'],
    ['report', `/app/reports/${reportId}`, 'Weekly figures'],
    ['badges', '/app/badges', 'Badges'],
    ['webhooks', '/app/webhooks', 'Webhooks'],
    ['endpoint', `/app/webhooks/${webhookId}`, 'CRM'],
    ['deliveries', '/app/deliveries', 'Deliveries'],
    ['delivery', `/app/deliveries/${deliveryId}`, 'response.completed to CRM'],
    ['exports', '/app/exports', 'Exports'],
    ['new-export', '/app/exports/new', 'New export'],
    ['schedules', '/app/exports/schedules', 'Exports'],
    ['workspace', '/app/settings/workspace', 'Workspace'],
    ['members', '/app/settings/members', 'Members'],
    ['roles', '/app/settings/roles', 'Roles'],
    ['keys', '/app/settings/keys', 'API keys'],
    ['audit', '/app/settings/audit', 'Audit log'],
    ['account', '/app/settings/account', 'Your account'],
  ]
  const views: Array<[suffix: string, options: BrowserContextOptions]> = [
    ['1440', { viewport: WIDE }],
    ['390', { viewport: NARROW }],
    ['dark-1440', { viewport: WIDE, colorScheme: 'dark' }],
    ['dark-390', { viewport: NARROW, colorScheme: 'dark' }],
  ]
  for (const [suffix, options] of views)
    for (const [name, path, title, token] of screens.filter(([name]) => isWanted(name))) {
      const page = await visits.open(path, { hasStream: false, ...options, ...(token === null && { token }) })
      await onScreen(page, title)
      await page.waitForLoadState('networkidle')
      await keep(page, `console-${name}-${suffix}`)
    }
  const inArabic: Array<[name: string, path: string, title: string]> = [
    ['home', '/app/home', 'الرئيسية'],
    ['results', `/app/surveys/${surveyId}/results`, 'After your purchase'],
    ['responses', '/app/responses', 'الإجابات'],
    ['response', `/app/responses/${responseId}`, 'الإجابات'],
    ['person', `/app/people/${personId}`, 'Grace Hopper'],
  ]
  for (const [name, path, title] of inArabic.filter(([name]) => isWanted(name)))
    for (const [suffix, viewport] of [
      ['1440', WIDE],
      ['390', NARROW],
    ] as const) {
      const page = await visits.open(path, { hasStream: false, viewport, language: 'ar' })
      await onScreen(page, title)
      await page.waitForLoadState('networkidle')
      await keep(page, `console-${name}-arabic-${suffix}`)
    }
  if (!isWanted('palette')) return
  const palette = await visits.open('/app/webhooks', { viewport: WIDE })
  await onScreen(palette, 'Webhooks')
  await palette.keyboard.press('Control+k')
  await palette.waitForSelector('[role=combobox]')
  await keep(palette, 'console-palette-1440')
}

/** A survey with answers and alerts, a person, a lead, an endpoint that takes answers, and an endpoint that fails. */
async function fill({ call, open }: ConsoleVisits) {
  const { id: surveyId } = await call<{ id: string }>('POST', '/v1/surveys', {
    name: 'After your purchase',
    metric: 'nps',
    custom_fields: ['agent_id', 'plan'],
    default_language: 'en',
    languages: ['en', 'de'],
    questions: [
      {
        id: 'q1',
        type: 'nps',
        title: { en: 'How likely are you to recommend us?', de: 'Wie wahrscheinlich empfehlen Sie uns weiter?' },
      },
      { id: 'q2', type: 'open_text', title: { en: 'Why?', de: 'Warum?' } },
      { id: 'q3', type: 'open_text', title: { en: 'What went wrong?', de: 'Was lief schief?' } },
    ],
    logic: [{ when: { question: 'q1', op: 'gte', value: 7 }, then: [{ action: 'hide', question: 'q3' }] }],
  })
  await call('POST', `/v1/surveys/${surveyId}/publish`, {})
  const { id: receiverId } = await call<{ id: string }>('POST', '/v1/test-receivers', {})
  for (const [description, answer, settings] of [
    ['CRM', 503, { include_text: false, headers: { Authorization: 'Bearer of the CRM' } }],
    ['Data warehouse', 200, {}],
  ] as const) {
    const { url } = await call<{ url: string }>('POST', '/v1/test-receivers', { answer })
    await call('POST', '/v1/webhooks', { url, description, ...settings })
  }
  await call('POST', '/v1/alert-rules', {
    name: 'Unhappy customer',
    trigger: { on: 'response', filter: { all: [{ field: 'score', op: 'lte', value: 6 }] } },
    due_in_minutes: 60,
  })
  const { id: personId } = await call<{ id: string }>('POST', '/v1/people', {
    name: 'Grace Hopper',
    email: 'grace@example.com',
    attributes: { plan: 'pro' },
  })
  const { id: linkId } = await call<{ id: string }>('POST', '/v1/short-urls', { survey_id: surveyId, slug: 'after' })
  const { id: templateId } = await call<{ id: string }>('POST', '/v1/email-templates', {
    name: 'After delivery',
    default_language: 'en',
    content: {
      en: {
        subject: '{{ workspace.name }} asks for your opinion',
        html:
          '<p>Hello {{ name }},</p>\n<p><strong>{{ survey.question }}</strong></p>\n{% score_links %}\n' +
          '<p><a href="{{ survey_url }}">Answer the survey</a></p>\n' +
          '<p><a href="{{ unsubscribe_url }}">Unsubscribe</a></p>',
      },
    },
  })
  await call('POST', '/v1/inbound-numbers', {
    number: '+49 30 901820',
    keywords: [{ keyword: 'SHOP', survey_id: surveyId }],
  })
  await call('POST', '/v1/leads', { name: 'Olivia Hughes', email: 'olivia@example.com', company: 'Harbour Mill' })
  const { id: invitationId } = await call<{ id: string }>('POST', `/v1/surveys/${surveyId}/invite`, {
    channel: 'email',
    name: 'November wave',
    recipients: ['grace@example.com', 'alan@example.com', 'edsger@example.com', 'nobody'].map((email) => ({ email })),
  })
  for (const [at, [q1, q2]] of SAID.entries())
    await call('POST', `/public/surveys/${surveyId}/responses`, {
      answers: { q1, ...(q2 !== '' && { q2 }) },
      custom_data: { agent_id: 'Nadia Rahman', plan: at % 2 === 0 ? 'pro' : 'free' },
    })
  const dashboards = await call<{ data: Array<{ id: string }> }>('GET', '/v1/dashboards')
  const dashboardId = dashboards.data[0]?.id ?? ''
  const schedule = { cron: '0 8 * * 1', timezone: 'Europe/Berlin' }
  const report = { name: 'Weekly figures', dashboard_id: dashboardId, schedule }
  const { id: reportId } = await call<{ id: string }>('POST', '/v1/reports', report)
  await call('POST', `/v1/reports/${reportId}/run`, {})
  await call('POST', '/v1/badges', { name: 'Shop footer', survey_id: surveyId, metric: 'nps' })
  const { id: template_id } = await call<{ id: string }>('POST', '/v1/export-templates', {
    name: 'For the warehouse',
    source: 'responses',
  })
  await call('POST', '/v1/export-schedules', { template_id, ...schedule })
  // The first attempts have been made when the list of endpoints says that one fails.
  const page = await open('/app/webhooks')
  await page.getByText(/and nothing is lost/).waitFor({ timeout: 30_000 })
  await page.context().close()
  const webhooks = await call<{ data: Array<{ id: string; description: string }> }>('GET', '/v1/webhooks')
  const webhookId = webhooks.data.find(({ description }) => description === 'CRM')?.id ?? ''
  const deliveries = await call<{ data: Array<{ id: string }> }>(
    'GET',
    `/v1/webhook-deliveries?webhook_id=${webhookId}&event=response.completed`,
  )
  const responses = await call<{ data: Array<{ id: string }> }>('GET', '/v1/responses?search=Nine')
  const alerts = await call<{ data: Array<{ id: string }> }>('GET', '/v1/alerts')
  const responseId = responses.data[0]?.id ?? ''
  await call('POST', `/v1/responses/${responseId}/tags`, { tags: ['delivery'] })
  await call('POST', '/v1/roles', { name: 'Store lead', permissions: ['responses.manage', 'alerts.manage'] })
  return {
    surveyId,
    personId,
    invitationId,
    dashboardId,
    reportId,
    templateId,
    linkId,
    alertId: alerts.data[0]?.id ?? '',
    receiverId,
    webhookId,
    deliveryId: deliveries.data[0]?.id ?? '',
    responseId,
  }
}
