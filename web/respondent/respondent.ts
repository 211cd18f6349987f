import { messagesFor } from '../../src/survey-engine/language/messages.ts'
import { readCustomData } from '../../src/survey-engine/logic/custom-data.ts'
import { fillForm, fillTexts, findErrors, readAnswers, type Answers } from './answering.ts'
import { advances, enhance } from './controls.ts'
import { showEnding, showUnsent } from './ending.ts'
import { findHost, tellHeight, type Host, type Person } from './host.ts'
import { listenToKeys } from './keys.ts'
import { element, hiddenValue, readData, setHidden, type PageData } from './page.ts'
import { createSaver, findLocalCopy, type LocalCopy, type Snapshot } from './saving.ts'
import { createScreens, titleOf } from './screens.ts'
import { createProgress, createStatus } from './status.ts'
import { createTrail, type Way } from './trail.ts'

const ADVANCE_MS = 220
const LED_MS = 600
const PAGE_SAVE_MS = 1_000
const DOUBLE_MS = 500

const data = readData()
const form = document.querySelector<HTMLFormElement>('form.scripted')
if (data && form) start(data, form)

/** Waits for the website to say who answers, so that nobody sees the answers of another. */
function start(data: PageData, form: HTMLFormElement): void {
  const host = findHost()
  let know: ((person: Person) => void) | undefined
  host.onPerson((person) => {
    if (know) return know(person)
    takePerson(data, person)
    know = run(data, form, host)
  })
  host.tell('ready')
  if (data.mode === 'preview' && parent !== window) obeyBuilder()
}

/** The builder frames a preview, and shows each change. Nobody else can tell the page anything. */
function obeyBuilder(): void {
  addEventListener('message', ({ origin, source, data }: MessageEvent<{ type?: unknown; at?: unknown } | null>) => {
    if (origin !== location.origin || source !== parent || data?.type !== 'earshot:reload') return
    const address = new URL(location.href)
    if (typeof data.at === 'string') address.searchParams.set('at', data.at)
    location.replace(address)
  })
}

function takePerson(data: PageData, person: Person): void {
  const { definition } = data
  data.linked ??= data.custom_data
  const declared = Object.entries(person.fields).filter(([name]) => definition.custom_fields.includes(name))
  data.person = person
  data.custom_data = { ...data.custom_data, ...readCustomData(definition, Object.fromEntries(declared)).values }
}

