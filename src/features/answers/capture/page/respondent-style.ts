import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { accentOn, isDark, seenOn, SHAPE_CONTRAST, TEXT_CONTRAST } from '../../../../platform/look/accent.ts'

/** The style of a page, and the source for its policy that allows exactly these bytes. */
export interface PageStyle {
  text: string
  source: string
}

/** The look that a workspace gives its pages. */
export interface Theme {
  /** `#rrggbb` */
  color: string | null
  /** `#rrggbb`. A light one is for light screens, a dark one for all. */
  background: string | null
  corners: 'square' | 'rounded' | 'round'
}

const OURS: Theme = { color: null, background: null, corners: 'rounded' }
const styles = new LRUCache<string, PageStyle>({ max: 1_000 })

/** The style of a respondent page in the look of a workspace, or in ours. */
export function styleFor(theme: Theme | null): PageStyle {
  const { color, background, corners } = theme ?? OURS
  const key = `${color} ${background} ${corners}`
  const known = styles.get(key)
  if (known) return known
  const text = STYLE + cornerStyle(corners) + groundStyle(background) + accentStyle(color, background)
  const style = { text, source: `'sha256-${createHash('sha256').update(text).digest('base64')}'` }
  styles.set(key, style)
  return style
}

const CORNERS = { square: ':root{--r:0px}\n', rounded: '', round: ':root{--r:1.5rem}\n' }

function cornerStyle(corners: Theme['corners']): string {
  return CORNERS[corners]
}

const LIGHT = { ink: '#1c1b22', soft: '#5b5966', edge: '#85828f', wrong: '#b3122f' }
const DARK = { ink: '#f1f0f5', soft: '#b3b0bf', edge: '#8a8796', wrong: '#ff8a9b' }

/** Decoration: nothing depends on seeing it. */
const LINE_CONTRAST = 1.35

function groundStyle(background: string | null): string {
  if (background === null) return ''
  const dark = isDark(background)
  const { ink, soft, edge, wrong } = dark ? DARK : LIGHT
  const seen = (color: string, least: number) => seenOn(color, background, least)
  const colors = `--ink:${ink};--soft:${seen(soft, TEXT_CONTRAST)};--edge:${seen(edge, SHAPE_CONTRAST)};--wrong:${seen(wrong, TEXT_CONTRAST)}`
  const root = `:root{${dark ? 'color-scheme:dark;' : ''}${colors};--line:${seen(background, LINE_CONTRAST)};--paper:${background};--ground:${background}}`
  return dark ? `${root}\n` : `@media(prefers-color-scheme:light){${root}}\n`
}

const OUR_ACCENTS = ['#4a3aff', '#a79dff'] as const

// Ours have the backgrounds with the least contrast to the accent: the ground in light mode, the paper in dark mode.
function accentStyle(color: string | null, background: string | null): string {
  if (color === null && background === null) return ''
  const dark = background !== null && isDark(background)
  const ofLight = accentOn(color ?? OUR_ACCENTS[dark ? 1 : 0], background ?? '#f4f3f7')
  const ofDark = dark ? ofLight : accentOn(color ?? OUR_ACCENTS[1], '#1f1e26')
  return `:root{--accent:${ofLight.color};--on:${ofLight.text}}
@media(prefers-color-scheme:dark){:root{--accent:${ofDark.color};--on:${ofDark.text}}}
`
}

