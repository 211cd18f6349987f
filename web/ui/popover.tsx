import { Popover as Base } from '@base-ui/react/popover'
import type { ReactNode, RefObject } from 'react'

interface Props {
  anchor: RefObject<HTMLElement | null>
  title: string
  onClose: () => void
  children: ReactNode
  /** Below the content. */
  footer?: ReactNode
  /** Beside the title. */
  end?: ReactNode
}

/** A box beside the button that opened it. The page behind it stays in use. */
export function Popover({ anchor, title, onClose, children, footer, end }: Props) {
  return (
    <Base.Root
      open
      onOpenChange={(_, details) => {
        // The button that it belongs to closes it by itself.
        if (anchor.current?.contains(details.event.target as Node) !== true) onClose()
      }}
    >
      <Base.Portal>
        <Base.Positioner anchor={anchor} sideOffset={6} align="start" style={{ zIndex: 45 }}>
          <Base.Popup className="popover" finalFocus={() => anchor.current?.querySelector('button')}>
            <header>
              <Base.Title>{title}</Base.Title>
              {end}
            </header>
            <div className="body">{children}</div>
            {footer !== undefined && <footer>{footer}</footer>}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
