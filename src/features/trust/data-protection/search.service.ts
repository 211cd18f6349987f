import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import type {
  Found as FoundIn,
  Looking,
  Mentions,
  Person,
  PersonAddress,
  PersonalStore,
  Scan,
  TypedIn,
} from '../../../platform/personal.ts'
import { listMentions, mentions } from './contacts.service.ts'
import { saveResults, keysAt, sealResults, withoutLists, type SearchResults } from './search-results.service.ts'
import { keyOf, lengthsOf, type Counts, type Cursor, type Searching } from './plan.ts'
import { addCopies, advance, listCopies, type Run, save, TurnOver, write } from './steps.service.ts'

// Each round follows what the last one found: an address, its sends, their responses, the next address.
const MOST_ROUNDS = 8

/** How far a search has come in a turn. */
export interface Search {
  person: Person
  /** The keys that this turn found in the present round, by `keyOf` a store. */
  found: SearchResults
  /** The round began in this turn, so what earlier ones found does not count any more. */
  isNewRound: boolean
  /** Of the round. */
  counts: Counts
  total: number
  waits: boolean
  /** The whole search saw one moment. */
  isOneMoment: boolean
  /** Where it goes on. Null at the end. */
  next: Searching | null
}

/**
 * Finds the rows that hold a person, in all stores. A search that takes longer than a turn keeps where it stands, and
 * goes on in the next. A row that moves from one store to another between two turns may be missed: search once more.
 * @throws TurnOver
 */
export async function searchPerson(run: Run): Promise<Search> {
  const { scope, row, plan } = run
  const isFirst = row.status === 'searching'
  const search = await scope.read((tx) => searchForATurn(run, tx), { snapshot: true })
  if (row.kind === 'erasure') {
    if (isFirst && search.isNewRound) plan.external = []
    const copies = await listCopies(run, search.found)
    if (isFirst) plan.external.push(...copies)
    else addCopies(run, copies)
  }
  plan.person = search.person
  if (search.next) plan.search = search.next
  else delete plan.search
  if (search.next === null) return search
  await keepSearch(run, search, (tx) => save(run, tx, 'plan'))
  throw new TurnOver()
}

/** Keeps what a search has found in this turn. */
export async function keepSearch(
  run: Run,
  { person, found, isNewRound }: Pick<Search, 'person' | 'found' | 'isNewRound'>,
  alongside: (tx: TenantTx) => Promise<void>,
): Promise<void> {
  const { scope, row } = run
  const pieces = await sealResults(scope, found, person, run.kept)
  const keep = async (tx: TenantTx) => {
    await saveResults(tx, row.id, { pieces, replaces: isNewRound })
    await alongside(tx)
  }
  // Also past the end of the turn, which would have been for nothing.
  await advance(run, keep, write)
  run.kept = lengthsOf(person)
}

/** The keys of one store that hold the person. */
export async function searchStore(run: Run, part: PersonalStore): Promise<string[]> {
  const { scope, plan } = run
  const never = () => false
  return scope.read(async (tx) => {
    const { scan } = startScan(null, never, () => 0, 0)
    return (await part.find(scope, tx, plan.person, { ...lookFor(run, tx, plan.person), scan })).keys
  })
}

async function searchForATurn(run: Run, tx: ReadTx): Promise<Search> {
  const { scope, declared, plan, turn, row } = run
  const { stores } = declared
  const begun = plan.search && stores.some((part) => keyOf(part) === plan.search?.place) ? plan.search : null
  let round = begun
    ? { ...begun, counts: { ...begun.counts }, person: personAt(begun, plan.person) }
    : beginRound(1, plan.person, stores)
  let grown = plan.person
  let preparesFrom: number | null = run.begunAt
  let found: SearchResults = {}
  let isNewRound = !begun
  for (;;) {
    let at = stores.findIndex((part) => keyOf(part) === round.place)
    const looking = lookFor(run, tx, round.person)
    while (at < stores.length) {
      const part = stores[at] as PersonalStore
      const place = keyOf(part)
      const now = () => scope.clock.now().getTime()
      const { scan, stoppedAt } = startScan(round.cursor, turn.isOver, now, preparesFrom ?? now())
      preparesFrom = null
      const known = round.cursor ? await keysAt(scope, tx, row.id, place) : new Set<string>()
      const result = await part.find(scope, tx, round.person, { ...looking, scan })
      const keys = result.keys.filter((key) => !known.has(key))
      if (keys.length > 0) found[place] = keys
      const uncounted = (result.uncounted ?? []).filter((key) => !known.has(key))
      round.counts[part.store] = (round.counts[part.store] ?? 0) + keys.length - uncounted.length
      round.total += keys.length
      round.waits ||= part.isAwaited === true && keys.length > 0
      grown = extend(grown, result)
      round.cursor = stoppedAt()
      if (!round.cursor) at += 1
      const next = stores[at]
      if (!next || !turn.isOver()) continue
      const { person } = round
      const search = { ...round, place: keyOf(next), person: withoutLists(person), lengths: lengthsOf(person) }
      return { person: grown, found, isNewRound, ...sumOf(round), isOneMoment: false, next: search }
    }
    if (sizeOf(grown) === sizeOf(round.person) || round.round === MOST_ROUNDS)
      return { person: grown, found, isNewRound, ...sumOf(round), isOneMoment: !begun, next: null }
    round = beginRound(round.round + 1, grown, stores)
    found = {}
    isNewRound = true
  }
}

