import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Filter } from '../app/list-state.ts'
import { countText } from '../words/format.ts'
import { useWords } from '../words/words.ts'
import type { Page } from './pages.ts'

type Count = NonNullable<Page<unknown>['count']>['matching']

interface Asked<Kind extends string> {
  queryKey: readonly unknown[]
  /** The filter of each kind. */
  filters: Record<Kind, Filter>
  fetchPage: (filter: string) => Promise<Pick<Page<unknown>, 'count'>>
  /** In milliseconds, where no stream says what changes. */
  refreshEvery?: number | (() => number | false)
}

/** How many rows of a list each kind has. Absent until they are counted. */
export function useKindCounts<Kind extends string>(asked: Asked<Kind>): Partial<Record<Kind, Count>> {
  const { queryKey, filters, fetchPage, refreshEvery } = asked
  const { data } = useQuery({
    queryKey: [...queryKey, filters],
    queryFn: async () => {
      const counted = Object.entries<Filter>(filters).map(async ([kind, filter]) => {
        const { count } = await fetchPage(JSON.stringify(filter))
        return [kind, count?.matching] as const
      })
      return Object.fromEntries(await Promise.all(counted)) as Partial<Record<Kind, Count>>
    },
    placeholderData: keepPreviousData,
    ...(refreshEvery !== undefined && { refetchInterval: refreshEvery }),
  })
  return data ?? {}
}

/** The kinds of the rows of a list beside one another, each with how many it has. */
export function KindTabs<Kind extends string>({
  label,
  kinds,
  chosen,
  counts,
  nameOf,
  onChoose,
}: {
  label: string
  kinds: readonly Kind[]
  /** Null where a filter is none of the kinds. */
  chosen: Kind | null
  counts: Partial<Record<Kind, Count>>
  nameOf: (kind: Kind) => string
  onChoose: (kind: Kind) => void
}) {
  const words = useWords()
  return (
    <div className="segmented" role="group" aria-label={label}>
      {kinds.map((kind) => {
        const count = counts[kind]
        return (
          <button key={kind} type="button" aria-pressed={kind === chosen} onClick={() => onChoose(kind)}>
            {nameOf(kind)}
            {count !== undefined && <span className="faint figure"> {countText(count, words)}</span>}
          </button>
        )
      })}
    </div>
  )
}
