import type { Schemas } from '../../api/client.ts'

/** A permission of the API. */
export type Permission = Schemas['ProblemPermission']

/** An entry of the navigation, in its order. */
export interface Entry {
  path: string
  /** Its name is `frame:screens.<name>`. */
  name: string
  icon: string
  group: 'top' | 'listen' | 'act' | 'reach' | 'show' | 'connect' | 'end'
  /** Pressed after `g`. */
  key: string
  /** Without it the entry is absent. */
  needs?: Permission
}

export const ENTRIES: Entry[] = [
  { path: '/app/home', name: 'home', icon: 'house', group: 'top', key: 'h' },
  { path: '/app/surveys', name: 'surveys', icon: 'clipboard-list', group: 'listen', key: 's' },
  { path: '/app/responses', name: 'responses', icon: 'message-square-text', group: 'listen', key: 'r' },
  { path: '/app/verbatim', name: 'verbatim', icon: 'quote', group: 'listen', key: 'v' },
  { path: '/app/topics', name: 'topics', icon: 'hash', group: 'listen', key: 't' },
  { path: '/app/people', name: 'people', icon: 'users', group: 'reach', key: 'p' },
  { path: '/app/segments', name: 'segments', icon: 'filter', group: 'reach', key: 'g' },
  { path: '/app/invitations', name: 'invitations', icon: 'send', group: 'reach', key: 'i' },
  { path: '/app/templates', name: 'templates', icon: 'mail', group: 'reach', key: 'x' },
  { path: '/app/short-links', name: 'shortLinks', icon: 'link', group: 'reach', key: 'k' },
  { path: '/app/numbers', name: 'numbers', icon: 'phone', group: 'reach', key: 'n' },
  { path: '/app/alerts', name: 'alerts', icon: 'bell', group: 'act', key: 'a' },
  { path: '/app/leads', name: 'leads', icon: 'user-plus', group: 'act', key: 'l' },
  { path: '/app/agents', name: 'agents', icon: 'headset', group: 'act', key: 'c' },
  { path: '/app/dashboards', name: 'dashboards', icon: 'layout-dashboard', group: 'show', key: 'b' },
  { path: '/app/reports', name: 'reports', icon: 'file-chart-column', group: 'show', key: 'o' },
  { path: '/app/badges', name: 'badges', icon: 'award', group: 'show', key: 'm' },
  { path: '/app/webhooks', name: 'webhooks', icon: 'webhook', group: 'connect', key: 'w' },
  {
    path: '/app/deliveries',
    name: 'deliveries',
    icon: 'truck',
    group: 'connect',
    key: 'd',
    needs: 'integrations.manage',
  },
  {
    path: '/app/exports',
    name: 'exports',
    icon: 'file-down',
    group: 'connect',
    key: 'e',
    needs: 'exports.manage',
  },
  { path: '/app/settings', name: 'settings', icon: 'settings', group: 'end', key: ',' },
]

/** Where the id of a thing leads, by its prefix. */
const PLACES: Record<string, (id: string) => string> = {
  rsp: (id) => `/app/responses/${id}`,
  srv: (id) => `/app/surveys/${id}/results`,
  alr: (id) => `/app/alerts/${id}`,
  lead: (id) => `/app/leads/${id}`,
  wh: (id) => `/app/webhooks/${id}`,
  whd: (id) => `/app/deliveries/${id}`,
  per: (id) => `/app/people/${id}`,
  inv: (id) => `/app/invitations/${id}`,
  seg: (id) => `/app/segments/${id}`,
  tpl: (id) => `/app/templates/${id}`,
  num: (id) => `/app/numbers/${id}`,
  lnk: (id) => `/app/short-links/${id}`,
  agt: (id) => `/app/agents/${id}`,
  bdg: (id) => `/app/badges?badge=${id}`,
  dsh: (id) => `/app/dashboards/${id}`,
  rpt: (id) => `/app/reports/${id}`,
  gdr: (id) => `/app/settings/privacy/${id}`,
  rul: (id) => `/app/alerts/rules/${id}`,
  evt: (id) =>
    `/app/deliveries?filter=${encodeURIComponent(JSON.stringify({ all: [{ field: 'event_id', op: 'eq', value: id }] }))}`,
  exr: (id) => `/app/exports/${id}`,
}

/** The address of the thing that an id names, or null. */
export function placeOf(id: string): string | null {
  const prefix = /^([a-z]{2,4})_[0-9a-z]{26}$/.exec(id)?.[1]
  return prefix === undefined ? null : (PLACES[prefix]?.(id) ?? null)
}
