import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { Root } from '../frame/root.tsx'
import { Failure, Missing } from '../frame/failure.tsx'
import { endpointsWords } from '../endpoints/words.ts'
import { readPeriod } from '../figures/period.ts'
import { figuresWords } from '../figures/words.ts'
import { ledeWords } from '../lede/words.ts'
import { listWords } from '../list/words.ts'
import { buildWords } from '../screens/build/words.ts'
import { readBuildState } from '../screens/build/state.ts'
import { deliveriesWords } from '../screens/deliveries/words.ts'
import { readFirstRun } from '../screens/first-run/state.ts'
import { alertsWords } from '../screens/alerts/words.ts'
import { readAlertsState } from '../screens/alerts/state.ts'
import { exportsWords } from '../screens/exports/words.ts'
import { firstRunWords } from '../screens/first-run/words.ts'
import { invitationsWords } from '../screens/invitations/words.ts'
import { peopleWords } from '../screens/people/words.ts'
import { leadsWords } from '../screens/leads/words.ts'
import { responsesWords } from '../screens/responses/words.ts'
import { settingsWords } from '../screens/settings/words.ts'
import { startersWords } from '../starters/words.ts'
import { homeWords } from '../screens/home/words.ts'
import { readResultsState } from '../screens/results/state.ts'
import { resultsWords } from '../screens/results/words.ts'
import { surveysWords } from '../screens/surveys/words.ts'
import { topicsWords } from '../screens/topics/words.ts'
import { readVerbatimState } from '../screens/verbatim/state.ts'
import { verbatimWords } from '../screens/verbatim/words.ts'
import { webhooksWords } from '../screens/webhooks/words.ts'
import { loadWords } from '../words/words.ts'
import { readListState } from './list-state.ts'

const root = createRootRoute({ component: Root, notFoundComponent: Missing, errorComponent: Failure })

