import { describe, expect, test } from 'vitest'
import { contrast, isGround } from '../../../../platform/look/accent.ts'
import { DARK, LIGHT } from '../../../../platform/look/tokens.ts'
import { styleFor } from './respondent-style.ts'
import type { Look } from './respondent-view.ts'

const theme = (more: Partial<Look>): Look => ({
  color: null,
  background: null,
  corners: 'rounded',
  layout: 'plain',
  font: 'system',
  fontUrl: null,
  coverUrl: null,
  ...more,
})

/** The colours that hold at last on a light and on a dark screen. */
function colorsOf(css: string): { light: Record<string, string>; dark: Record<string, string> } {
  const [light, dark]: Record<string, string>[] = [{}, {}]
  for (const [, scheme, body = ''] of css.matchAll(/(?:@media\(prefers-color-scheme:(\w+)\)\{)?:root\{([^}]*)\}/g))
    for (const [, name = '', value = ''] of body.matchAll(/--(\w+):([^;]+)/g)) {
      if (scheme !== 'dark' && light) light[name] = value
      if (scheme !== 'light' && dark) dark[name] = value
    }
  return { light: light ?? {}, dark: dark ?? {} }
}

const steps = [0, 0x33, 0x66, 0x99, 0xcc, 0xff]
const colors = steps.flatMap((red) =>
  steps.flatMap((green) =>
    steps.map((blue) => `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`),
  ),
)

describe('the look of a workspace', () => {
  test('can be read on every background that it may have, on light and dark screens', () => {
    const grounds = colors.filter(isGround)
    expect(grounds.length).toBeGreaterThan(60)
    expect(isGround('#808080')).toBe(false)
    for (const background of grounds)
      for (const color of [null, '#ffee00', '#0f766e', background]) {
        const { light, dark } = colorsOf(styleFor(theme({ background, color })).text)
        for (const { paper = '', ground = '', ink = '', soft = '', wrong = '', edge = '', accent = '', on = '' } of [
          light,
          dark,
        ]) {
          const seen = `${ink} ${soft} ${wrong} ${edge} ${accent} ${on} on ${paper} and ${ground}`
          for (const under of [paper, ground]) {
            for (const text of [ink, soft, wrong]) expect(contrast(text, under), seen).toBeGreaterThanOrEqual(4.5)
            for (const shape of [edge, accent]) expect(contrast(shape, under), seen).toBeGreaterThanOrEqual(3)
          }
          expect(contrast(on, accent), seen).toBeGreaterThanOrEqual(4.5)
        }
      }
  })

  test('of a light background leaves dark screens dark, and that of a dark one darkens all', () => {
    const light = colorsOf(styleFor(theme({ background: '#fff7ed' })).text)
    expect([light.light['paper'], light.dark['paper']]).toEqual(['#fff7ed', DARK.paper])
    const dark = styleFor(theme({ background: '#102030' })).text
    expect(colorsOf(dark)).toMatchObject({ light: { paper: '#102030' }, dark: { paper: '#102030' } })
    expect(dark).toContain(':root{color-scheme:dark;')
  })

  test('has the corners that it asks for', () => {
    const cornersOf = (corners: Look['corners']) =>
      [...styleFor(theme({ corners })).text.matchAll(/--r:([^;}]+)/g)].at(-1)?.[1]
    expect([cornersOf('square'), cornersOf('rounded'), cornersOf('round')]).toEqual(['0px', '.625rem', '1.5rem'])
  })

  test('of a card keeps the paper ours, whatever lies behind it', () => {
    for (const background of ['#fff7ed', '#102030']) {
      const { text } = styleFor(theme({ layout: 'card', background, color: '#ffee00' }))
      expect(text).toContain(`body{background:${background}}`)
      const { light, dark } = colorsOf(text)
      expect([light['paper'], dark['paper']]).toEqual([LIGHT.paper, DARK.paper])
      for (const { accent = '', paper = '' } of [light, dark]) expect(contrast(accent, paper)).toBeGreaterThanOrEqual(3)
    }
  })

  test('takes no byte for a layout, a cover or a font that it does not have', () => {
    const { text } = styleFor(theme({}))
    expect(text).not.toMatch(/\n\.cover|font-face|flex-direction:row\}/)
    expect(styleFor(null)).toEqual(styleFor(theme({})))
    expect(styleFor(theme({ coverUrl: '/public/assets/a.png' })).text).toContain('\n.cover{')
  })
})
