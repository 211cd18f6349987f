import { isDark } from '../../../../platform/look/accent.ts'
import type { Look } from './respondent-view.ts'

/** The rules that a layout adds to the style of a page. On a phone each is a column below its cover. */
export function layoutStyle(
  layout: Look['layout'],
  { background, hasCover }: { background: string | null; hasCover: boolean },
): string {
  const cover = hasCover || layout === 'split' ? COVER : ''
  if (layout === 'plain') return cover
  return cover + (layout === 'split' ? SPLIT : behind(background) + CARD)
}

// A light colour is for light screens, a dark one for all.
function behind(background: string | null): string {
  if (background === null) return ''
  const rule = `body{background:${background}}`
  return isDark(background) ? `${rule}\n` : `@media(prefers-color-scheme:light){${rule}}\n`
}

const COVER = `.cover{display:block;flex:none;width:100%;height:clamp(6rem,20vh,15rem);object-fit:cover;background:var(--accent)}
div.cover{height:.75rem}
@media(max-height:30rem){.cover{height:3rem}}
`

const SPLIT = `@media(min-width:60rem){body{flex-direction:row}.cover,div.cover{position:sticky;top:0;width:42%;height:100vh}.sheet{min-width:0}main{padding-inline:clamp(1.5rem,4vw,4rem)}.brand{padding-inline:clamp(1.5rem,4vw,4rem)}}
`

const CARD = `.sheet{background:var(--paper);--ground:var(--paper)}
@media(min-width:48rem){.sheet{flex:none;width:100%;max-width:48rem;min-height:min(38rem,80vh);margin:auto;border:1px solid var(--line);border-radius:calc(var(--r)*1.6)}body{padding:3rem 1.5rem}.cover{position:fixed;z-index:-1;inset:0;height:100%}main{max-width:none;padding:2.25rem 3rem 1.75rem}.brand{max-width:none;padding:2.25rem 3rem 0}.framed body{padding:0}.framed .sheet{border:0;min-height:0}}
`
