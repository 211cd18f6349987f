import { loadWords, type Loaders } from '../words/words.ts'

/** The texts of the frame, of each part and of each screen, by the name that their keys begin with. */
const TEXTS = {
  frame: {
    en: () => import('../words/en.json'),
    de: () => import('../words/de.json'),
    es: () => import('../words/es.json'),
    ar: () => import('../words/ar.json'),
  },
  dashboards: {
    en: () => import('../boards/words/en.json'),
    de: () => import('../boards/words/de.json'),
    es: () => import('../boards/words/es.json'),
    ar: () => import('../boards/words/ar.json'),
  },
  endpoints: {
    en: () => import('../endpoints/words/en.json'),
    de: () => import('../endpoints/words/de.json'),
    es: () => import('../endpoints/words/es.json'),
    ar: () => import('../endpoints/words/ar.json'),
  },
  figures: {
    en: () => import('../figures/words/en.json'),
    de: () => import('../figures/words/de.json'),
    es: () => import('../figures/words/es.json'),
    ar: () => import('../figures/words/ar.json'),
  },
  lede: {
    en: () => import('../lede/words/en.json'),
    de: () => import('../lede/words/de.json'),
    es: () => import('../lede/words/es.json'),
    ar: () => import('../lede/words/ar.json'),
  },
  list: {
    en: () => import('../list/words/en.json'),
    de: () => import('../list/words/de.json'),
    es: () => import('../list/words/es.json'),
    ar: () => import('../list/words/ar.json'),
  },
  looks: {
    en: () => import('../looks/words/en.json'),
    de: () => import('../looks/words/de.json'),
    es: () => import('../looks/words/es.json'),
    ar: () => import('../looks/words/ar.json'),
  },
  notices: {
    en: () => import('../notices/words/en.json'),
    de: () => import('../notices/words/de.json'),
    es: () => import('../notices/words/es.json'),
    ar: () => import('../notices/words/ar.json'),
  },
  palette: {
    en: () => import('../palette/words/en.json'),
    de: () => import('../palette/words/de.json'),
    es: () => import('../palette/words/es.json'),
    ar: () => import('../palette/words/ar.json'),
  },
  schedules: {
    en: () => import('../schedules/words/en.json'),
    de: () => import('../schedules/words/de.json'),
    es: () => import('../schedules/words/es.json'),
    ar: () => import('../schedules/words/ar.json'),
  },
  starters: {
    en: () => import('../starters/words/en.json'),
    de: () => import('../starters/words/de.json'),
    es: () => import('../starters/words/es.json'),
    ar: () => import('../starters/words/ar.json'),
  },
  agents: {
    en: () => import('../screens/agents/words/en.json'),
    de: () => import('../screens/agents/words/de.json'),
    es: () => import('../screens/agents/words/es.json'),
    ar: () => import('../screens/agents/words/ar.json'),
  },
  alerts: {
    en: () => import('../screens/alerts/words/en.json'),
    de: () => import('../screens/alerts/words/de.json'),
    es: () => import('../screens/alerts/words/es.json'),
    ar: () => import('../screens/alerts/words/ar.json'),
  },
  badges: {
    en: () => import('../screens/badges/words/en.json'),
    de: () => import('../screens/badges/words/de.json'),
    es: () => import('../screens/badges/words/es.json'),
    ar: () => import('../screens/badges/words/ar.json'),
  },
  build: {
    en: () => import('../screens/build/words/en.json'),
    de: () => import('../screens/build/words/de.json'),
    es: () => import('../screens/build/words/es.json'),
    ar: () => import('../screens/build/words/ar.json'),
  },
  deliveries: {
    en: () => import('../screens/deliveries/words/en.json'),
    de: () => import('../screens/deliveries/words/de.json'),
    es: () => import('../screens/deliveries/words/es.json'),
    ar: () => import('../screens/deliveries/words/ar.json'),
  },
  exports: {
    en: () => import('../screens/exports/words/en.json'),
    de: () => import('../screens/exports/words/de.json'),
    es: () => import('../screens/exports/words/es.json'),
    ar: () => import('../screens/exports/words/ar.json'),
  },
  'first-run': {
    en: () => import('../screens/first-run/words/en.json'),
    de: () => import('../screens/first-run/words/de.json'),
    es: () => import('../screens/first-run/words/es.json'),
    ar: () => import('../screens/first-run/words/ar.json'),
  },
  home: {
    en: () => import('../screens/home/words/en.json'),
    de: () => import('../screens/home/words/de.json'),
    es: () => import('../screens/home/words/es.json'),
    ar: () => import('../screens/home/words/ar.json'),
  },
  invitations: {
    en: () => import('../screens/invitations/words/en.json'),
    de: () => import('../screens/invitations/words/de.json'),
    es: () => import('../screens/invitations/words/es.json'),
    ar: () => import('../screens/invitations/words/ar.json'),
  },
  leads: {
    en: () => import('../screens/leads/words/en.json'),
    de: () => import('../screens/leads/words/de.json'),
    es: () => import('../screens/leads/words/es.json'),
    ar: () => import('../screens/leads/words/ar.json'),
  },
  numbers: {
    en: () => import('../screens/numbers/words/en.json'),
    de: () => import('../screens/numbers/words/de.json'),
    es: () => import('../screens/numbers/words/es.json'),
    ar: () => import('../screens/numbers/words/ar.json'),
  },
  people: {
    en: () => import('../screens/people/words/en.json'),
    de: () => import('../screens/people/words/de.json'),
    es: () => import('../screens/people/words/es.json'),
    ar: () => import('../screens/people/words/ar.json'),
  },
  reports: {
    en: () => import('../screens/reports/words/en.json'),
    de: () => import('../screens/reports/words/de.json'),
    es: () => import('../screens/reports/words/es.json'),
    ar: () => import('../screens/reports/words/ar.json'),
  },
  responses: {
    en: () => import('../screens/responses/words/en.json'),
    de: () => import('../screens/responses/words/de.json'),
    es: () => import('../screens/responses/words/es.json'),
    ar: () => import('../screens/responses/words/ar.json'),
  },
  results: {
    en: () => import('../screens/results/words/en.json'),
    de: () => import('../screens/results/words/de.json'),
    es: () => import('../screens/results/words/es.json'),
    ar: () => import('../screens/results/words/ar.json'),
  },
  segments: {
    en: () => import('../screens/segments/words/en.json'),
    de: () => import('../screens/segments/words/de.json'),
    es: () => import('../screens/segments/words/es.json'),
    ar: () => import('../screens/segments/words/ar.json'),
  },
  settings: {
    en: () => import('../screens/settings/words/en.json'),
    de: () => import('../screens/settings/words/de.json'),
    es: () => import('../screens/settings/words/es.json'),
    ar: () => import('../screens/settings/words/ar.json'),
  },
  share: {
    en: () => import('../screens/share/words/en.json'),
    de: () => import('../screens/share/words/de.json'),
    es: () => import('../screens/share/words/es.json'),
    ar: () => import('../screens/share/words/ar.json'),
  },
  'short-links': {
    en: () => import('../screens/short-links/words/en.json'),
    de: () => import('../screens/short-links/words/de.json'),
    es: () => import('../screens/short-links/words/es.json'),
    ar: () => import('../screens/short-links/words/ar.json'),
  },
  surveys: {
    en: () => import('../screens/surveys/words/en.json'),
    de: () => import('../screens/surveys/words/de.json'),
    es: () => import('../screens/surveys/words/es.json'),
    ar: () => import('../screens/surveys/words/ar.json'),
  },
  templates: {
    en: () => import('../screens/templates/words/en.json'),
    de: () => import('../screens/templates/words/de.json'),
    es: () => import('../screens/templates/words/es.json'),
    ar: () => import('../screens/templates/words/ar.json'),
  },
  topics: {
    en: () => import('../screens/topics/words/en.json'),
    de: () => import('../screens/topics/words/de.json'),
    es: () => import('../screens/topics/words/es.json'),
    ar: () => import('../screens/topics/words/ar.json'),
  },
  verbatim: {
    en: () => import('../screens/verbatim/words/en.json'),
    de: () => import('../screens/verbatim/words/de.json'),
    es: () => import('../screens/verbatim/words/es.json'),
    ar: () => import('../screens/verbatim/words/ar.json'),
  },
  webhooks: {
    en: () => import('../screens/webhooks/words/en.json'),
    de: () => import('../screens/webhooks/words/de.json'),
    es: () => import('../screens/webhooks/words/es.json'),
    ar: () => import('../screens/webhooks/words/ar.json'),
  },
} satisfies Record<string, Loaders>

/** Loads texts in the present language, before a screen shows them. */
export function loadTexts(...names: Array<keyof typeof TEXTS>): Promise<unknown> {
  return Promise.all(names.map((name) => loadWords(name, TEXTS[name])))
}
