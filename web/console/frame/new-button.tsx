import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

/** The button of a screen that begins another of what it lists. */
export function NewButton({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <Button look="primary" onClick={onPress}>
      <Icon name="plus" isSmall />
      {label}
    </Button>
  )
}
