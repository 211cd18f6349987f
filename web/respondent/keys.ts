/** Lets a keyboard choose: digits on a scale, letters among choices, Enter to go on. */
export function listenToKeys(current: () => HTMLElement | null, goOn: () => void): void {
  let typed = ''
  let typedAt = 0
  document.addEventListener('keydown', (event) => {
    const section = current()
    const target = event.target instanceof HTMLElement ? event.target : null
    if (!section || event.defaultPrevented || event.altKey || event.isComposing) return
    if (event.key === 'Enter') {
      const isText = target?.matches('textarea') === true
      if (isText ? event.ctrlKey || event.metaKey : !target?.matches('button, a, select, summary')) {
        event.preventDefault()
        // A key that is held down would skip the questions that follow.
        if (!event.repeat) goOn()
      }
      return
    }
    if (event.ctrlKey || event.metaKey || target?.matches('textarea, select, input:not([type=radio],[type=checkbox])'))
      return
    if (event.key.startsWith('Arrow') && !section.contains(target)) {
      event.preventDefault()
      return firstControl(section)?.focus()
    }
    if (/^\d$/.test(event.key)) {
      // 1 and 0 soon after each other mean 10.
      typed = event.timeStamp - typedAt < 800 ? typed + event.key : event.key
      typedAt = event.timeStamp
      choose(
        section.querySelector(`.scale input[value="${typed}"]`) ??
          section.querySelector(`.scale input[value="${event.key}"]`),
      )
    } else if (/^[a-z]$/i.test(event.key)) {
      const place = event.key.toLowerCase().charCodeAt(0) - 97
      choose(
        section.querySelectorAll<HTMLInputElement>(':is(.choices,.pictures) input:is([type=radio],[type=checkbox])')[
          place
        ] ?? null,
      )
    }
  })
}

/** The control that a keyboard starts at: the chosen one, else the first. */
export function firstControl(section: HTMLElement): HTMLElement | null {
  return (
    section.querySelector<HTMLElement>('input[type=radio]:checked') ??
    section.querySelector<HTMLElement>('.ranked .grip') ??
    section.querySelector<HTMLElement>(':scope > .phone input') ??
    section.querySelector<HTMLElement>(':is(input,select,textarea)')
  )
}

function choose(control: HTMLInputElement | null): void {
  if (!control) return
  control.focus()
  if (control.type === 'checkbox') control.checked = !control.checked
  else control.checked = true
  control.dispatchEvent(new Event('change', { bubbles: true }))
}
