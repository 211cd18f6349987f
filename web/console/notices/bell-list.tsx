import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { Empty } from '../../ui/parts.tsx'
import { Popover } from '../../ui/popover.tsx'
import { LoadedRows } from '../frame/loaded.tsx'
import { answerOf, api } from '../session/api.ts'
import { useWords } from '../words/words.ts'
import { NoticeList, useReadNotices } from './notice-list.tsx'

const NEWEST = 15

/** The newest notifications, below the bell. Looking at them reads none. */
export function BellList({ anchor, onClose }: { anchor: RefObject<HTMLElement | null>; onClose: () => void }) {
  const words = useWords()
  const newest = useQuery({
    queryKey: ['notifications', 'newest'],
    queryFn: () => answerOf(api.GET('/v1/notifications', { params: { query: { peek: 'true', limit: NEWEST } } })),
  })
  const read = useReadNotices()
  return (
    <Popover
      anchor={anchor}
      title={words('notices:title')}
      onClose={onClose}
      end={
        (newest.data?.unread ?? 0) > 0 && (
          <button type="button" className="link" onClick={() => read.mutate({ all: true })}>
            {words('notices:readAll')}
          </button>
        )
      }
      footer={
        <>
          <Link to="/app/notifications" className="link" onClick={onClose}>
            {words('notices:all')}
          </Link>
          <Link to="/app/settings/notifications" className="link" onClick={onClose}>
            {words('notices:choose')}
          </Link>
        </>
      }
    >
      <LoadedRows query={newest} empty={<Nothing />}>
        {(rows) => <NoticeList notices={rows} onOpen={onClose} />}
      </LoadedRows>
    </Popover>
  )
}

function Nothing() {
  const words = useWords()
  return (
    <Empty title={words('notices:none')}>
      <p>{words('notices:noneText')}</p>
    </Empty>
  )
}
