/** The website that shows this page in a frame by the embed script. Its origin stands in the fragment. */
export interface Host {
  tell(name: 'ready' | 'progress' | 'completed' | 'height' | 'close', detail?: Record<string, number | string>): void
}

const NOBODY: Host = { tell: () => {} }

/** Nobody hears messages unless a website of that origin framed the page. They hold no answer. */
export function findHost(): Host {
  const origin = new URLSearchParams(location.hash.slice(1)).get('voc')
  if (origin === null || parent === window || !/^https?:\/\/[^/]+$/.test(origin)) return NOBODY
  return {
    tell(name, detail = {}) {
      parent.postMessage({ voc: name, ...detail }, origin)
    },
  }
}

/** Tells the host how high the page is, now and after each change. */
export function tellHeight(host: Host): void {
  const main = document.querySelector('main')
  if (!main) return
  const tell = () => host.tell('height', { height: Math.ceil(document.body.scrollHeight) })
  new ResizeObserver(tell).observe(main)
  tell()
}
