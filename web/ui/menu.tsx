import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import type { MenuGroup } from './menu-popup.tsx'

interface Props {
  children: ReactNode
  label?: string
  groups: MenuGroup[]
  look?: 'plain' | 'quiet'
  size?: 'usual' | 'square'
  className?: string
}

const load = () => import('./menu-popup.tsx')
const Popup = lazy(() => load().then(({ MenuPopup }) => ({ default: MenuPopup })))

/** A button with a menu. The menu's code loads when somebody is about to open it. */
export function Menu({ children, label, groups, look = 'quiet', size = 'usual', className }: Props) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLSpanElement>(null)
  return (
    <span ref={button}>
      <Button
        look={look}
        size={size}
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
        onClick={() => setOpen((isNow) => !isNow)}
      >
        {children}
      </Button>
      {isOpen && (
        <Suspense>
          <Popup anchor={button} groups={groups} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </span>
  )
}
