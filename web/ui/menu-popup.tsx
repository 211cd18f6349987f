import { Menu as Base } from '@base-ui/react/menu'
import type { ReactNode, RefObject } from 'react'
import { Icon } from './icon.tsx'

export interface MenuItem {
  label: ReactNode
  icon?: string
  onChoose: () => void
  isDisabled?: boolean
  /** A choice among others shows whether it is the present one. */
  isChosen?: boolean
}
export interface MenuGroup {
  title?: string
  items: MenuItem[]
}

interface Props {
  anchor: RefObject<HTMLElement | null>
  groups: MenuGroup[]
  onClose: () => void
}

export function MenuPopup({ anchor, groups, onClose }: Props) {
  return (
    <Base.Root
      open
      modal={false}
      onOpenChange={(_, details) => {
        // The button that the menu belongs to closes it by itself.
        if (anchor.current?.contains(details.event.target as Node) !== true) onClose()
      }}
    >
      <Base.Portal>
        <Base.Positioner anchor={anchor} sideOffset={4} align="start" style={{ zIndex: 45 }}>
          <Base.Popup className="menu" finalFocus={() => anchor.current?.querySelector('button')}>
            {groups.map(({ title, items }, at) => (
              <Base.Group key={title ?? at}>
                {at > 0 && <hr />}
                {title !== undefined && <Base.GroupLabel render={<h3 />}>{title}</Base.GroupLabel>}
                {items.map(({ label, icon, onChoose, isDisabled, isChosen }, place) => (
                  <Base.Item
                    key={place}
                    disabled={isDisabled}
                    onClick={() => {
                      onClose()
                      onChoose()
                    }}
                    aria-current={isChosen === true ? 'true' : undefined}
                  >
                    {icon !== undefined && <Icon name={icon} />}
                    <span className="grow">{label}</span>
                    {isChosen === true && <Icon name="check" isSmall />}
                  </Base.Item>
                ))}
              </Base.Group>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
