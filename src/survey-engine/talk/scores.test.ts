import { describe, expect, test } from 'vitest'
import type { Question } from '../model/definition.ts'
import { read } from './read-turn.fixture.ts'

const NPS: Question = { id: 'q', type: 'nps', title: 'T', low_label: 'Not at all likely', high_label: 'Very likely' }
const CSAT: Question = { id: 'q', type: 'csat', title: 'T' }

describe('a score', () => {
  test.each([
    ['9', 9],
    ['9!', 9],
    [' 9. ', 9],
    ['nine', 9],
    ['Nine!!', 9],
    ['9/10', 9],
    ['9 / 10', 9],
    ['9 out of 10', 9],
    ['nine out of ten', 9],
    ["I'd say 9", 9],
    ['I would give it a 9 please', 9],
    ['9️⃣', 9],
    ['９', 9],
    ['⑨', 9],
    ['9 👍', 9],
    ['9, great service', 9],
    ['9 because you were fast', 9],
    ['9 - thanks', 9],
    ['9 – you were fast', 9],
    ['9. Great service', 9],
    ['9! Great service', 9],
    ['9 👍 great service', 9],
    ['9 (great service)', 9],
    ['9\nGreat service', 9],
    ['9, because you were fast', 9],
    ['9. The courier was late by 2 hours', 9],
    ['9! I waited 45 minutes, then 10 more', 9],
    ['9\nTwo of 3 parcels came at 9:30 on the 3rd', 9],
    ['9, 2 hours late', 9],
    ['9/10. Shop 12 was closed', 9],
    ['I’d say 9. You came within 2 days', 9],
    ['9, sorry, 8', null],
    ['9. No wait, 8', null],
    ['9, 8', null],
    ['9 - 10', null],
    ['9. 10', null],
    ['9 minutes. 2 hours', null],
    ['🔟', 10],
    ['🔟!', 10],
    ['5 stars', null],
    ['5 ⭐', 5],
    ['five stars', null],
    ['★★★★★', null],
    ['⭐️⭐️⭐️⭐️⭐️', null],
    ['★★★☆☆', null],
    ['★★★★★★★★★', 9],
    ['5/5', null],
    ['7/7', null],
    ['5 of 5', null],
    ['5 out of 5', null],
    ['five out of five', null],
    ['7 / 7, great', null],
    ['100/100', null],
    ['9 points', 9],
    ['9 stars, great', 9],
    ['9 out of 10, great', 9],
    ['9 out of 10 thanks', 9],
    ['9 I’d say, you were fast', 9],
    ['0 complaints', null],
    ['0-complaints policy', null],
    ['9 or not', null],
    ['9, or not', null],
    ['9 of your stores', null],
    ['10 reasons why not', null],
    ['10 stars hotel', null],
    ['9 no complaints', null],
    ['0 but 👍 from me', null],
    ['10', 10],
    ['10/10', 10],
    ['0', 0],
    ['zero', 0],
    ['a solid 8', 8],
    ['Very likely!', 10],
    ['not at all likely', 0],
    ['#7', null],
    ['11', null],
    ['-1', null],
    ['7.5', null],
    ['7,5', null],
    ['8 or 9', null],
    ['8-9', null],
    ['90%', null],
    ['$9', null],
    ['9:30', null],
    ['9th', null],
    ['3 minutes', null],
    ['I waited 3 minutes', null],
    ['one of the best', null],
    ['2 of my 3 orders were late', null],
    ['9/5', null],
    ['great', null],
    ['👍', null],
    ['', null],
    ['9'.repeat(1_600), null],
    ['nine '.repeat(320), 9],
    ['\u0000', null],
  ])('%j is %j', (text, value) => {
    expect(read(NPS, text)).toEqual(value === null ? { problem: 'unclear' } : { value })
  })

  test.each([
    ['de', 'neun', 9],
    ['de', 'fünf', 5],
    ['de', 'fuenf', 5],
    ['de-AT', 'Ich würde sagen: Acht', 8],
    ['de', '9 von 10', 9],
    ['de', 'eine 7', 7],
    ['de', 'eine glatte Zehn', 10],
    ['fr', 'neuf', 9],
    ['fr', 'je donne un huit', 8],
    ['fr', 'un', 1],
    ['fr', '9 sur 10', 9],
    ['de', '0 Beschwerden', null],
    ['de', '9 Punkte, weil es schnell ging', 9],
    ['de', '9 weil es schnell ging', 9],
    ['de', '9, oder nicht', null],
    ['fr', '9 parce que c’était rapide', 9],
    ['es', '9 porque fue rápido', 9],
    ['es', 'nueve', 9],
    ['es', 'un diez', 10],
    ['es', 'diría que 8', null],
    ['es', 'yo diría 8', 8],
    ['it', 'nine', 9],
    ['de', 'nine', 9],
    ['it', 'direi nove', 9],
    ['nl', 'Ik geef een 8', 8],
    ['pt', 'eu daria nove', 9],
    ['pl', 'Dałbym 9', 9],
    ['ar', '٩ من ١٠', 9],
    ['ar', 'تسعة', 9],
    ['en', 'neun', null],
  ])('in %s, %j is %j', (language, text, value) => {
    expect(read(NPS, text, { language })).toEqual(value === null ? { problem: 'unclear' } : { value })
  })

  test('may be said in stars where people count in them', () => {
    const stars: Question = { id: 'q', type: 'rating', title: 'T', scale: 10, style: 'star' }
    for (const text of ['4 stars', '★★★★', '⭐️⭐️⭐️⭐️', '★★★★☆', '4/5', '4 of 5 stars', '🌟🌟🌟🌟 great', 'four ⭐'])
      expect(read(CSAT, text), text).toEqual({ value: 4 })
    expect(read(CSAT, '⭐ great')).toEqual({ problem: 'unclear' })
    expect(read(CSAT, '⭐')).toEqual({ value: 1 })
    expect(read(CSAT, '4 Sterne', { language: 'de' })).toEqual({ value: 4 })
    expect(read(NPS, '4 Sterne', { language: 'de' })).toEqual({ problem: 'unclear' })
    expect(read(NPS, '5 von 5', { language: 'de' })).toEqual({ problem: 'unclear' })
    expect(read(stars, '4 stars')).toEqual({ value: 4 })
    expect(read(stars, '4/5')).toEqual({ problem: 'unclear' })
  })

  test('of another scale is none of this one', () => {
    expect(read(CSAT, '4/5')).toEqual({ value: 4 })
    expect(read(CSAT, '9/10')).toEqual({ problem: 'unclear' })
    expect(read(CSAT, '0')).toEqual({ problem: 'unclear' })
  })
})
