import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { answerOf, api } from '../session/api.ts'

// Reading people is logged for those who see them unmasked, so the rows in sight ask together.
const MOST_AT_ONCE = 50
const GATHER_MS = 20
const STALE_MS = 10 * 60_000

type NamedPerson = Pick<Schemas['Person'], 'name' | 'email' | 'phone' | 'external_id'>

/** The name of a person, or else an address. */
export function nameOf({ name, email, phone, external_id }: NamedPerson): string | null {
  return name ?? email ?? phone ?? external_id
}

/** The name of a person, masked for those who may not manage people. Null without a person, and until it is read. */
export function usePersonName(id: string | null): string | null {
  const { data } = useQuery(personNameQuery(id))
  return data ?? null
}

/** The name of a person in a row. */
export function PersonName({ id, none }: { id: string | null; none: string }) {
  const name = usePersonName(id)
  return id === null ? <span className="faint">{none}</span> : <bdi className="cut">{name}</bdi>
}

const personNameQuery = (id: string | null) =>
  queryOptions({
    // A key of its own: each change of any person would read all names again.
    queryKey: ['person-name', id],
    queryFn: () => (id === null ? null : nameTogether(id)),
    enabled: id !== null,
    staleTime: STALE_MS,
    retry: false,
  })

let waiting: Map<string, PromiseWithResolvers<string | null>> = new Map()

/** Joins the ids of a moment to one request. */
function nameTogether(id: string): Promise<string | null> {
  const known = waiting.get(id)
  if (known) return known.promise
  const wanted = Promise.withResolvers<string | null>()
  waitFor(id, wanted)
  return wanted.promise
}

function waitFor(id: string, wanted: PromiseWithResolvers<string | null>): void {
  if (waiting.size === 0) setTimeout(ask, GATHER_MS)
  waiting.set(id, wanted)
  if (waiting.size === MOST_AT_ONCE) ask()
}

function ask(): void {
  const asked = waiting
  waiting = new Map()
  if (asked.size === 0) return
  const filter = JSON.stringify({ all: [{ field: 'id', op: 'one_of', value: [...asked.keys()] }] })
  answerOf(api.GET('/v1/people', { params: { query: { limit: asked.size, filter } } })).then(
    ({ data, next_cursor }) => {
      const names = new Map(data.map((person) => [person.id, nameOf(person)]))
      for (const [id, wanted] of asked) {
        // A page ends early where people have much to show.
        if (names.has(id) || next_cursor === null || data.length === 0) wanted.resolve(names.get(id) ?? null)
        else waitFor(id, wanted)
      }
    },
    (error: unknown) => {
      for (const { reject } of asked.values()) reject(error)
    },
  )
}
