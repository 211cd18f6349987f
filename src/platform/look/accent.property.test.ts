import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accentOn, contrast, SHAPE_CONTRAST, TEXT_COLORS, TEXT_CONTRAST } from './accent.ts'
import { propertyRuns } from '../../testing/property-runs.ts'

const BACKGROUNDS = ['#ffffff', '#f6f5f2', '#191918', '#121211']
const anyColor = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('every colour is seen on its background, with text on it that can be read', () => {
  fc.assert(
    fc.property(anyColor, fc.constantFrom(...BACKGROUNDS), (color, background) => {
      const accent = accentOn(color, background)
      expect(accent.color).toMatch(/^#[0-9a-f]{6}$/)
      expect(TEXT_COLORS).toContain(accent.text)
      expect(contrast(accent.color, background)).toBeGreaterThanOrEqual(SHAPE_CONTRAST)
      expect(contrast(accent.color, accent.text)).toBeGreaterThanOrEqual(TEXT_CONTRAST)
    }),
    propertyRuns(20_261_125, 2_000),
  )
})

test('the hue stays', () => {
  const hueOf = (color: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
    return (Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue) * 180) / Math.PI
  }
  for (const color of ['#ffe600', '#00ff88', '#0f766e', '#ff0055', '#3300ff']) {
    for (const background of BACKGROUNDS) {
      const turn = Math.abs(hueOf(color) - hueOf(accentOn(color, background).color)) % 360
      expect(Math.min(turn, 360 - turn), `${color} on ${background}`).toBeLessThan(3)
    }
  }
})

test.each([
  ['#0f766e', '#ffffff', '#0f766e', '#ffffff'],
  ['#FFE600', '#121211', '#ffe600', '#121211'],
  ['#000000', '#ffffff', '#000000', '#ffffff'],
  ['#ffffff', '#191918', '#ffffff', '#121211'],
])('%s on %s is good as it is', (color, background, expected, text) => {
  expect(accentOn(color, background)).toEqual({ color: expected, text })
})

test('contrasts are those of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
  expect(contrast('#777777', '#777777')).toBe(1)
})
