// One key holds everything, so that a person finds and removes it easily. A browser may refuse storage.
const KEY = 'earshot'
// Until the page goes, where the browser refuses storage.
let memory: string | null = null

export function readStored<Value>(name: string): Value | undefined {
  return everything()[name] as Value | undefined
}

export function storedNames(): string[] {
  return Object.keys(everything())
}

/** Keeps a value that JSON can hold. Undefined removes it. */
export function store(name: string, value: unknown): void {
  const { [name]: _, ...rest } = everything()
  const all = value === undefined ? rest : { ...rest, [name]: value }
  memory = Object.keys(all).length === 0 ? null : JSON.stringify(all)
  try {
    if (memory === null) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, memory)
  } catch {
    // Without storage, a reload forgets what was not sent.
  }
}

/** Removes all that this site keeps. */
export function forget(): void {
  memory = null
  try {
    localStorage.removeItem(KEY)
  } catch {
    // There is nothing to forget.
  }
}

function everything(): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(readText() ?? '{}')
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function readText(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return memory
  }
}
