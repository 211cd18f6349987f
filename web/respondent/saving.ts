import type { AnswerValues, CustomData } from '../../src/survey-engine/model/definition.ts'
import { readStored, store, storedNames } from '../ui/storage.ts'
import { hiddenValue, setHidden, type PageData } from './page.ts'
import { createProver } from './proving.ts'

/** The part of an unfinished response that a browser keeps. */
export interface LocalCopy {
  version: number
  begun: string | undefined
  token: string | undefined
  /** The id of the response. Tokens of the same response differ. */
  response: string | undefined
  /** The token of the link, because another link is another respondent. */
  link: string | undefined
  /** The custom fields of the link, because another order is another response. */
  linked: CustomData
  /** The person at the website that frames the page. */
  visitor: string | undefined
  digest: string | undefined
  values: AnswerValues
  /** The answers that the server has, as JSON by question. */
  known: Record<string, string>
  /** Questions whose answers the server does not have yet. */
  unsent: string[]
  visited: string[]
  at: string | null
  /** The person has sent the response off. */
  completed: boolean
  keptAt: number
}

interface Said {
  /** As they were typed, those to questions that are no longer asked too. */
  answers: Record<string, unknown>
  values: AnswerValues
}

/** The answers at one moment, to be sent. */
export interface Snapshot extends Said {
  visited: string[]
  at: string | null
  completed: boolean
}

/** `waiting`: the answers could not be sent, and are tried again. */
export type SavingState = 'saving' | 'saved' | 'waiting'

interface Listener {
  onState(state: SavingState): void
  onFinished(snapshot: Snapshot): void
  /** The server does not take the response. The form says why. */
  onRefused(): void
}

export interface Saver {
  /** Goes on with a response of this browser. */
  adopt(kept: LocalCopy): void
  /** Says what the server has, so that only changes are sent. */
  know(said: Said): void
  save(snapshot: Snapshot): void
  /** Keeps the answers in this browser without sending them. */
  keep(snapshot: Snapshot): void
  retry(): void
  token(): string | undefined
  /** Begins what the first save needs, as soon as the person touches the page. */
  prepare(): void
}

const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 60_000
const KEPT_MS = 30 * 86_400_000
const CHANNELS = ['web', 'embed', 'link', 'qr', 'api']
const UNFINISHED = ['started', 'partial']

/** The unfinished response of this browser, if it belongs to this page. */
export function findLocalCopy(data: PageData, form: HTMLFormElement): LocalCopy | null {
  const { visitor, digest } = data.person ?? {}
  if (visitor) forgetOthers(visitor)
  const kept = readStored<LocalCopy>(data.survey)
  if (!kept || kept.version !== data.version || Date.now() - kept.keptAt > KEPT_MS) return null
  if (kept.visitor !== visitor || kept.digest !== digest) return null
  if (data.response !== undefined) return kept.response === data.response ? kept : null
  if (kept.link !== hiddenValue(form, '_token')) return null
  const isOfLink = Object.entries(data.linked ?? {}).every(([name, value]) => kept.linked?.[name] === value)
  return isOfLink ? kept : null
}

/** Removes what an earlier person left in any survey, also in one that is closed by now. */
function forgetOthers(visitor: string): void {
  for (const name of storedNames()) {
    const owner = readStored<Partial<LocalCopy>>(name)?.visitor
    if (owner && owner !== visitor) store(name, undefined)
  }
}

/**
 * Sends answers one request at a time, the newest only, until the server has them. It sends what has changed here, so
 * that a page with old answers takes nothing back that was said on another device.
 */
