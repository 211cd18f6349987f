import { describe, expect, test } from 'vitest'
import type { Question } from '../model/definition.ts'
import { read } from './read-turn.fixture.ts'

const choices = (...labels: string[]) => labels.map((label, index) => ({ id: `c${index + 1}`, label }))
const SINGLE: Question = {
  id: 'q',
  type: 'single',
  title: 'T',
  choices: choices('Price', 'Crème brûlée', 'The service'),
}
const OTHER: Question = { ...SINGLE, type: 'single', allow_other: true }
const MULTI: Question = {
  id: 'q',
  type: 'multi',
  title: 'T',
  choices: choices('Price', 'Speed', 'Ham and eggs', 'Care'),
  max_choices: 3,
}
const RANKING: Question = { id: 'q', type: 'ranking', title: 'T', choices: choices('Price', 'Speed', 'Care') }
const TEXT: Question = { id: 'q', type: 'open_text', title: 'T' }
const MATRIX: Question = {
  id: 'q',
  type: 'matrix',
  title: 'T',
  rows: [
    { id: 'speed', label: 'Speed' },
    { id: 'care', label: 'Care' },
  ],
  columns: choices('Good', 'Bad'),
}
const DATE: Question = { id: 'q', type: 'date', title: 'T' }
const CONTACT: Question = { id: 'q', type: 'contact', title: 'T', fields: ['name', 'email', 'phone'] }

describe('a choice', () => {
  test.each([
    ['1', 'c1'],
    ['1.', 'c1'],
    ['(b)', 'c2'],
    ['A', 'c1'],
    ['a', 'c1'],
    ['option a', 'c1'],
    ['number two', 'c2'],
    ['#2', 'c2'],
    ['price', 'c1'],
    ['PRICE!!', 'c1'],
    ['1 Price', 'c1'],
    ['1) price', 'c1'],
    ['creme brulee', 'c2'],
    ['Crème Brûlée.', 'c2'],
    ['service', 'c3'],
    ['the service please', 'c3'],
    ['4', null],
    ['0', null],
    ['d', null],
    ['cheap', null],
    ['💸', null],
  ])('%j is %j', (text, value) => {
    expect(read(SINGLE, text)).toEqual(value === null ? { problem: 'unclear' } : { value })
  })

  test('is one, not two', () => {
    for (const text of ['1, 2', 'price and service', 'A and B', 'a b', '1 Service'])
      expect(read(SINGLE, text), text).toEqual({ problem: 'many' })
    expect(read(OTHER, 'price, service')).toEqual({ problem: 'many' })
  })

  test('may be in own words where the question takes them', () => {
    expect(read(OTHER, 'The parking was a nightmare')).toEqual({ value: { other: 'The parking was a nightmare' } })
    expect(read(OTHER, 'Other: parking')).toEqual({ value: { other: 'parking' } })
    expect(read(OTHER, 'other', { optional: true })).toEqual({ value: { other: '' } })
    expect(read(OTHER, 'other'), 'it needs the words').toEqual({ problem: 'unclear' })
    expect(read(OTHER, '👍')).toEqual({ value: { other: '👍' } })
    expect(read(OTHER, '9')).toEqual({ problem: 'unclear' })
    expect(read(OTHER, 'autre chose', { language: 'fr', optional: true })).toEqual({ value: { other: '' } })
  })

  test('whose label is a number is named by that number, not by its place', () => {
    const ages: Question = { id: 'q', type: 'single', title: 'T', choices: choices('5', '2', '20') }
    expect(read(ages, '2')).toEqual({ value: 'c2' })
    expect(read(ages, '5')).toEqual({ value: 'c1' })
    expect(read(ages, '1')).toEqual({ problem: 'unclear' })
    expect(read(ages, 'c')).toEqual({ value: 'c3' })
    const sizes: Question = { id: 'q', type: 'single', title: 'T', choices: choices('B', 'A') }
    expect(read(sizes, 'a')).toEqual({ value: 'c2' })
    expect(read(sizes, '1')).toEqual({ value: 'c1' })
  })
})

describe('several choices', () => {
  test.each([
    ['1, 3', ['c1', 'c3']],
    ['a c', ['c1', 'c3']],
    ['1 3', ['c1', 'c3']],
    ['1 and 2', ['c1', 'c2']],
    ['price, speed', ['c1', 'c2']],
    ['Speed & Care', ['c2', 'c4']],
    ['ham and eggs', ['c3']],
    ['ham and eggs, price', ['c3', 'c1']],
    ['2', ['c2']],
    ['1, 1', ['c1']],
  ])('%j are %j', (text, value) => {
    expect(read(MULTI, text)).toEqual({ value })
  })

  test('that cannot be read, or are too many, are asked again', () => {
    for (const text of ['13', '1, 9', 'price, parking', 'hello'])
      expect(read(MULTI, text), text).toEqual({ problem: 'unclear' })
    expect(read(MULTI, '1,2,3,4')).toEqual({ problem: 'count' })
  })

  test('may be mixed with one in own words', () => {
    const other: Question = { ...MULTI, type: 'multi', allow_other: true }
    expect(read(other, '1, parking')).toEqual({ value: ['c1', { other: 'parking' }] })
    expect(read(other, 'The parking, and the queue')).toEqual({ value: [{ other: 'The parking, and the queue' }] })
  })

  test('in order are a ranking, of all of them', () => {
    expect(read(RANKING, '2, 1, 3')).toEqual({ value: ['c2', 'c1', 'c3'] })
    expect(read(RANKING, 'care speed price')).toEqual({ value: ['c3', 'c2', 'c1'] })
    expect(read(RANKING, '2, 1')).toEqual({ problem: 'count' })
  })
})

