import type { Mode } from './state.ts'

/** The code that shows a survey on a website, as `docs/embed.md` explains it. */
export function snippetOf(base: string, surveyId: string, mode: Mode): string {
  const script = `<script async src="${base}/public/embed.js"`
  return mode === 'inline'
    ? `<div data-voc-survey="${surveyId}"></div>\n${script}></script>`
    : `${script}\n  data-voc-survey="${surveyId}" data-voc-mode="${mode}"></script>`
}
