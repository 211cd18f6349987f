interface Visit {
  path: string
  title: string
}

const MOST = 9
// In memory alone: a title may name a person.
let visits: Visit[] = []

/** Notes the screen that is open, by its address without what stands after it. */
export function noteVisit(path: string, title: string): void {
  visits = [{ path, title }, ...visits.filter((visit) => visit.path !== path)].slice(0, MOST)
}

/** The screens before this one, the newest first. */
export function recentVisits(): Visit[] {
  return visits.filter(({ path }) => path !== location.pathname)
}

export function forgetVisits(): void {
  visits = []
}
