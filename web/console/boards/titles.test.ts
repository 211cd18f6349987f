import { expect, test } from 'vitest'
import type { Query, Widget } from './queries.ts'
import { BEGINNING } from './built-in.ts'
import { inWords, nameInWords, proposedTitle } from './titles.ts'
import german from './words/de.json' with { type: 'json' }
import english from './words/en.json' with { type: 'json' }

const words = (key: string) => english[key.replace('dashboards:', '') as 'new']
const widget = (title: string, query: Query, kind: Widget['kind'] = 'number'): Widget => ({
  id: 'w1',
  kind,
  title,
  query,
  layout: { x: 0, y: 0, w: 4, h: 3 },
})
const count: Query = { source: 'responses', measure: 'count' }
const completed: Query = { source: 'responses', measure: 'completion_rate' }

test('a title is the name of the chosen measure until somebody writes one', () => {
  expect(proposedTitle(widget('Number', count), { query: completed }, words)).toEqual({ title: 'Completed' })
  expect(proposedTitle(widget('Completed', completed), { query: count }, words)).toEqual({ title: 'Responses' })
  const alerts: Query = { source: 'alerts', measure: 'open_alerts' }
  expect(proposedTitle(widget('Responses', count), { query: alerts }, words)).toEqual({ title: 'Open alerts' })
  expect(proposedTitle(widget('How we do', count), { query: completed }, words)).toEqual({})
  expect(proposedTitle(widget('', count), { query: completed }, words)).toEqual({})
})

test('a title stays if the measure stays, or if it is written', () => {
  expect(proposedTitle(widget('Number', count), { query: { ...count, limit: 3 } }, words)).toEqual({})
  expect(proposedTitle(widget('Number', count), { title: 'Mine', query: completed }, words)).toEqual({})
  expect(proposedTitle(widget('Number', count), { kind: 'bar', query: count }, words)).toEqual({ title: 'Bars' })
  expect(proposedTitle(widget('Completed', completed), { kind: 'bar', query: completed }, words)).toEqual({})
})

test('the first dashboard is in the language of its reader, and a written title stays', () => {
  const inGerman = (key: string) => german[key.replace('dashboards:', '') as 'new']
  expect(BEGINNING.widgets.map((each) => inWords(each, words).title)).toEqual(
    BEGINNING.widgets.map(({ title }) => title),
  )
  expect(BEGINNING.widgets.map((each) => inWords(each, inGerman).title)).toEqual([
    'Net Promoter Score',
    'Antworten',
    'Abschlussquote',
    'Net Promoter Score nach Wochen',
    'Offene Warnungen',
    'Antworten nach Tagen',
    'Antwortquote',
    'Neueste Kommentare',
  ])
  expect(inWords({ title: 'Ours' }, inGerman)).toEqual({ title: 'Ours' })
  expect(nameInWords({ built_in: true, name: 'Overview' }, inGerman)).toBe('Überblick')
  expect(nameInWords({ built_in: false, name: 'Overview' }, inGerman)).toBe('Overview')
})
