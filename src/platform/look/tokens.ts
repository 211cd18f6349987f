/** The colours of our pages and mails, as `web/ui/tokens.css` has them for the console. */
export interface Tokens {
  /** Behind everything. */
  ground: string
  /** Fields, cards and the paper of a mail. */
  paper: string
  line: string
  /** Borders of controls: 3 : 1. */
  edge: string
  ink: string
  soft: string
  wrong: string
  accent: string
  /** Text on the accent. */
  on: string
}

export const LIGHT = {
  ground: '#f6f5f2',
  paper: '#ffffff',
  line: '#e7e5e0',
  edge: '#8d8a82',
  ink: '#1d1c1a',
  soft: '#55534d',
  wrong: '#ae261c',
  accent: '#0b6275',
  on: '#ffffff',
} as const satisfies Tokens

export const DARK = {
  ground: '#121211',
  paper: '#191918',
  line: '#2a2a27',
  edge: '#807d75',
  ink: '#eceae5',
  soft: '#b1aea6',
  wrong: '#f2897d',
  accent: '#62b9cc',
  on: '#06252d',
} as const satisfies Tokens

/** The declarations of a palette, for a style sheet. */
export function declared(tokens: Partial<Tokens>): string {
  return Object.entries(tokens)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')
}
