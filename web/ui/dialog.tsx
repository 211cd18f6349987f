import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

interface Props {
  title: string
  closeLabel: string
  onClose: () => void
  children: ReactNode
  footer?: ReactNode
  /** False for what must not be lost by a key: only its own button closes it. */
  closes?: boolean
  className?: string
}

/** A dialog that is open. It keeps the focus inside, and returns it when it closes. */
export function Dialog({ title, closeLabel, onClose, children, footer, closes = true, className = '' }: Props) {
  return (
    <Base.Root
      open
      disablePointerDismissal={!closes}
      onOpenChange={(_, { reason }) => {
        if (closes || reason === 'close-press') onClose()
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="scrim" />
        <Base.Popup className={`dialog ${className}`}>
          <header>
            <Base.Title>{title}</Base.Title>
            {closes && (
              <Button look="quiet" size="square" aria-label={closeLabel} onClick={onClose}>
                <Icon name="x" />
              </Button>
            )}
          </header>
          <div className="body">{children}</div>
          {footer !== undefined && <footer>{footer}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
