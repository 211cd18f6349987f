export const MODES = ['slide_in', 'popup', 'inline', 'button', 'full'] as const
type Mode = (typeof MODES)[number]

/** The state of the screen, as its address says it. */
export interface ShareState {
  /** How a website shows the survey. Absent: as a card that slides in. */
  mode?: Mode
}

export function readShareState({ mode }: Record<string, unknown>): ShareState {
  return MODES.includes(mode as Mode) && mode !== MODES[0] ? { mode: mode as Mode } : {}
}

/** The code that shows a survey on a website, as `docs/embed.md` explains it. */
export function snippetOf(base: string, surveyId: string, mode: Mode): string {
  const script = `<script async src="${base}/public/embed.js"`
  return mode === 'inline'
    ? `<div data-voc-survey="${surveyId}"></div>\n${script}></script>`
    : `${script}\n  data-voc-survey="${surveyId}" data-voc-mode="${mode}"></script>`
}