/** Shows the server's questions one by one (or all, if the survey says so), and saves each answer. */
function run(data: PageData, form: HTMLFormElement, host: Host): (person: Person) => void {
  const { definition, language } = data
  const own = messagesFor(language, definition)
  const wholePage = definition.layout === 'page'
  const hadErrors = form.querySelector('.question.wrong')?.id.slice('q-'.length)
  const screens = createScreens(data, form, own)
  const visited = new Set<string>()
  // Answers that the link filled in and that the person has not looked at yet.
  const proposed = new Set<string>()
  let current = definition.questions[0]?.id ?? ''
  let isDone = false
  let isTouched = false
  let shownAt = 0
  let advance: ReturnType<typeof setTimeout> | undefined
  let led: ReturnType<typeof setTimeout> | undefined

  form.classList.remove('scripted')
  form.classList.add(wholePage ? 'page-wide' : 'steps')
  form.action += location.hash
  form.querySelector(':scope > p.page')?.remove()
  const actions = form.querySelector('.actions')
  const next = form.querySelector<HTMLButtonElement>('.actions [name=_next]')
  form.querySelector('.actions [name=_back]')?.remove()
  const back = element('button', { type: 'button', class: 'quiet' }, own('back'))
  back.addEventListener('click', goBack)
  actions?.append(back)
  const progress = wholePage ? null : createProgress(form, own)
  const saver = createSaver(data, form, {
    onState(state) {
      status.show(state)
      const token = saver.token()
      if (token !== undefined) status.offer(token)
      if (isDone && state === 'waiting') showUnsent(form, own)
    },
    onFinished({ values }) {
      isDone = true
      host.tell('completed')
      void showEnding(form, values, own).then(() => tellHeight(host))
    },
    onRefused() {
      isDone = true
      // The server answers a plain form with the reason, in the language of the page.
      form.classList.add('sent')
      setHidden(form, '_next', '1')
      form.submit()
    },
  })
  const status = createStatus(form, own, saver.retry)
  // In a frame the entries would be those of the website, and Back would not leave it.
  const trail = wholePage || parent !== window ? null : createTrail(arrive)

  const kept = restore()
  enhance(screens.sections, own, language)
  begin()
  if (kept?.completed) finish(answers())
  else if (kept && kept.unsent.length > 0) saver.save(snapshot(answers(), false))
  document.documentElement.classList.toggle('framed', host.isSmall)
  addEventListener('keydown', ({ key }) => key === 'Escape' && host.tell('close'))
  tellHeight(host)

  form.addEventListener('submit', (event) => {
    const pressed = event.submitter as HTMLButtonElement | null
    if (pressed?.name === '_switch') return saver.keep(snapshot(answers(), false))
    event.preventDefault()
    // A person who chose, and pressed Next while the page led on by itself, means the question before.
    if (pressed?.ariaDisabled === 'true') return
    goOn()
  })
  form.addEventListener('change', onChange)
  form.addEventListener('click', onClick)
  // The second half of a double click would answer the question that has just come.
  form.addEventListener(
    'click',
    (event) => event.detail > 1 && Date.now() - shownAt < DOUBLE_MS && event.preventDefault(),
    {
      capture: true,
    },
  )
  addEventListener('pagehide', () => {
    if (isTouched && !isDone) saver.keep(snapshot(answers(), false))
  })
  form.addEventListener('input', () => {
    if (!isTouched) saver.prepare()
    isTouched = true
    takePresses()
  })
  listenToKeys(() => (wholePage || isDone ? null : screens.section(current)), goOn)
  return (person) => {
    takePerson(data, person)
    if (!isTouched && (wholePage || visited.size === 0)) {
      restore()
      return begin()
    }
    const read = answers()
    fillTexts(data, form, read.judged)
    update(read)
  }

  function begin(): void {
    if (wholePage) return showAll()
    show(current)
    trail?.stay(current)
  }

  function answers(): Answers {
    return readAnswers(data, form, new Set([...visited, current]))
  }

  function snapshot({ typed, judged }: Answers, completed: boolean): Snapshot {
    const wrong = new Set(judged.issues.map(({ path }) => path))
    const valid = Object.entries(typed).filter(([id]) => !wrong.has(`answers.${id}`) && !proposed.has(id))
    const values = Object.fromEntries(Object.entries(judged.values).filter(([id]) => !proposed.has(id)))
    const at = wholePage ? null : current
    return { answers: Object.fromEntries(valid), values, visited: [...visited], at, completed }
  }

  /** Goes on where this person left, here or on another device. */
  function restore(): LocalCopy | null {
    const found = hadErrors === undefined && data.mode === 'answer' ? findLocalCopy(data, form) : null
    const query = new URLSearchParams(location.search)
    const hasAnswers = hiddenValue(form, '_response') !== undefined
    if (hasAnswers) {
      // The server has filled in the answers of the questions before. Answers that this browser has not sent are newer.
      for (const { id } of definition.questions) visited.add(id)
      const { typed, judged } = readAnswers(data, form, visited)
      // A page without a link to the response answers a posted form. It holds words that were typed and not stored.
      if (['r', 'response', 'token'].some((name) => query.has(name)))
        saver.know({ answers: typed, values: judged.values })
      const answered = definition.questions.filter(
        ({ id }) => Object.hasOwn(judged.values, id) && judged.values[id] !== false,
      )
      visited.clear()
      for (const { id } of answered) visited.add(id)
    } else if (data.mode === 'answer' && hadErrors === undefined) {
      const given = [...query.keys()].map((name) => name.replace(/^a\./, ''))
      for (const { id } of definition.questions) if (given.includes(id)) proposed.add(id)
    }
    const kept = found && (!hasAnswers || found.unsent.length > 0) ? found : null
    if (kept) {
      saver.adopt(kept)
      fillForm(data, form, kept.values, (id) => !proposed.has(id) && (!hasAnswers || kept.unsent.includes(id)))
      for (const id of kept.visited) visited.add(id)
      if (kept.token !== undefined) status.offer(kept.token)
    }
    const { judged } = readAnswers(data, form, visited)
    const goesOn = data.mode === 'revise' ? undefined : (judged.next ?? judged.path.at(-1))
    const changed = kept ? [...proposed].find((id) => visited.has(id)) : undefined
    const asked = hadErrors ?? changed ?? kept?.at ?? goesOn
    // A preview also opens at a question that the answers so far do not lead to.
    const at = data.mode === 'preview' && hadErrors === undefined ? query.get('at') : null
    const opened = definition.questions.find(({ id }) => id === at)?.id
    current = opened ?? (asked !== undefined && judged.path.includes(asked) ? asked : judged.path[0]) ?? current
    return kept
  }

  function show(id: string, way: Way | null = null): void {
    current = id
    shownAt = Date.now()
    const read = answers()
    const section = screens.section(id)
    form.classList.remove('ahead', 'behind')
    if (section) fillTexts(data, section, read.judged)
    screens.show([id])
    if (way) {
      form.classList.add(way)
      screens.focus(id)
    }
    document.title = titleOf(section) || document.title
    update(read)
  }

  function showAll(): void {
    const { judged } = answers()
    for (const id of judged.path) visited.add(id)
    const read = answers()
    for (const section of screens.sections) fillTexts(data, section, read.judged)
    screens.show(read.judged.path)
    update(read)
  }

  function update({ judged: { path, required } }: Answers): void {
    const at = path.indexOf(current)
    const isLast = wholePage || at === path.length - 1
    if (next) next.textContent = own(isLast ? 'send' : 'next')
    back.hidden = wholePage || at <= 0
    progress?.show(at + 1, path.length)
    for (const section of screens.sections) markRequired(section, required.includes(idOf(section)), own('required'))
    host.tell('progress', { at: at + 1, of: path.length })
  }

  function goOn(): void {
    if (isDone) return
    clearTimeout(advance)
    const read = answers()
    const { path } = read.judged
    const errors = findErrors(data, read, wholePage ? path : [current])
    screens.showErrors(errors)
    if (errors.size > 0) return
    visited.add(current)
    proposed.delete(current)
    const following = wholePage ? undefined : after(path)
    if (following === undefined) return finish(read)
    move(following, 'ahead')
    saver.save(snapshot(answers(), false))
  }

  function after(path: string[]): string | undefined {
    const at = path.indexOf(current)
    if (at !== -1) return path[at + 1]
    const order = definition.questions.map(({ id }) => id)
    return order.slice(order.indexOf(current) + 1).find((id) => path.includes(id))
  }

  function goBack(): void {
    clearTimeout(advance)
    const { path } = answers().judged
    const before = path[path.indexOf(current) - 1]
    screens.showErrors(new Map())
    if (before === undefined || trail?.back(before)) return
    show(before, 'behind')
    trail?.stay(before)
  }

  function move(id: string, way: Way): void {
    show(id, way)
    trail?.ahead(id)
  }

  /** Shows the question of a history entry, or the one beside it if answers have since led past it. */
  function arrive(id: string, way: Way): void {
    if (isDone) return trail?.leave()
    clearTimeout(advance)
    const { path } = answers().judged
    const beside = path[path.indexOf(current) + (way === 'ahead' ? 1 : -1)] ?? current
    const to = path.includes(id) ? id : beside
    if (to === current) return trail?.pass(way)
    screens.showErrors(new Map())
    show(to, way)
    trail?.stay(to)
  }

  function finish(read: Answers): void {
    const unseen = findErrors(data, read, read.judged.path)
    const first = [...unseen.keys()][0]
    if (first !== undefined) {
      if (!wholePage && first !== current) move(first, 'behind')
      return screens.showErrors(unseen)
    }
    isDone = true
    if (next) next.disabled = true
    proposed.clear()
    saver.save(snapshot(read, true))
  }

  function onChange(event: Event): void {
    const changed = event.target instanceof Element ? event.target.closest('.question') : null
    if (changed) proposed.delete(idOf(changed))
    if (wholePage) {
      showAll()
      clearTimeout(advance)
      advance = setTimeout(() => isDone || saver.save(snapshot(answers(), false)), PAGE_SAVE_MS)
      return
    }
    update(answers())
    const written = event.target instanceof HTMLInputElement && event.target.classList.contains('other')
    if (!written) saver.keep(snapshot(answers(), false))
  }

  function takePresses(): void {
    if (next) next.ariaDisabled = null
  }

  // A click that chooses the one answer of a question leads on. Keys choose without that.
  function onClick(event: MouseEvent): void {
    const chosen = event.target
    if (wholePage || event.detail === 0 || !(chosen instanceof HTMLInputElement) || chosen.type !== 'radio') return
    const section = screens.section(current)
    if (!section?.contains(chosen) || !advances(section)) return
    clearTimeout(advance)
    advance = setTimeout(() => {
      const before = current
      goOn()
      if (!next || current === before) return
      next.ariaDisabled = 'true'
      clearTimeout(led)
      led = setTimeout(takePresses, LED_MS)
    }, ADVANCE_MS)
  }
}

function idOf(section: Element): string {
  return section.id.slice('q-'.length)
}

/** Answers to other questions may make one required, and take that back. */
function markRequired(section: HTMLElement, isRequired: boolean, word: string): void {
  const title = section.querySelector('legend, h2, .choice label span')
  const mark = section.querySelector('.mark')
  if (!isRequired) return mark?.remove()
  if (!mark) title?.append(' ', element('span', { class: 'mark' }, word))
}
