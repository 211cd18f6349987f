import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Filter } from '../../app/list-state.ts'
import { useMay } from '../../app/me.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { answerOf, api, afterPause } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'

/** The people who fit the conditions now, shortly after each change. */
export function Members({ id, filter }: { id: string | null; filter: Filter }) {
  const words = useWords()
  const mayTry = useMay('segments.manage')
  const members = useQuery({
    queryKey: ['segment-members', mayTry ? filter : id],
    queryFn: async ({ signal }) => {
      if (!mayTry) return answerOf(api.GET('/v1/segments/{id}/preview', { params: { path: { id: id ?? '' } } }))
      await afterPause(signal)
      return answerOf(api.POST('/v1/segments/preview', { body: { filter: filter as never } }))
    },
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (
    <section className="in members" aria-label={words('segments:members')}>
      {members.isFetching && members.data && <div className="refetching" />}
      <Loaded query={{ ...members, data: members.error ? undefined : members.data }} skeletonRows={4}>
        {({ count, sample }) => (
          <>
            <p className="lede" role="status">
              {words('segments:lede.count', { count, n: formatNumber(count) })}
            </p>
            <p className="sub">
              {words(count > sample.length ? 'segments:newest' : 'segments:all', {
                count: sample.length,
                n: formatNumber(sample.length),
              })}
              {count > 0 && (
                <>
                  {' '}
                  <Link className="link" to="/app/people" search={{ filter }}>
                    {words('segments:showAll')}
                  </Link>
                </>
              )}
            </p>
            <ul className="rows">
              {sample.map(({ id: personId, name, email, phone, external_id, last_invited_at }) => (
                <li key={personId}>
                  <Link className="grow" to="/app/people/$personId" params={{ personId }}>
                    <bdi className="strong cut">{name ?? email ?? phone ?? external_id}</bdi>
                    <p className="cut">
                      <bdi dir="ltr">{email ?? phone ?? external_id}</bdi>
                    </p>
                  </Link>
                  <span className="faint nowrap">
                    {last_invited_at === null ? (
                      words('segments:neverInvited')
                    ) : (
                      <>
                        {words('list:fields.last_invited_at')} <TimeAgo at={last_invited_at} />
                      </>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </section>
  )
}