const start = createRoute({
  getParentRoute: () => root,
  path: '/app',
  beforeLoad: () => {
    throw redirect({ to: '/app/home', replace: true })
  },
})
const home = createRoute({
  getParentRoute: () => root,
  path: '/app/home',
  validateSearch: readPeriod,
  loader: () =>
    Promise.all([loadWords('lede', ledeWords), loadWords('figures', figuresWords), loadWords('home', homeWords)]),
  component: lazyRouteComponent(() => import('../screens/home/home.tsx'), 'Home'),
})
const welcome = createRoute({
  getParentRoute: () => root,
  path: '/app/welcome',
  validateSearch: readFirstRun,
  loader: () =>
    Promise.all([
      loadWords('first-run', firstRunWords),
      loadWords('starters', startersWords),
      loadWords('endpoints', endpointsWords),
    ]),
  component: lazyRouteComponent(() => import('../screens/first-run/first-run.tsx'), 'FirstRun'),
})
const surveys = createRoute({
  getParentRoute: () => root,
  path: '/app/surveys',
  validateSearch: readListState,
  loader: () =>
    Promise.all([
      loadWords('list', listWords),
      loadWords('figures', figuresWords),
      loadWords('starters', startersWords),
      loadWords('surveys', surveysWords),
    ]),
  component: lazyRouteComponent(() => import('../screens/surveys/surveys.tsx'), 'Surveys'),
})
const build = createRoute({
  getParentRoute: () => root,
  path: '/app/surveys/$surveyId/build',
  validateSearch: readBuildState,
  loader: () => loadWords('build', buildWords),
  component: lazyRouteComponent(() => import('../screens/build/build.tsx'), 'Build'),
})
const results = createRoute({
  getParentRoute: () => root,
  path: '/app/surveys/$surveyId/results',
  validateSearch: readResultsState,
  loader: () =>
    Promise.all([
      loadWords('list', listWords),
      loadWords('lede', ledeWords),
      loadWords('figures', figuresWords),
      loadWords('results', resultsWords),
    ]),
  component: lazyRouteComponent(() => import('../screens/results/results.tsx'), 'Results'),
})
const responses = createRoute({
  getParentRoute: () => root,
  path: '/app/responses',
  validateSearch: readListState,
  loader: () => Promise.all([loadWords('list', listWords), loadWords('responses', responsesWords)]),
  component: lazyRouteComponent(() => import('../screens/responses/responses.tsx'), 'Responses'),
})
const response = createRoute({
  getParentRoute: () => responses,
  path: '$responseId',
  component: lazyRouteComponent(() => import('../screens/responses/response.tsx'), 'ResponseDetail'),
})
const verbatim = createRoute({
  getParentRoute: () => root,
  path: '/app/verbatim',
  validateSearch: readVerbatimState,
  loader: () =>
    Promise.all([
      loadWords('list', listWords),
      loadWords('lede', ledeWords),
      loadWords('figures', figuresWords),
      loadWords('verbatim', verbatimWords),
    ]),
  component: lazyRouteComponent(() => import('../screens/verbatim/verbatim.tsx'), 'Verbatim'),
})
const topics = createRoute({
  getParentRoute: () => root,
  path: '/app/topics',
  loader: () => Promise.all([loadWords('figures', figuresWords), loadWords('topics', topicsWords)]),
  component: lazyRouteComponent(() => import('../screens/topics/topics.tsx'), 'Topics'),
})
const loadAlerts = () => Promise.all([loadWords('list', listWords), loadWords('alerts', alertsWords)])
const alerts = createRoute({
  getParentRoute: () => root,
  path: '/app/alerts',
  validateSearch: readAlertsState,
  loader: loadAlerts,
  component: lazyRouteComponent(() => import('../screens/alerts/alerts.tsx'), 'Alerts'),
})
const alert = createRoute({
  getParentRoute: () => alerts,
  path: '$alertId',
  component: lazyRouteComponent(() => import('../screens/alerts/alert.tsx'), 'AlertDetail'),
})
const alertRules = createRoute({
  getParentRoute: () => root,
  path: '/app/alerts/rules',
  loader: loadAlerts,
  component: lazyRouteComponent(() => import('../screens/alerts/rules.tsx'), 'Rules'),
})
const alertRule = createRoute({
  getParentRoute: () => root,
  path: '/app/alerts/rules/$ruleId',
  loader: loadAlerts,
  component: lazyRouteComponent(() => import('../screens/alerts/rule.tsx'), 'Rule'),
})
const leads = createRoute({
  getParentRoute: () => root,
  path: '/app/leads',
  validateSearch: readListState,
  loader: () => Promise.all([loadWords('list', listWords), loadWords('leads', leadsWords)]),
  component: lazyRouteComponent(() => import('../screens/leads/leads.tsx'), 'Leads'),
})
const lead = createRoute({
  getParentRoute: () => leads,
  path: '$leadId',
  component: lazyRouteComponent(() => import('../screens/leads/lead.tsx'), 'LeadDetail'),
})
const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/app/webhooks',
  loader: () =>
    Promise.all([
      loadWords('list', listWords),
      loadWords('endpoints', endpointsWords),
      loadWords('webhooks', webhooksWords),
    ]),
  component: lazyRouteComponent(() => import('../screens/webhooks/webhooks.tsx'), 'Webhooks'),
})
const webhook = createRoute({
  getParentRoute: () => root,
  path: '/app/webhooks/$webhookId',
  loader: () =>
    Promise.all([
      loadWords('list', listWords),
      loadWords('endpoints', endpointsWords),
      loadWords('webhooks', webhooksWords),
    ]),
  component: lazyRouteComponent(() => import('../screens/webhooks/webhook.tsx'), 'Webhook'),
})
const deliveries = createRoute({
  getParentRoute: () => root,
  path: '/app/deliveries',
  validateSearch: readListState,
  loader: () => Promise.all([loadWords('list', listWords), loadWords('deliveries', deliveriesWords)]),
  component: lazyRouteComponent(() => import('../screens/deliveries/deliveries.tsx'), 'Deliveries'),
})
const delivery = createRoute({
  getParentRoute: () => root,
  path: '/app/deliveries/$deliveryId',
  loader: () => Promise.all([loadWords('list', listWords), loadWords('deliveries', deliveriesWords)]),
  component: lazyRouteComponent(() => import('../screens/deliveries/delivery.tsx'), 'Delivery'),
})

