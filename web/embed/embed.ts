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

/** Takes the calls that waited, then the surveys that attributes name. */
function start(script: HTMLScriptElement): void {
  const { origin } = new URL(script.src)
  const surveys = new Map<string, Embedded>()
  const hearers: [string, (detail: object) => void][] = []
  let person: Person = {}
  const names = new Map<string, string>()

  const tell = (name: EventName, detail: object) => {
    for (const [wanted, react] of hearers) if (wanted === name) react(detail)
  }
  const each = (survey: unknown, work: (embedded: Embedded) => void) => {
    for (const [id, embedded] of surveys) if (survey === undefined || survey === id) work(embedded)
  }
  const know = (more: unknown, ownId: boolean) => {
    const values: Person = { ...(typeof more === 'object' ? (more as Person | null) : {}) }
    const named = Object.entries(values)
      .filter(([key]) => NAMES.test(key) || (ownId && key === 'id'))
      .map(([key, value]) => [key, String(value ?? '')] as const)
    if (named.some(([key, name]) => (names.get(key) ?? name) !== name)) reset()
    for (const [key, name] of named) if (name) names.set(key, name)
    person = { ...person, ...values }
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
  const waiting = page.voc?.q ?? []
  const voc = (command: string, ...rest: unknown[]) => commands[command]?.(...rest)
  page.voc = Object.assign(voc, { live: true as const })
  for (const call of waiting) voc(...(Array.from(call) as [string, ...unknown[]]))
  const readAll = () => {
    for (const element of document.querySelectorAll<HTMLElement>('[data-voc-survey]')) readAttributes(element, voc)
  }
  if (document.body) readAll()
  else addEventListener('DOMContentLoaded', readAll)
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
