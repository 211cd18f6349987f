import { isSame, MEMBERS, type Draft } from './draft.ts'

interface Identified {
  id: string
}
const LISTS = new Set<keyof Draft>(['questions', 'endings', 'quotas'])

/** My changes since `base`, made again on what somebody else saved. Changes that only they made stay. */
export function rebase(base: Draft, mine: Draft, theirs: Draft): Draft {
  const merged = { ...theirs } as unknown as Record<string, unknown>
  for (const name of MEMBERS) {
    if (isSame(base[name], mine[name])) continue
    const next = LISTS.has(name) ? mergeLists(listOf(base, name), listOf(mine, name), listOf(theirs, name)) : mine[name]
    if (next === undefined) delete merged[name]
    else merged[name] = next
  }
  return merged as unknown as Draft
}

function listOf(draft: Draft, name: keyof Draft): Identified[] {
  return draft[name] as unknown as Identified[]
}

function mergeLists(base: Identified[], mine: Identified[], theirs: Identified[]): Identified[] {
  const [atBase, atMine, atTheirs] = [byId(base), byId(mine), byId(theirs)]
  const isMineMoved = !isSame(
    ids(base).filter((id) => atMine.has(id)),
    ids(mine).filter((id) => atBase.has(id)),
  )
  const hasMineNew = mine.some(({ id }) => !atBase.has(id))
  // The order of the side that moved something; mine, if both did.
  const order = isMineMoved || hasMineNew ? withNew(mine, theirs, atBase) : theirs
  return order.flatMap(({ id }) => {
    const [before, own, other] = [atBase.get(id), atMine.get(id), atTheirs.get(id)]
    if (!own) return before ? [] : other ? [other] : []
    if (!other) return before && isSame(before, own) ? [] : [own]
    return [before && isSame(before, own) ? other : own]
  })
}

/** Mine, with each of their new items after the item that it follows in theirs. */
function withNew(mine: Identified[], theirs: Identified[], atBase: Map<string, Identified>): Identified[] {
  const result = [...mine]
  for (const [at, item] of theirs.entries()) {
    if (atBase.has(item.id) || result.some(({ id }) => id === item.id)) continue
    const before = theirs[at - 1]?.id
    result.splice(result.findIndex(({ id }) => id === before) + 1, 0, item)
  }
  return result
}

function byId(items: Identified[]): Map<string, Identified> {
  return new Map(items.map((item) => [item.id, item]))
}

function ids(items: Identified[]): string[] {
  return items.map(({ id }) => id)
}
