import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Empty } from '../../../ui/parts.tsx'
import { Loaded } from '../../frame/loaded.tsx'
import { Screen } from '../../frame/screen.tsx'
import { NoticeList, useReadNotices } from '../../notices/notice-list.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'

const PAGE = 50

/** All that reached the caller, newest first. */
export function Notifications() {
  const words = useWords()
  const read = useReadNotices()
  const list = useInfiniteQuery({
    queryKey: ['notifications', 'all'],
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET('/v1/notifications', {
          params: { query: { peek: 'true', limit: PAGE, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
  const unread = list.data?.pages[0]?.unread ?? 0
  const choose = (
    <Link to="/app/settings/notifications" className="button plain usual">
      <Icon name="settings" isSmall />
      {words('notices:choose')}
    </Link>
  )
  return (
    <Screen title={words('notices:title')} end={choose}>
      <Loaded query={list}>
        {({ pages }) => {
          const notices = pages.flatMap(({ data }) => data)
          if (notices.length === 0)
            return (
              <Empty title={words('notices:none')} actions={choose}>
                <p>{words('notices:noneText')}</p>
              </Empty>
            )
          return (
            <div className="in" style={{ display: 'grid', gap: 16, alignContent: 'start', maxWidth: 760 }}>
              <div className="filters" style={{ justifyContent: 'space-between' }}>
                <p className="lede" role="status">
                  {unread === 0
                    ? words('notices:lede.none')
                    : words('notices:lede.unread', { count: unread, n: formatNumber(unread) })}
                </p>
                {unread > 0 && (
                  <Button isBusy={read.isPending} onClick={() => read.mutate({ all: true })}>
                    {words('notices:readAll')}
                  </Button>
                )}
              </div>
              <NoticeList notices={notices} />
              {list.hasNextPage && (
                <div>
                  <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                    {words('notices:more')}
                  </Button>
                </div>
              )}
            </div>
          )
        }}
      </Loaded>
    </Screen>
  )
}
