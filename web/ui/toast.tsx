import { useSyncExternalStore } from 'react'

export interface Toast {
  text: string
  /** A verb that takes back what was done. */
  action?: { label: string; onPress: () => void }
}

const SHOWN_MS = 8_000
const listeners = new Set<() => void>()
let toasts: Array<Toast & { id: number }> = []
let next = 0

/** Shows a sentence for 8 seconds. A screen reader says it. */
export function toast(shown: Toast): void {
  const id = next++
  change([...toasts.slice(-2), { ...shown, id }])
  setTimeout(() => dismiss(id), SHOWN_MS)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className="toasts" role="status">
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

function dismiss(id: number): void {
  change(toasts.filter((each) => each.id !== id))
}

function change(shown: typeof toasts): void {
  toasts = shown
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
