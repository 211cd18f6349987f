import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useLocation, useNavigate } from '@tanstack/react-router'

/** The button of a screen that begins another of what it lists. */
export function NewButton({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <Button look="primary" onClick={onPress}>
      <Icon name="plus" isSmall />
      {label}
    </Button>
  )
}

/** Whether the form of a new thing is open, which the address says, so that a command can open it. */
export function useNew(mayMake: boolean): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useAddressed('new')
  return [mayMake && isOpen, setOpen]
}

/** Whether a dialog is open, which the end of the address says, so that another screen can open it. */
export function useAddressed(name: string): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const navigate = useNavigate()
  const { hash } = useLocation()
  return [
    hash === name,
    (isOpen) => void navigate({ to: '.', search: (before) => before, hash: isOpen ? name : '', replace: !isOpen }),
  ]
}