type Round = Omit<Searching, 'lengths'>

const sumOf = ({ counts, total, waits }: Round) => ({ counts, total, waits })

function beginRound(round: number, person: Person, stores: PersonalStore[]): Round {
  return { round, place: stores[0] ? keyOf(stores[0]) : '', cursor: null, person, counts: {}, total: 0, waits: false }
}

/** The person at the beginning of a round: what was found since stands at the end of the lists. */
function personAt({ person, lengths }: Searching, grown: Person): Person {
  return {
    ...person,
    responseIds: grown.responseIds.slice(0, lengths.responseIds),
    mentionedIn: grown.mentionedIn.slice(0, lengths.mentionedIn),
  }
}

function lookFor({ scope }: Run, tx: ReadTx, person: Person): Omit<Looking, 'scan'> {
  const mentionsPerson: Mentions = (texts) => mentions(person, texts)
  const typedIn: TypedIn = (place) => listMentions(scope, tx, place, person)
  return { mentions: mentionsPerson, typedIn }
}

/**
 * The lists of one `find`, until the turn is over. Each turn reads what it knows already, and then reads on for as long
 * as that took at least, so that a search of much does not spend its turns on preparing.
 * @param startedAt the moment at which the turn began to prepare.
 */
function startScan(
  from: Cursor | null,
  isOver: () => boolean,
  now: () => number,
  startedAt: number,
): { scan: Scan; stoppedAt: () => Cursor | null } {
  const ended = from ? [...from.ended] : []
  let stopped: Cursor | null = null
  let readsFrom: number | null = null
  const mayStop = () => {
    if (!isOver()) return false
    return readsFrom !== null && now() - readsFrom >= readsFrom - startedAt
  }
  async function* scan<Row>(
    of: string,
    { page, size, idOf }: { page: (after: string | null) => Promise<Row[]>; size: number; idOf: (row: Row) => string },
  ): AsyncGenerator<Row> {
    if (stopped || ended.includes(of)) return
    let after = from?.of === of ? from.after : null
    for (;;) {
      const rows = await page(after)
      readsFrom ??= now()
      for (const row of rows) {
        yield row
        after = idOf(row)
        if (!mayStop()) continue
        stopped = { ended: [...ended], of, after }
        return
      }
      if (rows.length < size) break
    }
    ended.push(of)
  }
  return { scan, stoppedAt: () => stopped }
}

function extend(person: Person, found: FoundIn): Person {
  return {
    addresses: withAddresses(person.addresses, found.addresses),
    responseIds: withMore(person.responseIds, found.responseIds),
    mentionedIn: withMore(person.mentionedIn, found.mentionedIn),
    personIds: withMore(person.personIds, found.personIds),
  }
}

function withAddresses(known: PersonAddress[], more: PersonAddress[] = []): PersonAddress[] {
  const addresses = new Map(known.map((address) => [address.hash, address]))
  for (const address of more) if (!addresses.get(address.hash)?.address) addresses.set(address.hash, address)
  return [...addresses.values()]
}

// Lists may be long, and most stores add nothing.
function withMore<Item>(known: Item[], more: Item[] = []): Item[] {
  return more.length === 0 ? known : [...new Set([...known, ...more])]
}

function sizeOf({ addresses, responseIds, mentionedIn, personIds }: Person): number {
  return (
    addresses.length +
    addresses.filter(({ address }) => address !== null).length +
    responseIds.length +
    mentionedIn.length +
    personIds.length
  )
}
