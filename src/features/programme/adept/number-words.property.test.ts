import fc from 'fast-check'
import * as ar from 'n2words/ar-SA'
import * as de from 'n2words/de-DE'
import * as en from 'n2words/en-US'
import * as es from 'n2words/es-ES'
import * as fr from 'n2words/fr-FR'
import * as frBe from 'n2words/fr-BE'
import * as it from 'n2words/it-IT'
import * as nl from 'n2words/nl-NL'
import * as pl from 'n2words/pl-PL'
import * as pt from 'n2words/pt-PT'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../testing/property-runs.ts'
import { hasAmount } from './number-words.ts'

const SENTENCES: Record<
  string,
  { words: { toCardinal(n: number): string; toOrdinal(n: number): string }; around: string }
> = {
  en: { words: en, around: 'People say that {n} parcels came late.' },
  de: { words: de, around: 'Die Leute sagen, dass {n} Pakete zu spät kamen.' },
  fr: { words: fr, around: 'Les gens disent que {n} colis sont arrivés en retard.' },
  'fr-BE': { words: frBe, around: 'Les gens disent que {n} colis sont arrivés en retard.' },
  es: { words: es, around: 'La gente dice que {n} paquetes llegaron tarde.' },
  it: { words: it, around: 'La gente dice che {n} pacchi sono arrivati tardi.' },
  nl: { words: nl, around: 'Mensen zeggen dat {n} pakketten te laat kwamen.' },
  pt: { words: pt, around: 'As pessoas dizem que {n} encomendas chegaram tarde.' },
  pl: { words: pl, around: 'Ludzie mówią, że {n} paczek przyszło późno.' },
  ar: { words: ar, around: 'يقول الناس إن {n} طردا وصلت متأخرة.' },
}

describe.each(Object.entries(SENTENCES))('in %s', (_language, { words, around }) => {
  const holds = (text: string) => hasAmount(around.replace('{n}', text))

  test('the sentence without a number has no amount', () => {
    expect(holds('')).toBe(false)
  })

  test('each number up to a thousand is an amount', () => {
    const passed = Array.from({ length: 999 }, (_, n) => words.toCardinal(n + 2)).filter((text) => !holds(text))
    expect(passed).toEqual([])
  })

  test('so are larger ones, and ordinals from the third on, in any case', () => {
    const any = fc.integer({ min: 1_001, max: 2_000_000_000 })
    fc.assert(
      fc.property(any, fc.integer({ min: 3, max: 100 }), fc.boolean(), (n, nth, upper) => {
        for (const text of [words.toCardinal(n), words.toOrdinal(nth)])
          expect(holds(upper ? text.toUpperCase() : text), text).toBe(true)
      }),
      propertyRuns(20_260_302, 200),
    )
  })
})

test.each([
  'Most of the hundred agree',
  'Half of them agree',
  'Zwei Drittel sind zufrieden',
  'Die Hälfte der Kunden',
  'Nearly th\u200bree quarters',
  'ＴＷＥＮＴＹ people',
  'Due clienti sono arrabbiati con il corriere di ieri',
  'Once clientes se quejan de la entrega de ayer',
  'Dos clientes se quejan de la entrega de ayer',
  'Two complaints, and dos quejas',
  'Dwadzieścia osób',
  'نصف العملاء',
  '½ of them',
  'Ⅻ people',
  '9 of them',
  'many %',
])('%j has an amount', (sentence) => {
  expect(hasAmount(sentence)).toBe(true)
})

test.each([
  'People wait too long for parcels.',
  'Once a parcel is late, customers write to the support team.',
  'The delay is due to the weather, and one courier was rude.',
  'Os clientes reclamam dos atrasos e dos preços da loja.',
  'Man sagt, der Versand sei zu langsam und einer der Fahrer unfreundlich.',
  'Klienci mówią, że ten kurier był bardzo niegrzeczny wobec ludzi.',
  'Les clients disent que le colis est lourd et fait mal au dos.',
  'Uno de los clientes se queja de la entrega.',
  'Un client se plaint de la livraison.',
  'Einige Kunden beschweren sich, und einzig der Preis gefällt.',
  'أحد العملاء يشتكي من التوصيل',
])('%j has none', (sentence) => {
  expect(hasAmount(sentence)).toBe(false)
})
