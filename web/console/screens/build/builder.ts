import { ApiProblem, type Schemas } from '../../../api/client.ts'
import { publishChecks } from '../../../../src/survey-engine/checks/publish-checks.ts'
import { api } from '../../session/api.ts'
import { keepDraft, readLocalDraft } from './local-drafts.ts'
import { definitionOf, draftOf, type Draft, type Patch } from './model/draft.ts'
import { emptyHistory, redo, remember, undo } from './model/history.ts'
import { placeIssues, type Issue, type Problem } from './model/problems.ts'
import { createSaver, restore, type Answer, type Saver, type SavingState, type Stored } from './model/saver.ts'

export type Survey = Schemas['Survey']
/** Of the survey as the server has it. */
export type Head = Pick<Survey, 'id' | 'state' | 'version' | 'unpublished_changes' | 'published_at'>

export interface State {
  draft: Draft
  head: Head
  saving: SavingState
  problems: Problem[]
  canUndo: boolean
  canRedo: boolean
  /** Another one with each save: the preview shows the draft again. */
  revision: string
  /** A sentence for those who do not see what an act did. */
  said: string
}

export interface Builder {
  id: string
  get(): State
  subscribe(listener: () => void): () => void
  /** @param key names what changes, so that letters typed one after the other are one step of undo */
  edit(change: (draft: Draft) => Draft, key?: string): void
  undo(): void
  redo(): void
  say(sentence: string): void
  saver: Saver
  /** The question that was just added: its editor takes the focus. */
  added: string | null
  /** The server's answer to publishing and its like. */
  adopt(survey: Survey, etag: string): void
  stop(): void
}

const CHECK_AFTER_MS = 300
const SLICE_MS = 8

/** The draft of one survey while somebody edits it. It saves itself, checks itself, and remembers each step. */
export function createBuilder(survey: Survey, etag: string, mayEdit: boolean): Builder {
  const { id } = survey
  const now: Stored = { draft: draftOf(survey), etag }
  const listeners = new Set<() => void>()
  let history = emptyHistory<Draft>()
  let local: Issue[] = []
  let server: Issue[] = []
  let checking: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  let state: State = {
    draft: now.draft,
    head: survey,
    saving: 'saved',
    problems: [],
    canUndo: false,
    canRedo: false,
    revision: etag,
    said: '',
  }

  const saver = createSaver(now, {
    send: (patch, tag) => send(id, patch, tag, (head) => set({ head })),
    keep: (kept) => keepDraft(id, kept),
    onChange: () => {
      if (saver.draft !== state.draft) take(saver.draft)
      const isNew = saver.stored.etag !== state.revision
      set({ saving: saver.state, revision: saver.stored.etag })
      if (saver.state === 'refused') server = saver.refusal?.issues ?? []
      if (saver.state === 'refused') showProblems()
      if (isNew && saver.state === 'saved') void askServer()
    },
    after: (ms, act) => {
      const timer = setTimeout(act, ms)
      return () => clearTimeout(timer)
    },
  })

  function set(change: Partial<State>): void {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  function take(draft: Draft): void {
    state = { ...state, draft, canUndo: history.past.length > 0, canRedo: history.future.length > 0 }
    // The server spoke of an earlier draft.
    server = []
    checkSoon()
  }

  function change(draft: Draft): void {
    take(draft)
    saver.change(draft)
    set({})
  }

  function checkSoon(): void {
    clearTimeout(checking)
    checking = setTimeout(check, CHECK_AFTER_MS)
  }

  /** In slices: a large survey takes longer than a keystroke may wait. */
  function check(): void {
    const { draft } = state
    const steps = publishChecks(definitionOf(draft))
    const go = () => {
      if (isStopped || draft !== state.draft) return
      const until = performance.now() + SLICE_MS
      do {
        const { done, value } = steps.next()
        if (!done) continue
        local = value
        return showProblems()
      } while (performance.now() < until)
      setTimeout(go)
    }
    go()
  }

  function showProblems(): void {
    const known = new Set(local.map(({ path, message }) => `${path} ${message}`))
    const more = server.filter(({ path, message }) => !known.has(`${path} ${message}`))
    set({ problems: placeIssues([...local, ...more], state.draft) })
  }

  async function askServer(): Promise<void> {
    const { draft } = state
    const { data } = await api
      .POST('/v1/surveys/{id}/validate', { params: { path: { id } } })
      .catch(() => ({ data: undefined }))
    if (!data || isStopped || draft !== state.draft) return
    server = data.issues
    showProblems()
  }

  const online = () => void saver.flush()
  const hidden = () => document.visibilityState === 'hidden' && void saver.flush()
  addEventListener('online', online)
  document.addEventListener('visibilitychange', hidden)

  const builder: Builder = {
    id,
    saver,
    added: null,
    get: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    edit(edit, key) {
      const draft = edit(state.draft)
      if (draft === state.draft) return
      history = remember(history, state.draft, key ?? null, performance.now())
      change(draft)
    },
    undo: () => step(undo),
    redo: () => step(redo),
    say: (said) => set({ said }),
    adopt(next, tag) {
      saver.renew(tag)
      set({ head: next, revision: tag })
      void askServer()
    },
    stop() {
      isStopped = true
      removeEventListener('online', online)
      document.removeEventListener('visibilitychange', hidden)
      clearTimeout(checking)
      // Changes that are not saved yet go now. This device keeps them until they have arrived.
      void saver.flush().finally(() => saver.stop())
    },
  }

  function step(take: typeof undo): void {
    const result = take(history, state.draft)
    if (!result) return
    history = result[0]
    change(result[1])
  }

  const kept = mayEdit ? readLocalDraft(id) : null
  if (kept) {
    const { draft, isStale } = restore(kept, now)
    if (isStale) saver.resume(kept.base, draft)
    else saver.change(draft)
    take(saver.draft)
  }
  checkSoon()
  void askServer()
  return builder
}

async function send(id: string, patch: Patch, etag: string, onHead: (head: Head) => void): Promise<Answer> {
  try {
    const { data, error, response } = await api.PATCH('/v1/surveys/{id}', {
      params: { path: { id }, header: { 'if-match': etag } },
      body: patch as never,
    })
    if (data) {
      onHead(data)
      return { kind: 'saved', stored: storedOf(data, response) }
    }
    const { status } = response
    if (status === 412) {
      const read = await api.GET('/v1/surveys/{id}', { params: { path: { id } } })
      return read.data ? { kind: 'stale', stored: storedOf(read.data, read.response) } : { kind: 'failed' }
    }
    if (status >= 500 || status === 429 || status === 401) return { kind: 'failed' }
    const problem = new ApiProblem(status, (error ?? {}) as Partial<Schemas['Problem']>)
    return { kind: 'refused', reason: problem.message, issues: problem.issues }
  } catch {
    return { kind: 'failed' }
  }
}

function storedOf(survey: Survey, response: Response): Stored {
  return { draft: draftOf(survey), etag: response.headers.get('etag') ?? '*' }
}
