export const MODES = ['slide_in', 'popup', 'inline', 'button', 'full'] as const
export type Mode = (typeof MODES)[number]

/** The state of the screen, as its address says it. */
export interface ShareState {
  /** How a website shows the survey. Absent: as a card that slides in. */
  mode?: Mode
}

export function readShareState({ mode }: Record<string, unknown>): ShareState {
  return MODES.includes(mode as Mode) && mode !== MODES[0] ? { mode: mode as Mode } : {}
}
