import { useQuery } from '@tanstack/react-query'
import { Menu } from '../../ui/menu.tsx'
import { Icon } from '../../ui/icon.tsx'
import { membersQuery } from '../app/me.ts'
import { useWords } from '../words/words.ts'

/** Moves several rows to a status. */
export function MoveMenu<Status extends string>({
  statuses,
  onMove,
}: {
  statuses: readonly Status[]
  onMove: (status: Status) => void
}) {
  const words = useWords()
  return (
    <Menu
      groups={[
        { items: statuses.map((each) => ({ label: words(`list:values.${each}`), onChoose: () => onMove(each) })) },
      ]}
    >
      {words('list:moveTo')}
      <Icon name="chevron-down" isSmall />
    </Menu>
  )
}

/** Gives several rows to a colleague, or to nobody. */
export function GiveMenu({ onGive }: { onGive: (ownerId: string | null) => void }) {
  const words = useWords()
  const members = useQuery(membersQuery)
  return (
    <Menu
      groups={[
        {
          items: (members.data?.data ?? []).map(({ id, name }) => ({
            label: <bdi>{name}</bdi>,
            onChoose: () => onGive(id),
          })),
        },
        { items: [{ label: words('list:nobody'), onChoose: () => onGive(null) }] },
      ]}
    >
      {words('list:giveTo')}
      <Icon name="chevron-down" isSmall />
    </Menu>
  )
}
