/** The website that shows this page in a frame by the embed script. Its origin stands in the fragment. */
export interface Host {
  /** The website says who answers. Only fields that the survey declares are taken. */
  onPerson(react: (person: Record<string, unknown>) => void): void
  /** Whether the page stands in a small frame. */
  isSmall: boolean
  tell(name: 'ready' | 'progress' | 'completed' | 'height' | 'close', detail?: Record<string, number | string>): void
}

const NOBODY: Host = { tell: () => {}, onPerson: () => {}, isSmall: false }

/** Nobody hears messages unless a website of that origin framed the page. They hold no answer. */
export function findHost(): Host {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const origin = fragment.get('voc')
  if (origin === null || parent === window || !/^https?:\/\/[^/]+$/.test(origin)) return NOBODY
  return {
    isSmall: fragment.get('mode') !== 'full',
    onPerson(react) {
      addEventListener(
        'message',
        ({ origin: from, source, data }: MessageEvent<{ voc?: unknown; person?: unknown } | null>) => {
          if (from !== origin || source !== parent || data?.voc !== 'identify') return
          if (typeof data.person === 'object' && data.person !== null) react(data.person as Record<string, unknown>)
        },
      )
    },
    tell(name, detail = {}) {
      parent.postMessage({ voc: name, ...detail }, origin)
    },
  }
}

/** Tells the host how high the page is, now and after each change. */
export function tellHeight(host: Host): void {
  const main = document.querySelector('main')
  if (!main) return
  const tell = () => host.tell('height', { height: Math.ceil(document.body.getBoundingClientRect().height) })
  new ResizeObserver(tell).observe(main)
  tell()
}
