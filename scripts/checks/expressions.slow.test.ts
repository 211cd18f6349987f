import { expect, test } from 'vitest'
import { expressionsIn, mayGrow } from '../expressions/expressions.ts'
import { judge } from '../expressions/judging.ts'

const GROWING = [
  '/\\s*;\\s*q=/',
  '/^(\\S+@\\S+|\\+?[\\d\\s()/.-]{6,}|https?:\\/\\/\\S+)$/',
  '/<!DOCTYPE[^>]*\\[/i',
  '/^(?:a|a)*$/',
]
const PROPORTIONATE = [
  '/^(\\S[^\\s@]*@\\S+|\\+?[\\d\\s()/.-]{6,}|https?:\\/\\/\\S+)$/',
  '/<!DOCTYPE[^<>[]*\\[/i',
  '/(?<!\\s)\\s+\\S{0,30}$/',
]

test('an expression that works longer than in proportion to its text is found, and no other', async () => {
  const all = [...GROWING, ...PROPORTIONATE].flatMap((text) => expressionsIn('a.ts', `const a = ${text}`))
  const sources = all.flatMap(({ source }) => (source ? [source] : []))
  expect(sources.filter(mayGrow)).toEqual(sources)
  const problems = await judge(sources)
  expect(problems.map((problem) => problem !== null)).toEqual([
    ...GROWING.map(() => true),
    ...PROPORTIONATE.map(() => false),
  ])
}, 120_000)

test.each(['/^\\d{1,3}$/', '/^[a-z]+$/', '/[*+]/', '/\\+\\*/', '/(?:a|b){2,40}c/'])('%s cannot grow', (text) => {
  const [expression] = expressionsIn('a.ts', `text.replace(${text}, '')`)
  expect(expression?.source && mayGrow(expression.source)).toBe(false)
})

test('an expression that is made of parts is found with its line', () => {
  const code = 'const a = 1\nconst b = new RegExp(`${c}+`)\nconst d = RegExp(c)'
  expect(expressionsIn('a.ts', code)).toEqual([
    { path: 'a.ts', line: 2, text: 'new RegExp', source: null },
    { path: 'a.ts', line: 3, text: 'new RegExp', source: null },
  ])
})
