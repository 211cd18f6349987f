/** The person at the website. Only fields that the survey declares are taken. */
export interface Person {
  fields: Record<string, unknown>
  /** A random name, which ends when the website says that the person has left. */
  visitor: string
  /** Distinguishes other fields, and says nothing of them. */
  digest: string
}

/** The website that shows this page in a frame by the embed script. Its origin stands in the fragment. */
export interface Host {
  /** The website says who answers, after `ready` and at each change. Without a website this comes at once. */
  onPerson(react: (person: Person) => void): void
  /** Whether the page stands in a small frame. */
  isSmall: boolean
  tell(name: 'ready' | 'progress' | 'completed' | 'height' | 'close', detail?: Record<string, number | string>): void
}

interface Message {
  voc?: unknown
  person?: unknown
  visitor?: unknown
}

// A website that frames the page without our script says nothing.
const SILENCE_MS = 1_500

const NO_PERSON: Person = { fields: {}, visitor: '', digest: '' }
const NOBODY: Host = { tell: () => {}, onPerson: (react) => react(NO_PERSON), isSmall: false }

/** No one receives messages unless a website of that origin framed the page. They hold no answer. */
export function findHost(): Host {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const origin = fragment.get('voc')
  if (origin === null || parent === window || !/^https?:\/\/[^/]+$/.test(origin)) return NOBODY
  return {
    isSmall: fragment.get('mode') !== 'full',
    onPerson(react) {
      const silence = setTimeout(() => react(NO_PERSON), SILENCE_MS)
      addEventListener('message', ({ origin: from, source, data }: MessageEvent<Message | null>) => {
        if (from !== origin || source !== parent || data?.voc !== 'identify') return
        const { person, visitor = '' } = data
        if (typeof person !== 'object' || person === null) return
        clearTimeout(silence)
        react({ fields: person as Record<string, unknown>, visitor: String(visitor), digest: digestOf(person) })
      })
    },
    tell(name, detail = {}) {
      parent.postMessage({ voc: name, ...detail }, origin)
    },
  }
}

function digestOf(person: object): string {
  let sum = 2_166_136_261
  for (const unit of JSON.stringify(Object.entries(person).sort()))
    sum = Math.imul(sum ^ unit.charCodeAt(0), 16_777_619)
  return sum.toString(36)
}

/** Informs the host how high the page is, now and after each change. */
export function tellHeight(host: Host): void {
  const main = document.querySelector('main')
  if (!main) return
  const tell = () => host.tell('height', { height: Math.ceil(document.body.getBoundingClientRect().height) })
  new ResizeObserver(tell).observe(main)
  tell()
}
