import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Loaded } from '../../frame/loaded.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'

type Reason = Schemas['SkippedRecipient']['reason']

/** The recipients whom an invitation left out for one reason. */
export function SkippedRecipients({ invitationId, reason }: { invitationId: string; reason: string }) {
  const words = useWords()
  const list = useInfiniteQuery({
    queryKey: ['invitation', invitationId, 'skipped', reason],
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET('/v1/invitations/{id}/skipped', {
          params: {
            path: { id: invitationId },
            query: { limit: 50, reason: reason as Reason, ...(pageParam && { cursor: pageParam }) },
          },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
  return (
    <Loaded query={list} skeletonRows={2}>
      {({ pages }) => (
        <>
          <ul className="plain">
            {pages
              .flatMap(({ data }) => data)
              .map(({ index, recipient, person_id }) => (
                <li key={index} className="faint">
                  {words('invitations:line', { n: formatNumber(index + 1) })}{' '}
                  {person_id === null ? (
                    <bdi dir="ltr">{recipient ?? '–'}</bdi>
                  ) : (
                    <Link className="link" to="/app/people/$personId" params={{ personId: person_id }}>
                      <bdi dir="ltr">{recipient ?? words('invitations:person')}</bdi>
                    </Link>
                  )}
                </li>
              ))}
          </ul>
          {list.hasNextPage && (
            <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {words('invitations:more')}
            </Button>
          )}
        </>
      )}
    </Loaded>
  )
}
