export type Mode = 'inline' | 'popup' | 'slide_in' | 'button' | 'full'

export interface Shell {
  frame: HTMLIFrameElement
  /** The pixels that the page needs. */
  setHeight(height: number): void
  remove(): void
}

interface ShellOptions {
  mode: Mode
  src: string
  title: string
  closeLabel: string
  accent: [color: string, text: string]
  target: Element
  nonce: string | undefined
  onClose(): void
}

const STYLE = `
:host{all:initial}
*{box-sizing:border-box}
iframe{display:block;width:100%;height:20rem;border:0;background:transparent;color-scheme:normal}
.box{position:fixed;z-index:2147483000;display:flex;flex-direction:column;overflow:hidden;border:1px solid #85828f66;border-radius:14px;background:Canvas;color:CanvasText;color-scheme:light dark}
.popup{margin:auto;padding:0;width:min(32rem,100vw - 2rem);height:fit-content;max-height:calc(100vh - 2rem)}
.slide_in{inset-inline-end:1rem;bottom:1rem;width:min(24rem,100vw - 2rem);max-height:calc(100vh - 2rem);animation:in .18s ease-out}
.full{inset:0;width:100vw;height:100vh;max-width:none;max-height:none;padding:0;border:0;border-radius:0}
.full iframe{flex:1;height:auto}
dialog::backdrop{background:#0008}
.close{position:absolute;z-index:1;top:6px;inset-inline-end:6px;width:36px;height:36px;border:0;border-radius:8px;background:transparent;color:inherit;font:20px/1 system-ui;cursor:pointer}
.open{position:fixed;z-index:2147482998;inset-inline-end:1rem;bottom:1rem;min-height:44px;padding:0 20px;border:0;border-radius:22px;font:600 16px/1 system-ui;cursor:pointer}
:focus-visible{outline:3px solid Highlight;outline-offset:2px}
@keyframes in{from{transform:translateY(1rem);opacity:0}}
@media(prefers-reduced-motion:reduce){*{animation:none!important}}
`

/** Puts a survey's frame on the website, apart from its styles. */
export function createShell({ mode, src, title, closeLabel, target, nonce, onClose }: ShellOptions): Shell {
  const { host, root } = createRoot(nonce)
  const frame = document.createElement('iframe')
  // The last page may offer to share a badge.
  Object.assign(frame, { src, title, referrerPolicy: 'no-referrer', allow: 'clipboard-write; web-share' })
  if (mode === 'inline') {
    root.append(frame)
    target.append(host)
    return { frame, setHeight: (height) => (frame.style.height = `${height}px`), remove: () => host.remove() }
  }
  const look = mode === 'button' ? 'slide_in' : mode
  // A modal dialog keeps the focus inside and gives it back. A card leaves the page usable.
  const box = document.createElement(look === 'slide_in' ? 'div' : 'dialog')
  box.className = `box ${look}`
  box.setAttribute('role', 'dialog')
  box.setAttribute('aria-label', title)
  const close = document.createElement('button')
  Object.assign(close, { type: 'button', className: 'close', textContent: '×', onclick: onClose })
  close.setAttribute('aria-label', closeLabel)
  box.append(frame, close)
  root.append(box)
  document.body.append(host)
  const stop = new AbortController()
  const { signal } = stop
  if (box instanceof HTMLDialogElement) {
    box.addEventListener('cancel', onClose, { signal })
    box.addEventListener('click', ({ target: pressed }) => pressed === box && onClose(), { signal })
    box.showModal()
    frame.focus()
  } else addEventListener('keydown', ({ key }) => key === 'Escape' && onClose(), { signal })
  return {
    frame,
    setHeight(height) {
      if (mode !== 'full') frame.style.height = `min(${height}px, 100vh - 2rem)`
    },
    remove() {
      stop.abort()
      if (box instanceof HTMLDialogElement) box.close()
      host.remove()
    },
  }
}

/** The button that opens a survey. */
export function createButton(
  label: string,
  { accent: [color, text], nonce, onClose: onPress }: Pick<ShellOptions, 'accent' | 'nonce' | 'onClose'>,
): HTMLElement {
  const { host, root } = createRoot(nonce)
  const button = document.createElement('button')
  Object.assign(button, { type: 'button', className: 'open', textContent: label, onclick: onPress })
  Object.assign(button.style, { background: color, color: text })
  root.append(button)
  document.body.append(host)
  return host
}

// A constructed sheet needs no permission of the website's policy. The nonce is for browsers without them.
function createRoot(nonce: string | undefined): { host: HTMLElement; root: ShadowRoot } {
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'closed' })
  try {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLE)
    root.adoptedStyleSheets = [sheet]
  } catch {
    const style = document.createElement('style')
    if (nonce !== undefined) style.nonce = nonce
    style.textContent = STYLE
    root.append(style)
  }
  return { host, root }
}