const exports = createRoute({
  getParentRoute: () => root,
  path: '/app/exports',
  loader: () => Promise.all([loadWords('list', listWords), loadWords('exports', exportsWords)]),
  component: lazyRouteComponent(() => import('../screens/exports/exports.tsx'), 'Exports'),
})
const newExport = createRoute({
  getParentRoute: () => root,
  path: '/app/exports/new',
  validateSearch: readListState,
  loader: () => Promise.all([loadWords('list', listWords), loadWords('exports', exportsWords)]),
  component: lazyRouteComponent(() => import('../screens/exports/new-export.tsx'), 'NewExport'),
})
const exportRun = createRoute({
  getParentRoute: () => root,
  path: '/app/exports/$runId',
  loader: () => Promise.all([loadWords('list', listWords), loadWords('exports', exportsWords)]),
  component: lazyRouteComponent(() => import('../screens/exports/run.tsx'), 'ExportRun'),
})

const loadPeople = () => Promise.all([loadWords('list', listWords), loadWords('people', peopleWords)])
const people = createRoute({
  getParentRoute: () => root,
  path: '/app/people',
  validateSearch: readListState,
  loader: loadPeople,
  component: lazyRouteComponent(() => import('../screens/people/people.tsx'), 'People'),
})
const importPeople = createRoute({
  getParentRoute: () => root,
  path: '/app/people/import',
  loader: loadPeople,
  component: lazyRouteComponent(() => import('../screens/people/import-people.tsx'), 'ImportPeople'),
})
const person = createRoute({
  getParentRoute: () => root,
  path: '/app/people/$personId',
  loader: loadPeople,
  component: lazyRouteComponent(() => import('../screens/people/person.tsx'), 'PersonDetail'),
})
const loadInvitations = () => Promise.all([loadWords('list', listWords), loadWords('invitations', invitationsWords)])
const invitations = createRoute({
  getParentRoute: () => root,
  path: '/app/invitations',
  loader: loadInvitations,
  component: lazyRouteComponent(() => import('../screens/invitations/invitations.tsx'), 'Invitations'),
})
const newInvitation = createRoute({
  getParentRoute: () => root,
  path: '/app/invitations/new',
  loader: loadInvitations,
  component: lazyRouteComponent(() => import('../screens/invitations/new-invitation.tsx'), 'NewInvitation'),
})
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/app/invitations/$invitationId',
  loader: loadInvitations,
  component: lazyRouteComponent(() => import('../screens/invitations/invitation.tsx'), 'InvitationDetail'),
})
const loadSettings = () =>
  Promise.all([
    loadWords('list', listWords),
    loadWords('endpoints', endpointsWords),
    loadWords('settings', settingsWords),
  ])
const settingsStart = createRoute({
  getParentRoute: () => root,
  path: '/app/settings',
  beforeLoad: () => {
    throw redirect({ to: '/app/settings/account', replace: true })
  },
})
const workspace = createRoute({
  getParentRoute: () => root,
  path: '/app/settings/workspace',
  loader: loadSettings,
  component: lazyRouteComponent(() => import('../screens/settings/workspace.tsx'), 'Workspace'),
})
const members = createRoute({
  getParentRoute: () => root,
  path: '/app/settings/members',
  loader: loadSettings,
  component: lazyRouteComponent(() => import('../screens/settings/members.tsx'), 'Members'),
})
const roles = createRoute({
  getParentRoute: () => root,
  path: '/app/settings/roles',
  loader: loadSettings,
  component: lazyRouteComponent(() => import('../screens/settings/roles.tsx'), 'Roles'),
})
const keys = createRoute({
  getParentRoute: () => root,
  path: '/app/settings/keys',
  loader: loadSettings,
  component: lazyRouteComponent(() => import('../screens/settings/keys.tsx'), 'Keys'),
})
const audit = createRoute({
  getParentRoute: () => root,
  path: '/app/settings/audit',
  validateSearch: readListState,
  loader: loadSettings,
  component: lazyRouteComponent(() => import('../screens/settings/audit.tsx'), 'Audit'),
})
const account = createRoute({
  getParentRoute: () => root,
  path: '/app/settings/account',
  loader: loadSettings,
  component: lazyRouteComponent(() => import('../screens/settings/account.tsx'), 'Account'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    start,
    home,
    welcome,
    surveys,
    build,
    results,
    responses.addChildren([response]),
    verbatim,
    topics,
    alerts.addChildren([alert]),
    alertRules,
    alertRule,
    leads.addChildren([lead]),
    webhooks,
    webhook,
    deliveries,
    delivery,
    exports,
    newExport,
    exportRun,
    people,
    importPeople,
    person,
    invitations,
    newInvitation,
    invitation,
    settingsStart,
    workspace,
    members,
    roles,
    keys,
    audit,
    account,
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
