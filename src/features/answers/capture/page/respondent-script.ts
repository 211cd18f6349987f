import { sourceOf } from '../../../../platform/look/content-source.ts'

/**
 * Shows the number of a slider while it moves. It sends and decides nothing: the page works without it, and a screen
 * reader reads the number itself.
 */
export const SCRIPT = `
for (const range of document.querySelectorAll('input[type=range]')) {
  const shown = range.parentNode.querySelector('output')
  const show = () => { shown.value = range.value === range.min ? '\u2013' : range.valueAsNumber.toLocaleString(document.documentElement.lang) }
  range.addEventListener('input', show)
  shown.hidden = false
  show()
}
`

/** Allows exactly these bytes in the policy of a page. */
export const SCRIPT_SOURCE = sourceOf(SCRIPT)
