import type { ChatItem, ChatMessage } from '../../../platform/ports/chat-port.ts'
import { oneLine } from '../../../platform/text/names.ts'
import type { Permission } from '../../../platform/permissions.ts'
import { eventTitle } from '../events/event-types.ts'
import { filled, wordsOf } from './wording.ts'
import type { Id } from '../../../platform/ids.ts'

export type Channel = 'email' | 'console' | 'slack' | 'teams'
export type Digest = 'at_once' | 'daily' | 'weekly'

/** An event that a message is about. */
export interface NotifiedEvent {
  event_id: Id<'event'>
  event: string
  survey_id: Id<'survey'> | null
  /** It comes from an anonymous survey. */
  withheld: boolean
}

/** A claim: until its end no other worker takes the rows. */
export interface Lease {
  now: Date
  until: Date
  token: string
}

/** An event with the content that its reader may see. */
export interface Shown {
  event: string
  survey: string | undefined
  /** Null where the event shows no words: an anonymous survey, or a reader without the right. */
  data: Record<string, unknown> | null
}

export interface Counted {
  event: string
  survey: string | undefined
  count: number
}

export interface Contents {
  kind: 'events' | 'daily' | 'weekly'
  counts: Counted[]
  shown: Shown[]
}

const QUOTES = 3
const LONGEST_QUOTE = 500
// An address alone is contact data and no comment.
const LONGEST_CONTACT = 2_000
const CONTACT = /^(\S[^\s@]*@\S+|\+?[\d\s()/.-]{6,}|https?:\/\/\S+)$/

/** Where a reader finds a thing: the member of the event's data with its id, and its path. */
const LINKS: Array<{ events: RegExp; id: string; path: string }> = [
  { events: /^response\./, id: 'responseId', path: 'responses' },
  { events: /^alert\./, id: 'alertId', path: 'alerts' },
  { events: /^lead\./, id: 'leadId', path: 'leads' },
  { events: /^export\./, id: 'exportRunId', path: 'exports' },
  { events: /^webhook\./, id: 'webhookId', path: 'webhooks' },
]

/** Whether somebody with these permissions may read what an event is about. Every member reads responses. */
export function mayRead(event: string, permissions: Permission[]): boolean {
  if (event.startsWith('export.')) return permissions.includes('exports.manage')
  return !event.startsWith('webhook.') || permissions.includes('integrations.manage')
}

/** One message about some events: the event itself if there is one, else a count and the latest. */
export function messageOf({ kind, counts, shown }: Contents, language: string, baseUrl: string): ChatMessage {
  const words = wordsOf(language)
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const [first] = counts
  const base = { linkText: words.open }
  if (kind === 'events' && total === 1 && first) {
    const items = shown.map((each) => itemOf(each, '', baseUrl)).filter(saysSomething)
    return {
      ...base,
      title: eventTitle(first.event, language),
      lines: first.survey ? [oneLine(first.survey)] : [],
      items,
    }
  }
  const title = kind === 'events' ? words.several : words[kind]
  return {
    ...base,
    title: filled(title, { n: total }),
    lines: counts.map(({ event, survey, count }) =>
      filled(survey ? words.countOf : words.count, { n: count, event, survey: oneLine(survey ?? '') }),
    ),
    items: shown.map((each) => itemOf(each, eventTitle(each.event, language), baseUrl)).filter(saysSomething),
  }
}

/** The same as the text of a mail. */
export function letterOf(message: ChatMessage, language: string, baseUrl: string): string {
  const items = message.items.map(({ heading, lines, quotes, url }) =>
    [
      heading,
      ...lines,
      ...quotes.flatMap((quote) => quote.split('\n').map((line) => `> ${line}`)),
      ...(url === null ? [] : [`${message.linkText}: ${url}`]),
    ]
      .filter((line) => line !== '')
      .join('\n'),
  )
  const foot = filled(wordsOf(language).foot, {
    list: `${baseUrl}/app/settings/notifications`,
  })
  return `${[[message.title, ...message.lines].join('\n'), ...items, foot].join('\n\n')}\n`
}

function itemOf({ event, data }: Shown, heading: string, baseUrl: string): ChatItem {
  if (data === null) return { heading, lines: [], quotes: [], url: null }
  const link = LINKS.find(({ events }) => events.test(event))
  const id = link && data[link.id]
  return {
    heading,
    lines: scoreLines(data.score),
    quotes: quotesOf(data.text),
    url: link && typeof id === 'string' ? `${baseUrl}/app/${link.path}/${id}` : null,
  }
}

function saysSomething({ lines, quotes, url }: ChatItem): boolean {
  return lines.length > 0 || quotes.length > 0 || url !== null
}

function scoreLines(score: unknown): string[] {
  const { metric, value } = (score ?? {}) as { metric?: unknown; value?: unknown }
  return typeof metric === 'string' && typeof value === 'number' ? [`${metric.toUpperCase()}: ${value}`] : []
}

// Contact data stands in objects, and is left out.
function quotesOf(text: unknown): string[] {
  const values = Array.isArray(text) ? text.map((item: { value?: unknown }) => item.value) : []
  return values
    .filter((value): value is string => typeof value === 'string' && value.trim() !== '' && !isContact(value.trim()))
    .slice(0, QUOTES)
    .map((value) => (value.length > LONGEST_QUOTE ? `${value.slice(0, LONGEST_QUOTE - 1)}…` : value))
}

function isContact(text: string): boolean {
  return text.length <= LONGEST_CONTACT && CONTACT.test(text)
}
