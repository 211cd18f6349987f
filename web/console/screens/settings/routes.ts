import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { readListState } from '../../app/list-state.ts'
import { root } from '../../app/root-route.ts'
import { loadTexts } from '../../app/texts.ts'
import { readSuppressionState } from './suppression/suppression-state.ts'

const loadSettings = () => loadTexts('list', 'endpoints', 'settings')

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
  component: lazyRouteComponent(() => import('./workspace/workspace.tsx'), 'Workspace'),
})

const branding = createRoute({
  getParentRoute: () => root,
  path: '/app/settings/branding',
  loader: () => Promise.all([loadSettings(), loadTexts('looks')]),
  component: lazyRouteComponent(() => import('./branding.tsx'), 'Branding'),
})

const members = createRoute({
  getParentRoute: () => root,
  path: '/app/settings/members',
  loader: loadSettings,
  component: lazyRouteComponent(() => import('./access/members.tsx'), 'Members'),
})

const roles = createRoute({
  getParentRoute: () => root,
  path: '/app/settings/roles',
  loader: loadSettings,
  component: lazyRouteComponent(() => import('./access/roles.tsx'), 'Roles'),
})

const keys = createRoute({
  getParentRoute: () => root,
  path: '/app/settings/keys',
  loader: loadSettings,
  component: lazyRouteComponent(() => import('./access/keys.tsx'), 'Keys'),
})

const audit = createRoute({
  getParentRoute: () => root,
  path: '/app/settings/audit',
  validateSearch: readListState,
  loader: loadSettings,
  component: lazyRouteComponent(() => import('./audit.tsx'), 'Audit'),
})

const allowlist = createRoute({
  getParentRoute: () => root,
  path: '/app/settings/allowlist',
  loader: loadSettings,
  component: lazyRouteComponent(() => import('./access/allowlist.tsx'), 'Allowlist'),
})

const privacy = createRoute({
  getParentRoute: () => root,
  path: '/app/settings/privacy',
  loader: loadSettings,
  component: lazyRouteComponent(() => import('./privacy/privacy.tsx'), 'Privacy'),
})

const newPrivacyRequest = createRoute({
  getParentRoute: () => root,
  path: '/app/settings/privacy/new',
  validateSearch: ({ person }: Record<string, unknown>): { person?: string } =>
    typeof person === 'string' ? { person } : {},
  loader: loadSettings,
  component: lazyRouteComponent(() => import('./privacy/new-privacy-request.tsx'), 'NewPrivacyRequest'),
})

const privacyRequest = createRoute({
  getParentRoute: () => root,
  path: '/app/settings/privacy/$requestId',
  loader: loadSettings,
  component: lazyRouteComponent(() => import('./privacy/privacy-request.tsx'), 'PrivacyRequest'),
})

const suppression = createRoute({
  getParentRoute: () => root,
  path: '/app/settings/suppression',
  validateSearch: readSuppressionState,
  loader: loadSettings,
  component: lazyRouteComponent(() => import('./suppression/suppression.tsx'), 'Suppression'),
})

const system = createRoute({
  getParentRoute: () => root,
  path: '/app/settings/system',
  loader: loadSettings,
  component: lazyRouteComponent(() => import('./system.tsx'), 'System'),
})

const notifications = createRoute({
  getParentRoute: () => root,
  path: '/app/settings/notifications',
  loader: loadSettings,
  component: lazyRouteComponent(() => import('./device.tsx'), 'NotificationsAndDevice'),
})

const account = createRoute({
  getParentRoute: () => root,
  path: '/app/settings/account',
  loader: loadSettings,
  component: lazyRouteComponent(() => import('./account.tsx'), 'Account'),
})

export const settingsRoutes = [
  settingsStart,
  workspace,
  branding,
  members,
  roles,
  keys,
  allowlist,
  privacy,
  newPrivacyRequest,
  privacyRequest,
  audit,
  suppression,
  system,
  notifications,
  account,
] as const
