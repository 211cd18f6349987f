import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useMay } from '../app/me.ts'
import { placeOf } from '../app/screens.ts'
import { endpointName } from '../endpoints/endpoint-name.ts'
import { answerOf, api, afterPause } from '../session/api.ts'

export interface Thing {
  id: string
  group: 'surveys' | 'people' | 'things'
  icon: string
  label: string
}

const MOST = 5
const KEPT = { staleTime: 60_000, retry: false } as const
// The API finds a person by nothing less than an address or a word of the name, and notes each read.
const WHOLE_ADDRESS = /^(?:[^\s@]+@[^\s@]+|\+\d{7,15})$/
const SHORTEST_NAME = 2
const WHOLE_NAME = /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]/u

/** Surveys, people and named things that fit the words. */
export function useThings(wish: string): Thing[] {
  const words = useDeferredValue(wish)
  const isWish = words.length > 1
  const query = { params: { query: { limit: 100 } } }
  const surveys = useQuery({
    queryKey: ['surveys', 'palette', words],
    queryFn: () => answerOf(api.GET('/v1/surveys', { params: { query: { search: words, limit: MOST } } })),
    enabled: isWish,
  })
  const mayReadPeople = useMay('people.manage')
  const people = useQuery({
    queryKey: ['people', 'palette', words],
    queryFn: async ({ signal }) => {
      await afterPause(signal)
      return answerOf(api.GET('/v1/people', { params: { query: { search: words, limit: MOST } } }))
    },
    enabled: mayReadPeople && (isWholeAddress(words) || mayBeName(words)),
  })
  const endpoints = useQuery({
    queryKey: ['webhooks', 'palette'],
    queryFn: () => answerOf(api.GET('/v1/webhooks', query)),
    ...KEPT,
    enabled: isWish,
  })
  const segments = useQuery({
    queryKey: ['segments', 'names'],
    queryFn: () => answerOf(api.GET('/v1/segments', query)),
    ...KEPT,
    enabled: isWish,
  })
  const dashboards = useQuery({
    queryKey: ['dashboards', 'names'],
    queryFn: () => answerOf(api.GET('/v1/dashboards', query)),
    ...KEPT,
    enabled: isWish,
  })
  const templates = useQuery({
    queryKey: ['templates', 'names'],
    queryFn: () => answerOf(api.GET('/v1/email-templates', query)),
    ...KEPT,
    enabled: isWish,
  })
  if (!isWish) return []
  const named = (icon: string, rows: Array<{ id: string; name: string }> | undefined): Thing[] =>
    (rows ?? []).map(({ id, name }) => ({ id, group: 'things', icon, label: name }))
  const wanted = wish.toLocaleLowerCase()
  const things = [
    ...named(
      'webhook',
      endpoints.data?.data.map((each) => ({ id: each.id, name: endpointName(each) })),
    ),
    ...named('filter', segments.data?.data),
    ...named('layout-dashboard', dashboards.data?.data),
    ...named('mail', templates.data?.data),
  ].filter(({ label }) => label.toLocaleLowerCase().includes(wanted))
  return [
    ...(surveys.data?.data ?? []).map(({ id, name }): Thing => ({
      id,
      group: 'surveys',
      icon: 'clipboard-list',
      label: name,
    })),
    ...(people.data?.data ?? []).map(({ id, name, email, phone, external_id }): Thing => ({
      id,
      group: 'people',
      icon: 'contact',
      label: name ?? email ?? phone ?? external_id ?? id,
    })),
    // A thing without a screen leads nowhere.
    ...things.filter(({ id }) => placeOf(id) !== null).slice(0, MOST),
  ]
}

/** Half an address is no name, and an id opens its thing. One sign of a script of syllables is a name, as 李. */
function mayBeName(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? []
  const isLong = letters.length >= SHORTEST_NAME || WHOLE_NAME.test(text)
  return isLong && !text.includes('@') && placeOf(text) === null
}

/** The domain of a mail address has a dot, and something after it. */
export function isWholeAddress(text: string): boolean {
  return (
    WHOLE_ADDRESS.test(text) &&
    (text.startsWith('+') || text.lastIndexOf('.') > text.indexOf('@') + 1) &&
    !text.endsWith('.')
  )
}