export function createSaver(data: PageData, form: HTMLFormElement, listener: Listener): Saver {
  const { survey, version } = data
  const prove = createProver(data, form)
  let newest: Snapshot | null = null
  let isSending = false
  let waitMs = FIRST_WAIT_MS
  let timer: ReturnType<typeof setTimeout> | undefined
  let known: Record<string, string> = {}

  const token = () => hiddenValue(form, '_response')
  const changed = ({ answers, values }: Said) =>
    Object.entries(answers).filter(
      ([id, value]) => known[id] !== (Object.hasOwn(values, id) ? jsonOf(value) : undefined),
    )
  // The server drops the answers to questions that are no longer asked, so they are sent again if they are asked again.
  const know = ({ answers, values }: Said) => {
    // A preview remembers nothing, and a change of a completed response is sent as a whole.
    if (data.mode !== 'answer') return
    const taken = Object.entries(answers).filter(([id]) => Object.hasOwn(values, id))
    known = Object.fromEntries(taken.map(([id, value]) => [id, jsonOf(value)]))
  }
  const adopt = (kept: LocalCopy) => {
    if (token() !== undefined) return
    if (kept.begun !== undefined) setHidden(form, '_begun', kept.begun)
    if (kept.token !== undefined) setHidden(form, '_response', kept.token)
    known = { ...kept.known }
    data.response = kept.response
    data.linked = { ...kept.linked, ...data.linked }
  }
  const keep = (snapshot: Snapshot) => {
    if (data.mode !== 'answer') return
    adoptOtherTab()
    const [begun, link] = [hiddenValue(form, '_begun'), hiddenValue(form, '_token')]
    const { visitor, digest } = data.person ?? {}
    const mine = {
      version,
      begun,
      token: token(),
      response: data.response,
      link,
      linked: data.linked ?? {},
      visitor,
      digest,
    }
    const { values, visited, at, completed } = snapshot
    const unsent = changed(snapshot).map(([id]) => id)
    store(survey, { ...mine, values, known, unsent, visited, at, completed, keptAt: Date.now() } satisfies LocalCopy)
  }

  async function send(): Promise<void> {
    if (isSending || newest === null) return
    const snapshot = newest
    isSending = true
    clearTimeout(timer)
    listener.onState('saving')
    const answer = await request(snapshot).catch(() => null)
    isSending = false
    if (answer === null || answer.status === 429 || answer.status >= 500) return wait()
    if (!answer.ok) {
      store(survey, undefined)
      return listener.onRefused()
    }
    const receipt = (await answer.json().catch(() => null)) as Receipt | null
    if (receipt === null) return wait()
    waitMs = FIRST_WAIT_MS
    setHidden(form, '_response', receipt.token)
    data.response = receipt.id
    know(snapshot)
    if (newest === snapshot) newest = null
    if (snapshot.completed || !(UNFINISHED.includes(receipt.state) || receipt.state === 'quarantined')) {
      store(survey, undefined)
      return listener.onFinished(snapshot)
    }
    keep(newest ?? snapshot)
    listener.onState('saved')
    return send()
  }

  function wait(): void {
    listener.onState('waiting')
    timer = setTimeout(() => void send(), waitMs)
    waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)
  }

  // Another tab has begun the same survey: both continue one response. Its answers are not in this form, so they are no
  // answers that were taken back here.
  function adoptOtherTab(): void {
    const other = token() === undefined ? findLocalCopy(data, form) : null
    if (other?.begun !== undefined) adopt({ ...other, known: {} })
  }

  async function request(snapshot: Snapshot): Promise<Response> {
    const { visited, completed } = snapshot
    const token = hiddenValue(form, '_response')
    const page = { website: form.querySelector<HTMLInputElement>('[name=_website]')?.value }
    // The website may say only later who answers. A completed response keeps what it has.
    const custom_data = data.mode === 'answer' ? data.custom_data : {}
    const body = {
      answers: Object.fromEntries(changed(snapshot)),
      custom_data,
      completed,
      language: data.language,
      seen: visited,
      page,
    }
    const first = token === undefined && firstMembers(form, { ...page, proof: await prove() })
    return fetch(token === undefined ? `/public/surveys/${survey}/responses` : `/public/responses/${token}`, {
      method: token === undefined ? 'POST' : 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, ...first }),
    })
  }

  addEventListener('online', () => void send())
  return {
    adopt,
    know,
    save(snapshot) {
      newest = data.mode === 'answer' || snapshot.completed ? snapshot : null
      keep(snapshot)
      // A change of a completed response is sent at its end, so that nobody sees half of it.
      if (data.mode === 'answer' || snapshot.completed) void send()
    },
    keep,
    retry: () => void send(),
    prepare: () => void (token() === undefined && prove()),
    token,
  }
}

interface Receipt {
  id: string
  token: string
  state: string
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value)
}

function firstMembers(form: HTMLFormElement, page: object): object {
  const channel = hiddenValue(form, '_channel')
  return {
    channel: channel !== undefined && CHANNELS.includes(channel) ? channel : 'web',
    token: hiddenValue(form, '_token'),
    device: hiddenValue(form, '_device'),
    page: { ...page, begun: hiddenValue(form, '_begun') },
  }
}
