import type { Say } from '../../src/survey-engine/language/messages.ts'
import { button, element } from './page.ts'

/** Makes the plain link below a badge a button, for the device's own way to share or else for copying the address. */
export function enhanceSharing(root: ParentNode, own: Say): void {
  const link = root.querySelector<HTMLAnchorElement>('a.share')
  if (!link) return
  const shared = { url: link.href, title: root.querySelector('.badge img')?.getAttribute('alt') ?? '' }
  const address = { type: 'text', readonly: '', value: shared.url, 'aria-label': link.textContent, dir: 'ltr' }
  const field = element('input', address)
  const said = element('span', { role: 'status' })
  const opensSheet = navigator.canShare?.(shared) === true
  const share = button(opensSheet ? link.textContent : own('copy'), () => void press(), 'quiet')
  link.replaceWith(share, said)

  async function press(): Promise<void> {
    said.textContent = ''
    if (opensSheet && (await isShared(shared))) return
    said.before(field)
    if (!(await copyFrom(field))) return
    said.textContent = own('copied')
    share.focus()
  }
}

/** Copies the text of a field. Where a page may not use the clipboard, its selection is copied. */
export async function copyFrom(field: HTMLInputElement): Promise<boolean> {
  field.select()
  try {
    await navigator.clipboard.writeText(field.value)
    return true
  } catch {
    return document.execCommand('copy')
  }
}

/** Whether the sheet has opened. A person who closes it has changed their mind. */
async function isShared(data: ShareData): Promise<boolean> {
  try {
    await navigator.share(data)
    return true
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError'
  }
}