const STYLE = `
:root{--r:.625rem;color-scheme:light dark;--ink:#1c1b22;--soft:#5b5966;--line:#dcdae3;--edge:#85828f;--paper:#fff;--ground:#f4f3f7;--accent:#4a3aff;--on:#fff;--wrong:#b3122f}
@media(prefers-color-scheme:dark){:root{--ink:#f1f0f5;--soft:#b3b0bf;--line:#3a3843;--edge:#8a8796;--paper:#1f1e26;--ground:#141319;--accent:#a79dff;--on:#141319;--wrong:#ff8a9b}}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;background:var(--paper);color:var(--ink);font:1.0625rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{flex:1;display:flex;flex-direction:column;width:100%;max-width:42rem;margin:0 auto;padding:clamp(1.5rem,6vw,4rem) 1.25rem 1.5rem}
form{flex:1;display:flex;flex-direction:column;gap:2.5rem}
.question,.notice{margin:0;padding:0;border:0;min-width:0}
.question+.question{padding-top:2.5rem;border-top:1px solid var(--line)}
fieldset.question{display:block}
.question.wrong{border-inline-start:3px solid var(--wrong);padding-inline-start:1rem}
.question>legend{float:left;width:100%;padding:0;margin:0 0 1.25rem}
.question>legend+*{clear:both}
h1,h2,.question>legend{font-size:clamp(1.375rem,1.1rem + 1.2vw,1.75rem);font-weight:600;line-height:1.3;letter-spacing:-.01em}
h1{margin:0}
h2{margin:0 0 1.25rem;white-space:pre-line}
.notice{margin:auto 0;padding:2rem 0}
.notice p{margin:1rem 0 0;color:var(--soft)}
.notice .actions{flex-direction:row;margin-top:2rem}
.notice[role=status]::before{content:"✓"/"";display:grid;place-items:center;width:3rem;height:3rem;margin-bottom:1.25rem;border-radius:50%;background:var(--accent);color:var(--on);font-size:1.375rem}
.notice:has(+.badge){margin-bottom:0}
.badge{margin:0 0 auto;padding:0 0 2rem}
.badge img{display:block;height:1.75rem;max-width:100%;object-fit:contain;object-position:0}
.badge .card{height:7rem}
[dir=rtl] .badge img{object-position:100%}
.badge p{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;margin:1rem 0 0;color:var(--soft)}
legend,.hint,.notice p{white-space:pre-line}
.hint,.page,.ends,.mark,.status{color:var(--soft)}
p.notice{margin:0 0 1.5rem;padding:.5rem .875rem;border:1px solid var(--line);border-radius:var(--r);font-size:.9375rem;color:var(--soft)}
.hint,.error{margin:0 0 1rem}
legend+.hint,h2+.hint{margin-top:-.75rem}
.mark{font-size:.8125rem;font-weight:400;letter-spacing:0}
.error,.summary{color:var(--wrong);font-weight:600}
.summary{border:2px solid var(--wrong);border-radius:var(--r);padding:1rem 1.25rem}
.summary p,.summary ul,.page{margin:0}
.summary a{color:inherit}
nav{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem 1rem;font-size:.9375rem}
nav button,.link{min-height:1.75rem;padding:0;font-weight:400;color:inherit;background:none;border:0;text-decoration:underline;text-decoration-color:var(--accent);text-underline-offset:.2em}
.enter,.trap{position:absolute;width:1px;height:1px;min-height:0;padding:0;border:0;opacity:0;overflow:hidden;clip-path:inset(50%)}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.brand{width:100%;max-width:42rem;margin:0 auto;padding:1.25rem 1.25rem 0}
.brand img{display:block;height:2.5rem;max-width:min(15rem,100%);object-fit:contain;object-position:left}
[dir=rtl] .brand img{object-position:right}
.scale{display:grid;grid-template-columns:repeat(auto-fit,minmax(2.75rem,1fr));gap:.375rem;clear:both}
.scale span{position:relative}
.scale input{position:absolute;inset:0;width:100%;height:100%;margin:0;opacity:0;cursor:pointer}
.scale label{display:grid;place-items:center;min-height:3rem;border:1px solid var(--edge);border-radius:var(--r);font-variant-numeric:tabular-nums;transition:background .12s,border-color .12s}
.scale input:hover+label{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}
.scale input:checked+label{background:var(--accent);border-color:var(--accent);color:var(--on);font-weight:700}
.scale input:focus-visible+label{outline:3px solid var(--accent);outline-offset:2px}
.star label,.smiley label{font-size:1.75rem;line-height:1}
.star label{border-color:transparent;color:var(--soft)}
.star span:has(~span :checked) label,.star input:checked+label{background:none;border-color:transparent;color:var(--accent)}
.smiley input:checked+label{background:none;box-shadow:inset 0 0 0 2px var(--accent)}
.ends{display:flex;justify-content:space-between;gap:1rem;margin:.5rem 0 0;font-size:.9375rem}
.ends span:last-child{text-align:end}
.slider{display:flex;align-items:center;gap:1rem;min-height:2.75rem}
.slider input{flex:1;min-width:0;height:2.75rem;margin:0;accent-color:var(--accent);cursor:pointer}
.slider output{min-width:4ch;font-size:1.375rem;font-weight:600;font-variant-numeric:tabular-nums;text-align:end}
.choices,.lines,.rows{display:grid;gap:.5rem;clear:both}
.rows{gap:1.25rem}
.pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:.75rem;clear:both}
.choice{position:relative;display:flex;gap:.75rem;align-items:flex-start;min-height:3rem;padding:.6875rem .875rem;border:1px solid var(--line);border-radius:var(--r);transition:border-color .12s}
.choice:hover{border-color:var(--accent)}
.choice:has(:checked){border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}
.choice:has(:focus-visible){outline:3px solid var(--accent);outline-offset:2px}
.choice input{position:relative;z-index:1;flex:none;width:1.25rem;height:1.25rem;margin:.1875rem 0 0;accent-color:var(--accent);outline:0}
.choice label{flex:1;cursor:pointer}
.choice label::before{content:"";position:absolute;inset:0}
.pictured{padding:.5rem .5rem .75rem}
.pictured img{display:block;width:100%;aspect-ratio:4/3;object-fit:cover;border-radius:min(var(--r),.375rem);margin-bottom:.5rem}
.pictured input{position:absolute;z-index:1;inset-inline-start:.875rem;top:.6875rem}
.row{border:0;margin:0;padding:0;min-width:0}
.row legend{padding:0;margin-bottom:.5rem;font-weight:600}
.cells{display:grid;grid-template-columns:repeat(auto-fit,minmax(7rem,1fr));gap:.375rem}
.line{display:grid;grid-template-columns:5rem 1fr;gap:.75rem;align-items:center}
.line.stacked{grid-template-columns:1fr;gap:.25rem}
textarea,select,input[type=text],input[type=email],input[type=url],input[type=tel],input[type=date]{width:100%;min-height:3rem;padding:.625rem .875rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--edge);border-radius:var(--r)}
.other{margin-top:.5rem}
:is(.choice,select):has([value=other]:not(:checked))+.other:placeholder-shown{display:none}
[aria-invalid=true]{border-color:var(--wrong)}
.actions{display:flex;flex-direction:row-reverse;justify-content:space-between;gap:1rem;margin:0}
button,.button{min-height:3rem;padding:.625rem 1.75rem;font:inherit;font-weight:600;color:var(--on);background:var(--accent);border:1px solid var(--accent);border-radius:var(--r);cursor:pointer;text-decoration:none}
.quiet{color:inherit;background:none;border-color:var(--edge)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
[tabindex="-1"]:focus{outline:0}
form{container-type:inline-size}
@container(max-width:33.9rem){.s11{grid-template-columns:repeat(6,1fr)}}
@container(max-width:30.9rem){.s10{grid-template-columns:repeat(5,1fr)}}
@media(scripting:enabled){.scripted .question~.question{animation:late 0s 4s backwards}}
@keyframes late{from{visibility:hidden}}
.steps .question+.question{padding-top:0;border-top:0}
.steps .question{margin:auto 0;animation:none}
.steps .question.wrong{border:0;padding:0}
.steps.ahead .question{animation:ahead .18s ease-out}
.steps.behind .question{animation:behind .18s ease-out}
@keyframes ahead{from{opacity:0;transform:translateY(1rem)}}
@keyframes behind{from{opacity:0;transform:translateY(-1rem)}}
.framed body{min-height:0}
.framed main{padding:1.25rem}
.framed .brand{padding-bottom:0}
.framed form{gap:1.5rem}
.framed .steps .question,.framed .notice{margin:0}
.page-wide .question{animation:none}
.page-wide .tap{display:none}
.tap{margin:.75rem 0 0;font-size:.9375rem}
.steps .question :is(input,select,textarea,button){scroll-margin-bottom:6rem}
.steps .actions{position:sticky;bottom:0;padding:.75rem 0;background:var(--paper)}
.head{display:flex;align-items:center;gap:1rem;font-size:.9375rem;color:var(--soft);font-variant-numeric:tabular-nums;white-space:nowrap}
progress{flex:1;height:4px;border:0;border-radius:2px;background:var(--line);accent-color:var(--accent);appearance:none;overflow:hidden}
progress::-webkit-progress-bar{background:var(--line)}
progress::-webkit-progress-value{background:var(--accent);transition:width .18s}
progress::-moz-progress-bar{background:var(--accent)}
.steps .actions+.status{margin-top:-1.5rem}
.status{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.25rem 1rem;margin:0;font-size:.9375rem}
.elsewhere{flex-basis:100%}
.elsewhere p{margin:.5rem 0}
.phone{display:grid;grid-template-columns:6.5rem 1fr;gap:.5rem}
.ranked{list-style:none;margin:0;padding:0;display:grid;gap:.5rem;touch-action:pan-y}
.ranked li{display:flex;align-items:center;gap:.5rem;padding:.25rem .375rem .25rem .25rem;border:1px solid var(--line);border-radius:var(--r);background:var(--paper)}
.ranked .grip{flex:1;display:flex;gap:.75rem;align-items:center;min-height:2.75rem;padding:.25rem .5rem;text-align:start;font-weight:400;color:inherit;background:none;border:0;cursor:grab;touch-action:none}
.ranked b{min-width:1.75rem;text-align:center;color:var(--accent);font-variant-numeric:tabular-nums}
.ranked .move{min-width:2.75rem;min-height:2.75rem;padding:0;color:inherit;background:none;border-color:transparent}
.keep{margin-top:.75rem;font-weight:400;color:inherit;background:none;border-color:var(--line)}
.ranked .held{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent);cursor:grabbing}
@media(hover:hover){.steps .choices{counter-reset:choice}.steps .choices .choice{counter-increment:choice}.steps .choices label::after{content:counter(choice,upper-alpha)/"";position:absolute;inset-inline-end:.875rem;color:var(--soft);font-size:.8125rem;line-height:1.6rem}.steps .choices label{padding-inline-end:1.25rem}}
@media(forced-colors:active){:focus-visible,.scale input:focus-visible+label,.choice:has(:focus-visible){outline-color:CanvasText}.scale input:checked+label,.choice:has(:checked){forced-color-adjust:none;background:Highlight;color:HighlightText}.question.wrong{border-color:CanvasText}progress{border:1px solid CanvasText}}
@media(prefers-reduced-motion:reduce){*{animation-duration:0s!important;transition:none!important}progress::-webkit-progress-value{transition:none}}
`
