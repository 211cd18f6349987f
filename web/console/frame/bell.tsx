import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { unlessLive } from '../app/live.ts'
import { answerOf, api } from '../session/api.ts'
import { formatNumber } from '../words/format.ts'
import { loadTexts } from '../app/texts.ts'
import { useWords } from '../words/words.ts'

const load = async () => {
  const [{ BellList }] = await Promise.all([import('../notices/bell-list.tsx'), loadTexts('notices')])
  return { default: BellList }
}
const List = lazy(load)
const MOST_SHOWN = 99

const LOOK_MS = 60_000

/** How many notifications the caller has not read. */
const unreadQuery = {
  queryKey: ['notifications', 'unread'],
  queryFn: async () => {
    const { unread } = await answerOf(
      api.GET('/v1/notifications', { params: { query: { peek: 'true', unread: 'true', limit: 1 } } }),
    )
    return unread
  },
  refetchInterval: unlessLive(LOOK_MS),
}

/** How many notifications are not read. The newest load when somebody is about to look. */
export function Bell() {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLSpanElement>(null)
  const { data: unread = 0 } = useQuery(unreadQuery)
  return (
    <span ref={button} className="bell">
      <Button
        look="quiet"
        size="square"
        aria-label={words('frame:bell', { n: formatNumber(unread) })}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
        onClick={() => setOpen((isNow) => !isNow)}
      >
        <Icon name="bell" />
        {unread > 0 && <b aria-hidden="true">{unread > MOST_SHOWN ? `${MOST_SHOWN}+` : formatNumber(unread)}</b>}
      </Button>
      {isOpen && (
        <Suspense>
          <List anchor={button} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </span>
  )
}
