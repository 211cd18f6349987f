import { createParser } from 'eventsource-parser'
import { useEffect, useSyncExternalStore } from 'react'
import { endSession, presentSession } from '../session/session.ts'
import { TOPIC_NAMES, TOPICS, type Topic } from '../../../src/platform/topics.ts'
import type { Me } from './me.ts'
import { queries } from '../session/api.ts'

// One stream for all tabs of a browser: the tab that holds the lock reads it, and passes on what it says.

type Said = { topic: Topic } | { reset: true } | { alive: boolean }

const LOCK = 'earshot.stream'
// The server writes at least each 15 s. A proxy that collects events would be silent.
const SILENT_MS = 20_000
const AGAIN_MS = [1_000, 5_000, 30_000]
// A list is read again at most once a second, the figures of endpoints each 5 s.
const LIST_MS = 1_000
const FIGURES_MS = 5_000

/** The beginnings of query keys that a topic makes stale, besides its own name. */
const SINGULAR: Partial<Record<Topic, string[]>> = {
  surveys: ['survey'],
  responses: ['response'],
  alerts: ['alert'],
  leads: ['lead'],
  people: ['person'],
  invitations: ['invitation'],
  deliveries: ['delivery', 'received'],
  exports: ['export'],
  batches: ['batch'],
}
const FIGURES: Partial<Record<Topic, string[]>> = {
  responses: ['home', 'results'],
  deliveries: ['webhooks', 'webhook-health', 'delivery-counts'],
}

const tabs = new BroadcastChannel(LOCK)
const listeners = new Set<() => void>()
const planned = new Set<string>()
let isAlive = false

/** Whether a stream says what changes. Without one, lists look again by themselves. */
export function useLive(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isAlive,
  )
}

/** A `refetchInterval` for what the stream does not bring. */
export function unlessLive(ms: number): () => number | false {
  return () => (isAlive ? false : ms)
}

/** Follows the stream of this browser as long as the person is signed in. */
export function useStream(me: Me): void {
  const topics = TOPIC_NAMES.filter((topic) => TOPICS[topic] === null || me.permissions.includes(TOPICS[topic]))
  const asked = topics.join(',')
  useEffect(() => {
    const stopping = new AbortController()
    const { signal } = stopping
    tabs.addEventListener('message', ({ data }: MessageEvent<Said>) => take(data), { signal })
    void navigator.locks.request(LOCK, { signal }, () => lead(asked, signal)).catch(() => {})
    return () => {
      stopping.abort()
      take({ alive: false })
    }
  }, [asked])
}

async function lead(topics: string, signal: AbortSignal): Promise<void> {
  let lastEventId: string | null = null
  for (let failures = 0; !signal.aborted; failures++) {
    const silence = new AbortController()
    let timer = setTimeout(() => silence.abort(), SILENT_MS)
    let isOver = false
    const heard = () => {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), SILENT_MS)
      failures = 0
      say({ alive: true })
    }
    const parser = createParser({
      onComment: heard,
      onEvent({ id, event = '', data }) {
        heard()
        if (id !== undefined) lastEventId = id
        if (event === 'reset') say({ reset: true })
        else if (event !== 'end') say({ topic: event as Topic })
        else if ((JSON.parse(data) as { reason: string }).reason === 'session_ended') {
          isOver = true
          endSession('elsewhere')
        }
      },
    })
    try {
      await read(`/v1/stream?topics=${topics}`, lastEventId, AbortSignal.any([signal, silence.signal]), parser.feed)
    } catch {
      // The next try says whether it is gone for good.
    }
    clearTimeout(timer)
    say({ alive: false })
    if (isOver) return
    // Nobody knows the changes before the first event of a stream that broke.
    if (lastEventId === null && failures === 0) say({ reset: true })
    await new Promise((resume) => setTimeout(resume, AGAIN_MS[Math.min(failures, AGAIN_MS.length - 1)]))
  }
}

async function read(path: string, lastEventId: string | null, signal: AbortSignal, feed: (text: string) => void) {
  const session = presentSession()
  if (session.status !== 'in') return
  const answer = await fetch(path, {
    signal,
    headers: {
      authorization: `Bearer ${session.token}`,
      ...(lastEventId !== null && { 'last-event-id': lastEventId }),
    },
  })
  if (!answer.ok || answer.body === null) throw new Error(String(answer.status))
  for await (const text of answer.body.pipeThrough(new TextDecoderStream())) feed(text)
}

function say(said: Said): void {
  take(said)
  tabs.postMessage(said)
}

function take(said: Said): void {
  if ('alive' in said) {
    if (said.alive === isAlive) return
    isAlive = said.alive
    for (const listener of listeners) listener()
  } else if ('reset' in said) void queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => isNamed(name) })
  else {
    plan([said.topic, ...(SINGULAR[said.topic] ?? [])], LIST_MS)
    plan(FIGURES[said.topic] ?? [], FIGURES_MS)
  }
}

const NAMES = new Set<string>([...TOPIC_NAMES, ...Object.values(SINGULAR).flat(), ...Object.values(FIGURES).flat()])

function isNamed(name: unknown): boolean {
  return NAMES.has(String(name))
}

function plan(names: string[], afterMs: number): void {
  for (const name of names) {
    if (planned.has(name)) continue
    const refresh = () => {
      planned.delete(name)
      void queries.invalidateQueries({ predicate: ({ queryKey, meta }) => queryKey[0] === name && !meta?.['isHeld'] })
    }
    planned.add(name)
    setTimeout(refresh, afterMs)
  }
}
