import type { LocalDraft } from './model/saver.ts'

const PREFIX = 'earshot.draft.'
// Writing takes a millisecond or two for a large survey.
const PAUSE_MS = 150

let waiting = new Map<string, LocalDraft>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Keeps a change on this device until the server has it. Null forgets it. */
export function keepDraft(surveyId: string, kept: LocalDraft | null): void {
  if (kept === null) {
    waiting.delete(surveyId)
    return attempt(() => localStorage.removeItem(PREFIX + surveyId))
  }
  waiting.set(surveyId, kept)
  timer ??= setTimeout(write, PAUSE_MS)
}

export function readLocalDraft(surveyId: string): LocalDraft | null {
  let text: string | null = null
  attempt(() => (text = localStorage.getItem(PREFIX + surveyId)))
  try {
    return text === null ? null : (JSON.parse(text) as LocalDraft)
  } catch {
    return null
  }
}

function write(): void {
  clearTimeout(timer)
  timer = undefined
  const all = waiting
  waiting = new Map()
  for (const [id, kept] of all) attempt(() => localStorage.setItem(PREFIX + id, JSON.stringify(kept)))
}

// A browser may refuse storage. Then a change lives as long as its page.
function attempt(act: () => void): void {
  try {
    act()
  } catch {
    // Nothing is kept.
  }
}

addEventListener('pagehide', write)
