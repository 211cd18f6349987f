import { mayOpen, remember, visitor, type Targeting } from './rules.ts'
import { createButton, createShell, type Mode, type Shell } from './shell.ts'

/** `voc('init', options)`, or the `data-voc-*` attributes of an element. */
export interface Options {
  survey: string
  mode?: Mode
  /** For `inline`: an element or its selector. */
  target?: Element | string
  language?: string
  /** The text of the button. */
  label?: string
  nonce?: string
  /** Opens at a click on what this selector finds. */
  click?: string
  /** Opens when the pointer leaves the window at its top. */
  exit_intent?: boolean
  /** Opens when so many percent of the page have been scrolled. */
  scroll?: number
  targeting?: Targeting
  /** Opens only at `voc('open')`. */
  manual?: boolean
}

export type EventName = 'ready' | 'shown' | 'progress' | 'completed' | 'closed'
export type Tell = (name: EventName, detail: object) => void
export type Person = Record<string, string | number | boolean | null>

export interface Embedded {
  open(): void
  close(): void
  track(event: string): void
  identify(person: Person): void
  /** Closes, and removes the unfinished answers that frames of our origin keep. */
  forget(): void
  remove(): void
}

/** The rules of the survey, which our server sends through a frame. */
interface Rules {
  targeting: Targeting
  title: string
  close: string
  feedback: string
  accent: [string, string]
}

interface Message {
  voc?: unknown
  height?: unknown
  at?: unknown
  of?: unknown
  rules?: unknown
}

/** Embeds one survey. Its rules come first; nothing is shown of a survey that is closed. */
export function embed(options: Options, origin: string, person: () => Person, tell: Tell): Embedded {
  const { survey, mode = 'popup', nonce } = options
  const asker = document.createElement('iframe')
  const fragment = `#voc=${encodeURIComponent(location.origin)}&mode=${mode}`
  const language = options.language ? `lang=${encodeURIComponent(options.language)}` : ''
  let rules: Rules | null = null
  let shell: Shell | null = null
  let button: HTMLElement | null = null
  let wanted = false
  let delay: ReturnType<typeof setTimeout> | undefined
  /** Events that came before the rules, which say whether they open the survey. */
  const early = new Set<string>()
  const undo: (() => void)[] = []

  asker.hidden = true
  asker.referrerPolicy = 'origin'
  asker.src = `${origin}/public/embed/${survey}?${[`mode=${mode}`, language].filter(Boolean).join('&')}${fragment}`
  document.body.append(asker)
  listen(window, 'message', hear)

  function hear(event: Event): void {
    const { origin: from, source, data } = event as MessageEvent<Message | null>
    if (from !== origin || source === null || typeof data !== 'object' || data === null) return
    if (source === asker.contentWindow && data.voc === 'rules') return begin(data.rules as Rules)
    if (!shell || source !== shell.frame.contentWindow) return
    if (data.voc === 'ready') {
      tellPerson()
      tell('ready', { survey })
    } else if (data.voc === 'height') shell.setHeight(Number(data.height))
    else if (data.voc === 'progress') tell('progress', { survey, at: Number(data.at), of: Number(data.of) })
    // Nothing brings back a survey that stands in the page.
    else if (data.voc === 'close' && mode !== 'inline') close()
    else if (data.voc === 'completed') {
      remember(survey, 'answeredAt', Date.now())
      tell('completed', { survey })
    }
  }

  function begin(found: Rules): void {
    rules = found
    asker.remove()
    if (mode === 'inline') return open()
    watch()
    listen((globalThis as { navigation?: EventTarget }).navigation ?? window, 'navigatesuccess', watch)
    for (const event of early) track(event)
    if (wanted) open()
  }

  function track(event: string): void {
    if (!rules) early.add(event)
    else if (targeting().events?.includes(event)) soon()
  }

  function targeting(): Targeting {
    return { ...rules?.targeting, ...options.targeting }
  }

  function isAllowed(): boolean {
    return mayOpen(survey, targeting(), location.href, Date.now())
  }

  function watch(): void {
    if (!isAllowed() || shell || options.manual) return
    const { events = [] } = targeting()
    const { click, exit_intent, scroll } = options
    if (mode === 'button') {
      button ??= createButton(options.label ?? rules?.feedback ?? '', {
        accent: rules?.accent ?? ['#000', '#fff'],
        nonce,
        onClose: open,
      })
      return
    }
    if (undo.length < 3) {
      if (click) listen(document, 'click', ({ target }) => target instanceof Element && target.closest(click) && soon())
      if (exit_intent)
        listen(
          document,
          'mouseout',
          (event) => (event as MouseEvent).relatedTarget === null && (event as MouseEvent).clientY <= 0 && soon(),
        )
      if (scroll !== undefined) listen(window, 'scroll', () => scrolled() >= scroll && soon())
    }
    if (!click && !exit_intent && scroll === undefined && events.length === 0) {
      stopWaiting()
      soon()
    }
  }

  function soon(): void {
    if (shell || options.manual || !isAllowed()) return
    delay ??= setTimeout(() => {
      delay = undefined
      if (isAllowed()) open()
    }, targeting().delay_ms ?? 0)
  }

  function stopWaiting(): void {
    clearTimeout(delay)
    delay = undefined
  }

  function open(): void {
    wanted = true
    if (shell || !rules) return
    const { target = document.body } = options
    const place = typeof target === 'string' ? document.querySelector(target) : target
    if (!place) return
    const query = ['channel=embed', language].filter(Boolean).join('&')
    const src = `${origin}/public/s/${survey}?${query}${fragment}`
    shell = createShell({
      mode,
      src,
      title: options.label ?? rules.title,
      closeLabel: rules.close,
      accent: rules.accent,
      target: place,
      nonce,
      onClose: close,
    })
    remember(survey, 'shownAt', Date.now())
    tell('shown', { survey })
  }

  function close(): void {
    wanted = false
    early.clear()
    stopWaiting()
    if (!shell) return
    shell.remove()
    shell = null
    tell('closed', { survey })
  }

  function tellPerson(): void {
    if (shell) shell.frame.contentWindow?.postMessage({ voc: 'identify', person: person(), visitor: visitor() }, origin)
  }

  // A removed frame keeps its answers as it goes, so that only a later frame can remove them.
  function forget(): void {
    close()
    const frame = document.createElement('iframe')
    frame.hidden = true
    frame.src = `${origin}/public/embed/${survey}?${language}#forget`
    frame.onload = () => frame.remove()
    document.body.append(frame)
  }

  function listen(target: EventTarget, name: string, react: (event: Event) => void): void {
    target.addEventListener(name, react)
    undo.push(() => target.removeEventListener(name, react))
  }

  return {
    open,
    close,
    track,
    identify: tellPerson,
    forget,
    remove() {
      close()
      for (const again of undo) again()
      button?.remove()
      asker.remove()
    },
  }
}

function scrolled(): number {
  const room = document.documentElement.scrollHeight - innerHeight
  return room <= 0 ? 100 : (scrollY / room) * 100
}
