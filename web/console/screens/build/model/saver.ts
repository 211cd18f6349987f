import { changedMembers, isSame, patchOf, type Draft, type Member, type Patch } from './draft.ts'
import { rebase } from './merge.ts'

/** A draft with the revision of the server that it was read from. */
export interface Stored {
  draft: Draft
  etag: string
}

/** How the server answers a change. */
export type Answer =
  | { kind: 'saved'; stored: Stored }
  /** Somebody else saved since. */
  | { kind: 'stale'; stored: Stored }
  | { kind: 'refused'; reason: string; issues: Array<{ path: string; message: string }> }
  /** No answer, or one of a server that is in trouble: it is tried again. */
  | { kind: 'failed' }

export type SavingState = 'saved' | 'saving' | 'kept' | 'refused' | 'conflict'

/** A change that the server does not have yet, as this device keeps it. */
export interface LocalDraft {
  base: Stored
  changes: Patch
}

interface Parts {
  send(patch: Patch, etag: string): Promise<Answer>
  /** Keeps what is not saved yet on this device; null forgets it. */
  keep(kept: LocalDraft | null): void
  onChange(): void
  after(ms: number, act: () => void): () => void
}

const PAUSE_MS = 800
const RETRY_MS = [1_000, 2_000, 4_000, 8_000, 15_000]

export interface Saver {
  readonly state: SavingState
  readonly stored: Stored
  /** With what this device has changed. */
  readonly draft: Draft
  /** The draft that somebody else saved, while the state is `conflict`. */
  readonly theirs: Stored | null
  readonly refusal: { reason: string; issues: Array<{ path: string; message: string }> } | null
  /** The draft is now this one. It is sent 0.8 s after the last change. */
  change(draft: Draft): void
  /** Sends at once what waits, such as before publishing. True if the server then has everything. */
  flush(): Promise<boolean>
  /** Takes theirs; gives the draft that this makes. */
  takeTheirs(): Draft
  /** Makes my changes again on theirs, and sends them. */
  writeMine(): Draft
  /** Goes on with a draft that this device kept while somebody else saved. */
  resume(base: Stored, mine: Draft): void
  /** The revision has changed, and the draft has not: such as after publishing. */
  renew(etag: string): void
  stop(): void
}

/** Saves a draft by itself: one request at a time, and never without the newest change. */
export function createSaver(start: Stored, { send, keep, onChange, after }: Parts): Saver {
  let stored = start
  let draft = start.draft
  let state: SavingState = 'saved'
  let theirs: Stored | null = null
  let refusal: Saver['refusal'] = null
  let sending: Promise<void> | null = null
  let cancel: (() => void) | null = null
  let tries = 0
  /** Sent, and never answered. */
  let lost: Draft[] = []
  let isStopped = false

  function show(next: SavingState): void {
    state = next
    onChange()
  }

  function wait(ms: number): void {
    cancel?.()
    cancel = isStopped ? null : after(ms, () => void sendNow())
  }

  // A running request changes it.
  function readState(): SavingState {
    return state
  }

  function isDirty(): boolean {
    return changedMembers(stored.draft, draft).length > 0
  }

  function sendNow(): Promise<void> {
    cancel?.()
    cancel = null
    sending ??= exchange().finally(() => void (sending = null))
    return sending
  }

  async function exchange(): Promise<void> {
    const sent = draft
    const patch = patchOf(stored.draft, sent)
    if (Object.keys(patch).length === 0) {
      keep(null)
      return show('saved')
    }
    if (state !== 'kept') show('saving')
    const answer = await send(patch, stored.etag)
    if (isStopped) return
    if (answer.kind === 'failed') {
      lost.push(sent)
      show('kept')
      return wait(RETRY_MS[Math.min(tries++, RETRY_MS.length - 1)] ?? 0)
    }
    tries = 0
    if (answer.kind === 'refused') {
      refusal = answer
      return show('refused')
    }
    refusal = null
    if (answer.kind === 'stale') {
      // Our change may have arrived before its answer was lost.
      const arrived = [sent, ...lost.toReversed()].find((each) =>
        holds(answer.stored.draft, patchOf(stored.draft, each)),
      )
      lost = []
      if (arrived) return settle(answer, arrived)
      theirs = answer.stored
      return show('conflict')
    }
    lost = []
    settle(answer, sent)
  }

  /** A change that was sent counts as stored, even if the server wrote it in another way: a person may be typing it. */
  function settle({ kind, stored: next }: Exclude<Answer, { kind: 'refused' | 'failed' }>, sent: Draft): void {
    if (kind === 'stale') {
      draft = rebase(sent, draft, next.draft)
      stored = next
    } else stored = { draft: sent, etag: next.etag }
    keepIt()
    if (!isDirty()) return show('saved')
    show('saving')
    wait(PAUSE_MS)
  }

  function keepIt(): void {
    keep(isDirty() ? keptNow() : null)
  }

  function keptNow(): LocalDraft {
    return { base: stored, changes: patchOf(stored.draft, draft) }
  }

  return {
    get state() {
      return state
    },
    get stored() {
      return stored
    },
    get draft() {
      return draft
    },
    get theirs() {
      return theirs
    },
    get refusal() {
      return refusal
    },
    change(next) {
      draft = next
      keepIt()
      if (state === 'conflict') return
      if (state !== 'kept') show('saving')
      wait(PAUSE_MS)
    },
    async flush() {
      if (state === 'conflict') return false
      do await sendNow()
      while (isDirty() && readState() === 'saving')
      return !isDirty()
    },
    takeTheirs() {
      if (theirs) stored = theirs
      theirs = null
      draft = stored.draft
      keep(null)
      show('saved')
      return draft
    },
    writeMine() {
      if (!theirs) return draft
      draft = rebase(stored.draft, draft, theirs.draft)
      stored = theirs
      theirs = null
      keep(keptNow())
      show('saving')
      wait(0)
      return draft
    },
    resume(base, mine) {
      theirs = stored
      stored = base
      draft = mine
      show('conflict')
    },
    renew(etag) {
      stored = { ...stored, etag }
    },
    stop() {
      isStopped = true
      cancel?.()
    },
  }
}

/** Whether what the server has now is what we asked for. It trims a name. */
function holds(present: Draft, patch: Patch): boolean {
  const plain = (value: unknown) => (typeof value === 'string' ? value.trim() : (value ?? null))
  return Object.entries(patch).every(([name, value]) => isSame(plain(present[name as Member]), plain(value)))
}

const NULLABLE: ReadonlySet<string> = new Set(['metric', 'starts_at', 'closes_at', 'response_limit'])

/** The draft that this device kept. It is stale if somebody else saved since. */
export function restore({ base, changes }: LocalDraft, now: Stored): { draft: Draft; isStale: boolean } {
  const gone = Object.entries(changes).filter(([name, value]) => value === null && !NULLABLE.has(name))
  const mine: Record<string, unknown> = { ...base.draft, ...changes }
  for (const [name] of gone) delete mine[name]
  return { draft: mine as unknown as Draft, isStale: base.etag !== now.etag && !holds(now.draft, changes) }
}
