import { expect, test } from 'vitest'
import { nameWords } from './names.service.ts'

test.each([
  ['José García', ['jose', 'garcia']],
  ['Jose\u0301 GARCI\u0301A', ['jose', 'garcia']],
  ['  Ada   King-Lovelace, 2nd ', ['ada', 'king', 'lovelace', '2nd']],
  ['Ａｄａ Müller-Weiß', ['ada', 'muller', 'weiss']],
  ['O’Brien', ['o', 'brien']],
  ["O'Brien", ['o', 'brien']],
  ['İlayda Işık', ['ilayda', 'isık']],
  ['Søren Łukasz', ['soren', 'lukasz']],
  ['Νίκος', ['νικοσ']],
  ['हिन्दी', ['हिन्दी']],
  ['山田 太郎', ['山田', '太郎']],
  ['محمد علي', ['محمد', 'علي']],
  ['Ada ADA ada', ['ada']],
  ['*** — !', []],
  ['', []],
])('the words of %j are %j', (name, words) => {
  expect(nameWords(name)).toEqual(words)
})

test('a name has its first 8 distinct words, of at most 60 characters each', () => {
  expect(nameWords('a a b c d e f g h i j')).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
  const astral = '\u{20000}'
  expect(nameWords(astral.repeat(70))).toEqual([astral.repeat(60)])
})
