import { forget } from '../ui/storage.ts'
import { embed, type Embedded, type EventName, type Options, type Person } from './survey.ts'
import type { Mode } from './shell.ts'

interface Voc {
  (command: string, ...rest: unknown[]): void
  /** Calls before the script was there. */
  q?: ArrayLike<unknown>[]
}

/** Values that say who a person is. An `id` of an event is its own. */
const NAMES = /^((external|user)(_id|Id)|email|phone)$/

const page = window as unknown as { voc?: Voc & { live?: true } }
const own = document.currentScript as HTMLScriptElement | null
if (own && !page.voc?.live) start(own)

/** Takes the surveys that attributes name, then the calls that waited, which may open one of them. */
function start(script: HTMLScriptElement): void {
  const { origin } = new URL(script.src)
  const surveys = new Map<string, Embedded>()
  const hearers: [string, (detail: object) => void][] = []
  let person: Person = {}
  const names = new Map<string, string>()

  const tell = (name: EventName, detail: object) => {
    for (const [wanted, react] of hearers) if (wanted === name) attempt(() => react(detail))
  }
  const each = (survey: unknown, work: (embedded: Embedded) => void) => {
    for (const [id, embedded] of surveys) if (survey === undefined || survey === id) work(embedded)
  }
  const know = (more: unknown, ownId: boolean) => {
    // No message carries a function, and no survey takes a list.
    const values = Object.entries((more ?? {}) as Person).filter(([, value]) => Object(value) !== value)
    const named = values
      .filter(([key]) => NAMES.test(key) || (ownId && key === 'id'))
      .map(([key, value]) => [key, String(value ?? '')] as const)
    if (named.some(([key, name]) => (names.get(key) ?? name) !== name)) reset()
    for (const [key, name] of named) if (name) names.set(key, name)
    person = { ...person, ...Object.fromEntries(values) }
    each(undefined, (embedded) => embedded.identify(person))
  }
  const reset = () => {
    person = {}
    names.clear()
    each(undefined, (embedded) => embedded.forget())
    forget()
  }
  const commands: Record<string, (first?: unknown, second?: unknown) => void> = {
    init(options) {
      const given = options as Options
      surveys.get(given.survey)?.remove()
      surveys.set(
        given.survey,
        embed(given, origin, () => person, tell),
      )
    },
    identify: (values) => know(values, true),
    track(event, properties) {
      know(properties, false)
      each(undefined, (embedded) => embedded.track(String(event)))
    },
    open: (survey) => each(survey, (embedded) => embedded.open()),
    close: (survey) => each(survey, (embedded) => embedded.close()),
    on: (name, react) => hearers.push([String(name), react as (detail: object) => void]),
    reset,
  }
  let waiting: ArrayLike<unknown>[] | null = Array.from(page.voc?.q ?? [])
  const run = (call: ArrayLike<unknown>) => {
    const [command, ...rest] = Array.from(call)
    if (Object.hasOwn(commands, String(command))) commands[String(command)]?.(...rest)
  }
  const voc = (...call: [string, ...unknown[]]) => {
    if (waiting) waiting.push(call)
    else run(call)
  }
  page.voc = Object.assign(voc, { live: true as const })
  const begin = () => {
    const calls = waiting ?? []
    waiting = null
    for (const element of document.querySelectorAll<HTMLElement>('[data-voc-survey]'))
      attempt(() => readAttributes(element, voc))
    for (const call of calls) attempt(() => run(call))
  }
  // Until the page is there whole, what it names may be missing.
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', begin)
  else begin()
}

/** An error of the website is reported there, and stops nothing of ours. */
function attempt(work: () => void): void {
  try {
    work()
  } catch (error) {
    reportError(error)
  }
}

/** A button opens its survey at a click, a script tag as its mode says, and any other element holds its survey. */
function readAttributes(element: HTMLElement, voc: Voc): void {
  const { vocSurvey: survey = '', vocMode, vocLanguage, vocLabel, vocTarget, vocEvent, vocClick } = element.dataset
  const { vocScroll, vocDelay, vocSample, vocUrls, vocExitIntent, vocNonce } = element.dataset
  const isScript = element instanceof HTMLScriptElement
  const isButton = element.matches('button, a')
  const mode = (vocMode ?? (isScript || isButton ? 'popup' : 'inline')) as Mode
  const targeting = {
    ...(vocEvent !== undefined && { events: vocEvent.split(',') }),
    ...(vocDelay !== undefined && { delay_ms: Number(vocDelay) }),
    ...(vocSample !== undefined && { sample: Number(vocSample) }),
    ...(vocUrls !== undefined && { urls: vocUrls.split(' ') }),
  }
  if (isButton) element.addEventListener('click', () => voc('open', survey))
  voc('init', {
    survey,
    mode,
    target: vocTarget ?? (isScript ? document.body : element),
    language: vocLanguage,
    label: vocLabel,
    nonce: vocNonce ?? element.nonce,
    click: vocClick,
    manual: isButton,
    scroll: vocScroll === undefined ? undefined : Number(vocScroll),
    exit_intent: vocExitIntent !== undefined,
    targeting,
  } satisfies { [Key in keyof Options]-?: unknown })
}
