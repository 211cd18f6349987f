import { useSyncExternalStore } from 'react'

/** Signed out without an end means that nobody signed in here yet. */
export type Session =
  | { status: 'asking' }
  | { status: 'out'; ended: 'elsewhere' | 'here' | null }
  | { status: 'in'; token: string }

type Message = { type: 'ask' } | { type: 'in'; token: string } | { type: 'out' }

const KEY = 'earshot.session'
const ANSWER_MS = 150
const listeners = new Set<() => void>()
const tabs = new BroadcastChannel('earshot')
let session: Session = { status: 'asking' }

/** Takes the session of this tab, else that of another tab, which answers within 150 ms. */
export function startSession(): void {
  tabs.onmessage = ({ data }: MessageEvent<Message>) => listen(data)
  const token = sessionStorage.getItem(KEY)
  if (token !== null) return change({ status: 'in', token })
  tabs.postMessage({ type: 'ask' } satisfies Message)
  setTimeout(() => {
    if (session.status === 'asking') change({ status: 'out', ended: null })
  }, ANSWER_MS)
}

export function beginSession(token: string): void {
  change({ status: 'in', token })
  tabs.postMessage({ type: 'in', token } satisfies Message)
}

/** Forgets the session in all tabs. */
export function endSession(ended: 'elsewhere' | 'here'): void {
  if (session.status !== 'in') return
  change({ status: 'out', ended })
  tabs.postMessage({ type: 'out' } satisfies Message)
}

export function presentSession(): Session {
  return session
}

export function onSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useSession(): Session {
  return useSyncExternalStore(onSession, presentSession)
}

function listen(message: Message): void {
  if (message.type === 'ask' && session.status === 'in')
    tabs.postMessage({ type: 'in', token: session.token } satisfies Message)
  if (message.type === 'in' && (session.status !== 'in' || session.token !== message.token))
    change({ status: 'in', token: message.token })
  if (message.type === 'out' && session.status === 'in') change({ status: 'out', ended: 'elsewhere' })
}

function change(next: Session): void {
  session = next
  if (next.status === 'in') sessionStorage.setItem(KEY, next.token)
  else sessionStorage.removeItem(KEY)
  for (const listener of listeners) listener()
}
