import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useLive } from '../app/live.ts'

export interface Page<Row> {
  data: Row[]
  next_cursor: string | null
  count?: { matching: { n: number; exact: boolean }; all: { n: number; exact: boolean } }
}

interface Place {
  index: number
  cursor: string | null
}

/** Rows of a page. The API gives at most 500. */
export const PAGE_ROWS = 200
// 2,000 rows stay in memory. Others are asked for again from their cursor.
const MOST_PAGES = 10

interface Asked<Row> {
  queryKey: readonly unknown[]
  fetchPage: (cursor: string | null) => Promise<Page<Row>>
  /** In milliseconds, while the list is at its beginning, the tab is seen, and no stream says what changes. */
  refreshEvery?: number
  /** The list does not move while somebody reads it. */
  isHeld?: boolean
}

export interface Rows<Row> {
  /** The rows in memory. The first of them is row `offset` of the list. */
  rows: Row[]
  offset: number
  count: Page<Row>['count']
  hasMore: boolean
  isPending: boolean
  isRefetching: boolean
  error: Error | null
  fetchMore: () => void
  fetchBefore: () => void
  refetch: () => void
  /** It does not move, because somebody holds it or reads further down. */
  stands: boolean
  /** When its rows were read last, in milliseconds. 0 before that. */
  readAt: number
  /** New rows above those that are shown, while the list stands still: at most those of a page. */
  waiting: number
  showWaiting: () => void
}

/** The rows of a list, page by page. While a new filter loads, the rows of the one before stay. */
export function usePages<Row extends object>({
  queryKey,
  fetchPage,
  refreshEvery,
  isHeld = false,
}: Asked<Row>): Rows<Row> {
  const cursors = useMemo(() => new Map<number, string | null>([[0, null]]), [JSON.stringify(queryKey)])
  const isLive = useLive()
  const client = useQueryClient()
  const [isFar, setFar] = useState(false)
  const query = useInfiniteQuery<Page<Row>, Error, InfiniteData<Page<Row>, Place>, readonly unknown[], Place>({
    queryKey,
    queryFn: async ({ pageParam }) => {
      const page = await fetchPage(pageParam.cursor)
      cursors.set(pageParam.index + 1, page.next_cursor)
      return page
    },
    initialPageParam: { index: 0, cursor: null },
    getNextPageParam: ({ next_cursor }, _, { index }) =>
      next_cursor === null ? undefined : { index: index + 1, cursor: next_cursor },
    getPreviousPageParam: (_, __, { index }) =>
      index === 0 ? undefined : { index: index - 1, cursor: cursors.get(index - 1) ?? null },
    maxPages: MOST_PAGES,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      refreshEvery !== undefined && !isHeld && !isLive && state.data?.pages.length === 1 ? refreshEvery : false,
    // Pages further down would be read again one after another.
    meta: { isHeld: isHeld || isFar },
  })
  const pages = query.data?.pages ?? []
  if (isFar !== pages.length > 1) setFar(pages.length > 1)
  const rows = useMemo(() => pages.flatMap(({ data }) => data), [query.data])
  const stands = isHeld || isFar
  // Its key begins as the list's does, so the stream makes it look again.
  const above = useQuery({
    queryKey: [...queryKey, 'above'],
    queryFn: () => fetchPage(null),
    enabled: stands && query.data !== undefined,
    refetchInterval: refreshEvery !== undefined && !isLive ? refreshEvery : false,
  })
  const known = useMemo(() => new Set(rows.map(keyOf)), [rows])
  const isFirst = query.data?.pageParams[0]?.index === 0
  const fresh = stands && isFirst ? (above.data?.data ?? []) : []
  const firstKnown = fresh.findIndex((row) => known.has(keyOf(row)))
  return {
    waiting: firstKnown === -1 ? fresh.length : firstKnown,
    showWaiting: () => {
      client.removeQueries({ queryKey: [...queryKey, 'above'] })
      void client.resetQueries({ queryKey, exact: true })
    },
    rows,
    offset: (query.data?.pageParams[0]?.index ?? 0) * PAGE_ROWS,
    count: pages.find(({ count }) => count !== undefined)?.count,
    hasMore: query.hasNextPage,
    isPending: query.isPending,
    isRefetching: query.isFetching && !query.isPending,
    error: query.error,
    fetchMore: () => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
    },
    fetchBefore: () => {
      if (query.hasPreviousPage && !query.isFetchingPreviousPage) void query.fetchPreviousPage()
    },
    refetch: () => void query.refetch(),
    stands,
    readAt: query.dataUpdatedAt,
  }
}

/** Texts have no id of their own. */
function keyOf(row: { id?: string }): string {
  return row.id ?? JSON.stringify(row)
}
