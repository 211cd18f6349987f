import { expect, test, vi } from 'vitest'
import { dateFormat, numberFormat } from './formats.ts'

test('a formatter is made once for a language and its options', () => {
  const options = { maximumFractionDigits: 1 }
  expect(numberFormat('de', { ...options })).toBe(numberFormat('de', { ...options }))
  expect(numberFormat('de', options)).not.toBe(numberFormat('de', { maximumFractionDigits: 2 }))
  expect(numberFormat('de', options).format(1.25)).toBe('1,3')
  expect(numberFormat('en', options).format(1.25)).toBe('1.3')
})

test('formatters that were unused longest go, so languages that strangers make up do not fill the memory', () => {
  const kept = numberFormat('de')
  const first = numberFormat('en-x-a0')
  const make = vi.spyOn(Intl, 'NumberFormat')
  for (let n = 1; n <= 600; n++) {
    numberFormat(`en-x-a${n}`)
    expect(numberFormat('de')).toBe(kept)
  }
  expect(make).toHaveBeenCalledTimes(600)
  expect(numberFormat('en-x-a0')).not.toBe(first)
  make.mockRestore()
})

test('what is no tag of a language is refused each time', () => {
  for (const _ of [1, 2]) expect(() => dateFormat('not a tag', {})).toThrow(RangeError)
})
