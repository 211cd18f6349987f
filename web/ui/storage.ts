// One key holds everything, so that a person finds and removes it easily. A browser may refuse storage.
const KEY = 'earshot'

export function readStored<Value>(name: string): Value | undefined {
  return everything()[name] as Value | undefined
}

/** Keeps a value that JSON can hold. Undefined removes it. */
export function store(name: string, value: unknown): void {
  const { [name]: _, ...rest } = everything()
  const all = value === undefined ? rest : { ...rest, [name]: value }
  try {
    if (Object.keys(all).length === 0) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, JSON.stringify(all))
  } catch {
    // Without storage, a reload forgets what was not sent.
  }
}

/** Removes all that this site keeps. */
export function forget(): void {
  try {
    localStorage.removeItem(KEY)
  } catch {
    // There is nothing to forget.
  }
}

function everything(): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
