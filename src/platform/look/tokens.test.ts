import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contrast } from './accent.ts'
import { DARK, LIGHT, type Tokens } from './tokens.ts'

const NAMES: Record<keyof Tokens, string> = {
  ground: 'canvas',
  paper: 'surface',
  line: 'line',
  edge: 'control',
  ink: 'text',
  soft: 'text-2',
  wrong: 'bad',
  accent: 'accent',
  on: 'on-accent',
}

test.each([
  ['light', LIGHT, ':root {'],
  ['dark', DARK, ":root[data-theme='dark'] {"],
] as const)('pages and mails have the %s colours of the console, and all can be read', (_name, tokens, selector) => {
  const style = readFileSync(new URL('../../../web/ui/tokens.css', import.meta.url), 'utf8')
  const [body = ''] = style.slice(style.indexOf(selector)).split('}')
  const inConsole = Object.entries(NAMES).map(([name, token]) => [
    name,
    new RegExp(`--${token}: (#\\w+);`).exec(body)?.[1],
  ])
  expect(Object.fromEntries(inConsole)).toEqual(tokens)
  for (const ground of [tokens.ground, tokens.paper]) {
    for (const text of [tokens.ink, tokens.soft, tokens.wrong])
      expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5)
    for (const shape of [tokens.edge, tokens.accent]) expect(contrast(shape, ground)).toBeGreaterThanOrEqual(3)
  }
  expect(contrast(tokens.on, tokens.accent)).toBeGreaterThanOrEqual(4.5)
})
