import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Me } from '../app/me.ts'
import { queries } from '../session/api.ts'
import { ENTRIES } from '../app/screens.ts'

interface Actions {
  onPalette: () => void
  onList: () => void
}

const SEQUENCE_MS = 900

export function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}

/** Whether single letters act. People who speak to their computer switch them off. */
export function hasSingleKeys(me: Me | undefined): boolean {
  return me?.user?.preferences['single_keys'] !== false
}

/** True while the caller types, or something open has the keys. */
export function isTyping(target: EventTarget | null): boolean {
  const element = target instanceof HTMLElement ? target : null
  return (
    element?.isContentEditable === true ||
    element?.matches('input:not([type=checkbox]):not([type=radio]), textarea, select') === true ||
    document.querySelector('[role=dialog], [role=menu]') !== null
  )
}

/** Whether a key is pressed alone, as an act on the screen. */
export function isAct(event: KeyboardEvent): boolean {
  if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return false
  return event.key.length > 1 || hasSingleKeys(queries.getQueryData<Me>(['me']))
}

/** The keys that work on every screen. */
export function useShortcuts({ onPalette, onList }: Actions): void {
  const navigate = useNavigate()
  const beganAt = useRef(-Infinity)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        return onPalette()
      }
      if (!isAct(event)) return
      const isSecond = event.timeStamp - beganAt.current < SEQUENCE_MS
      beganAt.current = -Infinity
      if (isSecond) {
        const entry = ENTRIES.find(({ key }) => key === event.key)
        if (!entry) return
        // The letter means something else on some screens.
        event.stopPropagation()
        void navigate({ to: entry.path })
      } else if (event.key === 'g') beganAt.current = event.timeStamp
      else if (event.key === '?') onList()
      else if (event.key === '/') {
        event.preventDefault()
        document.querySelector<HTMLInputElement>('main input[type=search]')?.focus()
      }
    }
    addEventListener('keydown', press, true)
    return () => removeEventListener('keydown', press, true)
  }, [navigate, onPalette, onList])
}
