import { useLocation, useNavigate } from '@tanstack/react-router'

/** Whether the form of a new thing is open, which the address says, so that a command can open it. */
export function useNew(mayMake: boolean): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const navigate = useNavigate()
  const { hash } = useLocation()
  return [
    mayMake && hash === 'new',
    (isOpen) => void navigate({ to: '.', search: (before) => before, hash: isOpen ? 'new' : '', replace: !isOpen }),
  ]
}
