import type { Say } from '../../src/survey-engine/language/messages.ts'
import { element } from './page.ts'

/**
 * Turns the places of a ranking into a list to be sorted: by dragging, by the arrow keys on an entry, or by buttons.
 * A button accepts the order as it stands. The selects behind it stay the answer. Until something is moved or pressed,
 * nothing is answered.
 */
export function sortable(section: HTMLElement, own: Say): void {
  const lines = section.querySelector<HTMLElement>('.lines')
  const selects = lines ? [...lines.querySelectorAll('select')] : []
  if (!lines || selects.length === 0) return
  const entries = selects.map((select) => entryFor(select, section, own))
  const list = element('ol', { class: 'ranked' })
  const spoken = element('p', { class: 'unseen', role: 'status' })
  const placed = entries.every(({ select }) => select.value !== '')
  if (placed) entries.sort((a, b) => Number(a.select.value) - Number(b.select.value))
  list.append(...entries.map(({ item }) => item))
  const hint = lines.previousElementSibling
  if (hint?.classList.contains('hint')) hint.textContent = own('drag')
  lines.hidden = true
  const keep = element('button', { type: 'button', class: 'keep' }, own('keep_order'))
  lines.after(list, keep, spoken)
  const inOrder = () => [...list.children].flatMap((child) => entries.filter(({ item }) => item === child))

  const show = () => {
    const order = inOrder()
    for (const [index, { badge, select, up, down }] of order.entries()) {
      badge.textContent = select.value === '' ? '–' : select.value
      up.disabled = index === 0
      down.disabled = index === order.length - 1
    }
    keep.hidden = order.every(({ select }) => select.value !== '')
  }
  const settle = (moved: Entry) => {
    for (const [index, { select }] of inOrder().entries()) select.value = String(index + 1)
    show()
    const n = Number(moved.select.value)
    spoken.textContent = own('place', { item: moved.label.textContent, n, total: entries.length })
    list.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const move = (entry: Entry, to: number, focused: HTMLElement) => {
    const others = inOrder().filter((other) => other !== entry)
    const before = others[to]
    if (before) list.insertBefore(entry.item, before.item)
    else list.append(entry.item)
    settle(entry)
    focused.focus()
  }
  keep.addEventListener('click', () => {
    const [first] = inOrder()
    if (!first) return
    settle(first)
    first.grip.focus()
  })
  for (const entry of entries) {
    const { grip, up, down } = entry
    const at = () => inOrder().indexOf(entry)
    up.addEventListener('click', () => move(entry, Math.max(0, at() - 1), up.disabled ? grip : up))
    down.addEventListener('click', () => move(entry, at() + 1, down.disabled ? grip : down))
    grip.addEventListener('click', () => settle(entry))
    grip.addEventListener('keydown', (event) => {
      const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
      if (step === 0) return
      event.preventDefault()
      event.stopPropagation()
      move(entry, Math.max(0, at() + step), grip)
    })
    makeDraggable(entry, list, inOrder, () => settle(entry))
  }
  show()
}

interface Entry {
  select: HTMLSelectElement
  label: HTMLElement
  item: HTMLLIElement
  grip: HTMLButtonElement
  badge: HTMLElement
  up: HTMLButtonElement
  down: HTMLButtonElement
}

function entryFor(select: HTMLSelectElement, section: HTMLElement, own: Say): Entry {
  const words = section.querySelector(`label[for="${select.id}"]`)?.childNodes ?? []
  // The label may repeat an answer, and then changes.
  const label = element('span', {}, ...[...words].map((word) => word.cloneNode(true)))
  const badge = element('b')
  const button = (text: string) => element('button', { type: 'button', class: 'move' }, text)
  const grip = element('button', { type: 'button', class: 'grip' }, badge, label)
  const [up, down] = [button('↑'), button('↓')]
  const name = () => {
    up.setAttribute('aria-label', own('move_up', { item: label.textContent }))
    down.setAttribute('aria-label', own('move_down', { item: label.textContent }))
  }
  name()
  new MutationObserver(name).observe(label, { subtree: true, childList: true, characterData: true })
  return { select, label, item: element('li', {}, grip, up, down), grip, badge, up, down }
}

// A finger drags by the number only, so that the rest of the list still scrolls the page.
function makeDraggable(
  { item, grip, badge }: Entry,
  list: HTMLElement,
  inOrder: () => Entry[],
  onMoved: () => void,
): void {
  badge.style.touchAction = 'none'
  grip.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || (event.pointerType === 'touch' && event.target !== badge)) return
    item.classList.add('held')
    let moved = false
    const follow = ({ clientY }: PointerEvent) => {
      const place = inOrder().find((other) => other.item !== item && clientY < middleOf(other.item))?.item ?? null
      if (item.nextElementSibling === place) return
      list.insertBefore(item, place)
      moved = true
    }
    const drop = () => {
      item.classList.remove('held')
      dragging.abort()
      if (moved) onMoved()
    }
    // On the window, because an element that is moved loses its hold on the pointer.
    const dragging = new AbortController()
    const { signal } = dragging
    addEventListener('pointermove', follow, { signal })
    addEventListener('pointerup', drop, { signal })
    addEventListener('pointercancel', drop, { signal })
  })
}

function middleOf(item: HTMLElement): number {
  const { top, height } = item.getBoundingClientRect()
  return top + height / 2
}
