import { useSyncExternalStore } from 'react'

export interface Toast {
  text: string
  /** A verb that takes back what was done. */
  action?: { label: string; onPress: () => void }
  /** Takes the place of an earlier one of this name. */
  of?: string
}

const SHOWN_MS = 8_000
const listeners = new Set<() => void>()
let toasts: Array<Toast & { id: number }> = []
let next = 0
const timers = new Map<number, ReturnType<typeof setTimeout>>()

/** Shows a sentence for 8 seconds, and longer while the pointer or the focus is on one. A screen reader says it. */
export function toast(shown: Toast): void {
  const id = next++
  const earlier = toasts.filter(({ of }) => of !== undefined && of === shown.of)
  for (const each of earlier) forget(each.id)
  change([...toasts.filter((each) => !earlier.includes(each)).slice(-2), { ...shown, id }])
  dismissLater(id)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div
      className="toasts"
      role="status"
      onPointerEnter={keepAll}
      onPointerLeave={dismissAllLater}
      onFocus={keepAll}
      onBlur={dismissAllLater}
    >
      {shown.map(({ id, text, action }) => (
        <div className="toast" key={id}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              onClick={() => {
                dismiss(id)
                action.onPress()
              }}
            >
              {action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  )
}

function dismissLater(id: number): void {
  clearTimeout(timers.get(id))
  timers.set(
    id,
    setTimeout(() => dismiss(id), SHOWN_MS),
  )
}

function dismissAllLater(): void {
  for (const { id } of toasts) dismissLater(id)
}

function keepAll(): void {
  for (const timer of timers.values()) clearTimeout(timer)
  timers.clear()
}

function forget(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
}

/** The others are no longer under the pointer when one leaves. */
function dismiss(id: number): void {
  forget(id)
  change(toasts.filter((each) => each.id !== id))
  for (const each of toasts) if (!timers.has(each.id)) dismissLater(each.id)
}

function change(shown: typeof toasts): void {
  toasts = shown
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
