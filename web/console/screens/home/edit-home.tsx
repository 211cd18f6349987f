import { useNavigate } from '@tanstack/react-router'
import { BEGINNING } from '../../boards/built-in.ts'
import { EditDashboard } from '../../boards/edit.tsx'
import type { Read } from '../../boards/stored.ts'
import { useWords } from '../../words/words.ts'

/** Changes the widgets of home. They are those of the workspace's built-in dashboard. */
export function EditHome({ read, isOwn }: { read: Read; isOwn: boolean }) {
  const words = useWords()
  const navigate = useNavigate()
  return (
    <EditDashboard
      read={read}
      title={words('frame:screens.home')}
      onLeave={() => void navigate({ to: '/app/home', ignoreBlocker: true })}
      onGo={(search) => navigate({ to: '/app/home', search })}
      beginning={BEGINNING}
      {...(!isOwn && { note: words('home:willReplace') })}
    />
  )
}