describe('other answers', () => {
  test.each([
    ['yes', true],
    ['YES!', true],
    ['y', true],
    ['ok', true],
    ['Yes please', true],
    ['I agree', true],
    ['👍', true],
    ['no', false],
    ['No, thanks', false],
    ['👎', false],
    ['yes and no', null],
    ['not sure', null],
    ['maybe', null],
    ['1', null],
  ])('to a consent: %j is %j', (text, value) => {
    expect(read({ id: 'q', type: 'consent', title: 'T' }, text)).toEqual(
      value === null ? { problem: 'unclear' } : { value },
    )
  })

  test.each([
    ['de', 'Ja', true],
    ['de', 'nein', false],
    ['fr', 'd’accord', true],
    ['fr', 'Non merci', false],
    ['es', 'Sí', true],
  ])('to a consent in %s: %j is %j', (language, text, value) => {
    expect(read({ id: 'q', type: 'consent', title: 'T' }, text, { language })).toEqual({ value })
  })

  test('to a consent by phone may be pressed', () => {
    const consent: Question = { id: 'q', type: 'consent', title: 'T' }
    expect(read(consent, '1', { channel: 'voice' })).toEqual({ value: true })
    expect(read(consent, '2', { channel: 'voice' })).toEqual({ value: false })
  })

  test.each([
    ['en', '2026-03-14', '2026-03-14'],
    ['en', '14 March 2026', '2026-03-14'],
    ['en', 'March 14th, 2026', '2026-03-14'],
    ['en', '14.03.2026', '2026-03-14'],
    ['en', '3/14/2026', '2026-03-14'],
    ['en', '03/04/2026', null],
    ['de', '03.04.2026', '2026-04-03'],
    ['de', '14. März 2026', '2026-03-14'],
    ['fr', '03/04/2026', '2026-04-03'],
    ['fr', '1er avril 2026', '2026-04-01'],
    ['es', '14 de marzo de 2026', '2026-03-14'],
    ['en', '20260314', '2026-03-14'],
    ['en', 'today', '2026-03-14'],
    ['de', 'gestern', '2026-03-13'],
    ['en', '30 February 2026', null],
    ['en', 'March 14', null],
  ])('to a date in %s: %j is %j', (language, text, value) => {
    expect(read(DATE, text, { language })).toEqual(value === null ? { problem: 'unclear' } : { value })
  })

  test('to an open question are the words, whatever they are', () => {
    for (const text of ['👍', 'It took 3 minutes', 'é'.repeat(1_600), '9'])
      expect(read(TEXT, text)).toEqual({ value: text })
    expect(read({ ...TEXT, type: 'open_text', max_length: 3 }, 'long')).toEqual({ problem: 'too_long' })
    expect(read(TEXT, 'a\u0000b')).toEqual({ problem: 'unclear' })
    for (const blank of ['  ', '\u200b', '\u2800\u3164']) expect(read(TEXT, blank)).toEqual({ problem: 'unclear' })
  })

  test.each([
    ['email', 'It is Ada@example.com.', 'Ada@example.com'],
    ['email', 'nobody', null],
    ['phone', '+49 30 901820', '+4930901820'],
    ['number', '12', 12],
    ['number', 'about 12', 12],
    ['number', '12 orders', 12],
    ['number', '1,200', 1200],
    ['number', 'about 1,200', 1200],
    ['number', '١٢', 12],
    ['number', 'twelve', null],
    ['number', '5²', null],
    ['number', '10½', null],
    ['url', 'example.com', 'https://example.com'],
  ] as const)('of the format %s: %j is %j', (format, text, value) => {
    expect(read({ ...TEXT, type: 'open_text', format }, text)).toEqual(
      value === null ? { problem: 'unclear' } : { value },
    )
  })

  test.each([
    ['de', '3,5', 3.5],
    ['de', 'etwa 1.200', 1200],
    ['de', '1,234', 1.234],
    ['en', '1,234', 1234],
    ['ar', '١٢', 12],
    ['ar', '٣٫٥', 3.5],
    ['fa', '۱۲', 12],
  ])('a number in %s: %j is %d', (language, text, value) => {
    expect(read({ ...TEXT, type: 'open_text', format: 'number' }, text, { language })).toEqual({ value })
  })

  test('an address that was spoken', () => {
    const email: Question = { ...TEXT, type: 'open_text', format: 'email' }
    expect(read(email, 'ada dot lovelace at example dot com', { channel: 'voice' })).toEqual({
      value: 'ada.lovelace@example.com',
    })
  })

  test('to one row or one field join those that are there', () => {
    expect(read(MATRIX, 'good', { part: 'care', before: { speed: 'c2' } })).toEqual({
      value: { speed: 'c2', care: 'c1' },
    })
    expect(read(CONTACT, 'ada@example.com', { part: 'email', before: { name: 'Ada' } })).toEqual({
      value: { name: 'Ada', email: 'ada@example.com' },
    })
    expect(read(CONTACT, 'no idea', { part: 'email' })).toEqual({ problem: 'unclear' })
  })
})

test('an optional question may be skipped, a required one not', () => {
  for (const text of ['skip', 'SKIP!', 'pass', '-'])
    expect(read(TEXT, text, { optional: true }), text).toEqual({ skip: true })
  expect(read(TEXT, 'Überspringen', { optional: true, language: 'de' })).toEqual({ skip: true })
  expect(read(TEXT, 'skip')).toEqual({ problem: 'required' })
})
