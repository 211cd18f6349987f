import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Beside } from './beside.tsx'

interface Props extends Beside {
  /** The names of the two ways. */
  previous: string
  next: string
}

/** The ways to what stands before and after in the list, as `[` and `]` go. */
export function Neighbours({ previous, next, openPrevious, openNext }: Props) {
  return (
    <>
      {(
        [
          [previous, '[', 'arrow-up', openPrevious],
          [next, ']', 'arrow-down', openNext],
        ] as const
      ).map(([name, key, icon, open]) => (
        <Button
          key={key}
          look="quiet"
          size="square"
          aria-label={name}
          aria-keyshortcuts={key}
          title={`${name} · ${key}`}
          data-keeps-focus
          // A disabled button would lose the focus at the end of the list.
          aria-disabled={open === null || undefined}
          onClick={() => open?.()}
        >
          <Icon name={icon} />
        </Button>
      ))}
    </>
  )
}
