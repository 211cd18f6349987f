/** The colour of a state. */
export type Tone = 'ok' | 'bad' | 'warn' | 'running' | 'plain'

/** The sign beside the colour, for those who do not see it. */
export const TONE_ICONS: Record<Tone, string> = {
  ok: 'circle-check',
  bad: 'circle-x',
  warn: 'triangle-alert',
  running: 'circle-dashed',
  plain: 'circle',
}
