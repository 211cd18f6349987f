import { LRUCache } from 'lru-cache'
import { sourceOf } from '../../../../platform/look/content-source.ts'
import { accentOn, isDark, seenOn, SHAPE_CONTRAST, TEXT_CONTRAST } from '../../../../platform/look/accent.ts'
import { DARK, declared, LIGHT } from '../../../../platform/look/tokens.ts'
import { layoutStyle } from './layout-style.ts'
import type { Look } from './respondent-view.ts'

/** The style of a page, and the source for its policy that allows exactly these bytes. */
export interface PageStyle {
  text: string
  source: string
}

const OURS: Look = {
  color: null,
  background: null,
  corners: 'rounded',
  layout: 'plain',
  font: 'system',
  fontUrl: null,
  coverUrl: null,
}
const styles = new LRUCache<string, PageStyle>({ max: 1_000 })

/** The style of a respondent page in the look of a workspace, or in ours. */
export function styleFor(look: Look | null): PageStyle {
  const { color, background, corners, layout, font, fontUrl, coverUrl } = look ?? OURS
  const hasCover = coverUrl !== null
  const key = [color, background, corners, layout, font, fontUrl, hasCover].join(' ')
  const known = styles.get(key)
  if (known) return known
  // A card lies on the background, and has the paper of our own.
  const own = layout === 'card' ? null : background
  const text = [
    STYLE,
    CORNERS[corners],
    groundStyle(own),
    accentStyle(color, own),
    fontStyle(font, fontUrl),
    layoutStyle(layout, { background, hasCover }),
  ].join('')
  const style = { text, source: sourceOf(text) }
  styles.set(key, style)
  return style
}

const CORNERS = { square: ':root{--r:0px}\n', rounded: '', round: ':root{--r:1.5rem}\n' }

const FAMILIES = {
  system: '',
  serif: 'ui-serif,Charter,Cambria,Georgia,serif',
  inter: 'Inter,system-ui,sans-serif',
  nunito: 'Nunito,system-ui,sans-serif',
  literata: 'Literata,ui-serif,Georgia,serif',
} satisfies Record<Look['font'], string>

// The words are there at once, in a font of the device, and other letters than Latin ones stay in it.
function fontStyle(font: Look['font'], url: string | null): string {
  const family = FAMILIES[font]
  if (family === '') return ''
  const [name] = family.split(',')
  const face =
    url === null
      ? ''
      : `@font-face{font-family:${name};src:url(${url}) format("woff2");font-weight:400 600;font-display:swap;unicode-range:U+0-FF,U+131,U+152-153,U+2000-206F,U+20AC,U+2122,U+2190-2193,U+2212}\n`
  return `${face}body{font-family:${family}}\n`
}

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

// Ours have the backgrounds with the least contrast to the accent: the ground in light mode, the paper in dark mode.
function accentStyle(color: string | null, background: string | null): string {
  if (color === null && background === null) return ''
  const dark = background !== null && isDark(background)
  const ofLight = accentOn(color ?? (dark ? DARK : LIGHT).accent, background ?? LIGHT.ground)
  const ofDark = dark ? ofLight : accentOn(color ?? DARK.accent, DARK.paper)
  return `:root{--accent:${ofLight.color};--on:${ofLight.text}}
@media(prefers-color-scheme:dark){:root{--accent:${ofDark.color};--on:${ofDark.text}}}
`
}

const STYLE = `
:root{--r:.625rem;color-scheme:light dark;${declared(LIGHT)}}
@media(prefers-color-scheme:dark){:root{${declared(DARK)}}}
*{box-sizing:border-box}
[hidden]{display:none!important}
@media(min-width:64rem) and (min-height:40rem){html{font-size:112.5%}}
html{scroll-padding:1rem 0 7rem}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;background:var(--ground);color:var(--ink);font:1.0625rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main,.sheet{flex:1;display:flex;flex-direction:column}
main{width:100%;max-width:43.5rem;margin:0 auto;padding:1.25rem 1.25rem 1.5rem}
form{flex:1;display:flex;flex-direction:column;gap:2.5rem}
.question,.notice{margin:0;padding:0;border:0;min-width:0}
.question{container-type:inline-size}
.question+.question{padding-top:2.5rem;border-top:1px solid var(--line)}
fieldset.question{display:block}
.question.wrong{border-inline-start:3px solid var(--wrong);padding-inline-start:1rem}
.question>legend{float:left;width:100%;padding:0;margin:0 0 1.5rem}
.question>legend+*{clear:both}
h1,h2,.question>legend{font-size:clamp(1.5rem,1.25rem + 1.2vw,2rem);font-weight:600;line-height:1.25;letter-spacing:-.015em;text-wrap:balance}
:is([lang=ar],[lang=fa],[lang=ur],[lang=he]) :is(h1,h2,legend){line-height:1.45;letter-spacing:0}
h1{margin:0}
h2{margin:0 0 1.5rem;white-space:pre-line}
.notice{display:flex;flex-direction:column;align-items:center;margin:auto 0;padding:2rem 0;text-align:center;text-wrap:balance}
.notice>*{max-width:34rem}
.notice p{margin:1rem 0 0;font-size:1.125rem;color:var(--soft)}
.notice .mark{font-size:.8125rem}
.notice .actions{margin-top:2rem}
.notice[role=status]::before{content:"✓"/"";display:grid;place-items:center;width:4rem;height:4rem;margin-bottom:1.5rem;border-radius:50%;background:var(--accent);color:var(--on);font-size:1.75rem;outline:.5rem solid color-mix(in srgb,var(--accent) 16%,transparent)}
.notice:has(+.badge){margin-bottom:0}
.badge{display:flex;flex-direction:column;align-items:center;margin:0 0 auto;padding:0 0 2rem}
.badge img{display:block;height:2rem;max-width:100%;object-fit:contain}
.badge .card{height:9rem}
.badge p{display:flex;flex-wrap:wrap;align-items:center;justify-content:center;gap:.5rem 1rem;margin:1.25rem 0 0;color:var(--soft)}
.badge span:empty{position:absolute}
legend,.hint,.notice p{white-space:pre-line}
.hint,.page,.ends,.mark,.status{color:var(--soft)}
p.notice{display:block;margin:0 0 1.5rem;padding:.5rem .875rem;border:1px solid var(--line);border-radius:var(--r);font-size:.9375rem;color:var(--soft);background:var(--paper)}
.hint,.error{margin:0 0 1.25rem}
legend+.hint,h2+.hint{margin-top:-1rem}
.mark{font-size:.8125rem;font-weight:400;letter-spacing:0}
.error,.summary{color:var(--wrong);font-weight:600}
.error::before{content:"!"/"";display:inline-grid;place-items:center;width:1.25rem;height:1.25rem;margin-inline-end:.5rem;border-radius:50%;background:var(--wrong);color:var(--ground);font-size:.8125rem;font-weight:700}
.summary{border:2px solid var(--wrong);border-radius:var(--r);padding:1rem 1.25rem;background:var(--paper)}
.summary p,.summary ul,.page{margin:0}
.summary a{color:inherit}
nav{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem 1rem;font-size:.9375rem}
nav button,.link{min-height:1.75rem;padding:0;font-weight:400;color:inherit;background:none;border:0;text-decoration:underline;text-decoration-color:var(--accent);text-underline-offset:.2em}
.enter,.trap{position:absolute;width:1px;height:1px;min-height:0;padding:0;border:0;opacity:0;overflow:hidden;clip-path:inset(50%)}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.brand{width:100%;max-width:43.5rem;margin:0 auto;padding:1.5rem 1.25rem 0}
.brand img{display:block;height:2.5rem;max-width:min(15rem,100%);object-fit:contain;object-position:left}
[dir=rtl] .brand img{object-position:right}
.scale{display:grid;grid-template-columns:repeat(auto-fit,minmax(2.75rem,1fr));gap:.375rem;clear:both}
.scale>span{position:relative}
.scale input{position:absolute;inset:0;width:100%;height:100%;margin:0;opacity:0;cursor:pointer}
.scale label{display:grid;place-items:center;min-height:3.5rem;font-size:1.125rem;font-weight:500;background:var(--paper);border:1px solid var(--edge);border-radius:var(--r);font-variant-numeric:tabular-nums;transition:background .12s,border-color .12s}
.scale input:hover+label{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}
.scale input:checked+label{background:var(--accent);border-color:var(--accent);color:var(--on);font-weight:700}
.scale input:focus-visible+label{outline:3px solid var(--accent);outline-offset:2px}
.star,.smiley,:is(.star,.smiley)+.ends{max-width:30rem}
.star label,.smiley label{min-height:4rem;font-size:2.25rem;line-height:1}
.star label{background:none;border-color:transparent;color:var(--edge)}
.star span:has(~span :checked) label,.star input:checked+label{background:none;border-color:transparent;color:var(--accent)}
.smiley svg{display:block;width:2.5rem;fill:none;stroke:currentcolor;stroke-width:2;stroke-linecap:round}
.ends{display:flex;justify-content:space-between;gap:1rem;margin:.75rem 0 0;font-size:.9375rem}
.ends span:last-child{text-align:end}
.slider{display:flex;align-items:center;gap:1rem;min-height:3rem}
.slider input{flex:1;min-width:0;height:2.75rem;margin:0;accent-color:var(--accent);cursor:pointer}
.slider output{min-width:4ch;font-size:1.5rem;font-weight:600;font-variant-numeric:tabular-nums;text-align:end}
.slider~.hint{margin:.75rem 0 0}
.choices,.lines,.rows{display:grid;gap:.5rem;clear:both}
.rows{gap:1.5rem}
.pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:.75rem;clear:both}
.choice{position:relative;display:flex;gap:.75rem;align-items:flex-start;min-height:3.25rem;padding:.8125rem 1rem;background:var(--paper);border:1px solid var(--line);border-radius:var(--r);transition:border-color .12s}
.choice:hover{border-color:var(--accent)}
.choice:has(:checked){border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent);background:color-mix(in srgb,var(--accent) 8%,var(--paper))}
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
.line.stacked{grid-template-columns:1fr;gap:.375rem}
.line.stacked label{font-size:.9375rem;font-weight:600}
textarea,select,input[type=text],input[type=email],input[type=url],input[type=tel],input[type=date]{width:100%;min-height:3.25rem;padding:.75rem 1rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--edge);border-radius:var(--r)}
textarea{min-height:8rem;line-height:1.5}
input[type=date],select{max-width:20rem}
.line select,.phone select{max-width:none}
.other{margin-top:.5rem}
:is(.choice,select):has([value=other]:not(:checked))+.other:placeholder-shown{display:none}
[aria-invalid=true]{border-color:var(--wrong)}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin:0}
button,.button{min-height:3rem;padding:.625rem 1.75rem;font:inherit;font-weight:600;color:var(--on);background:var(--accent);border:1px solid var(--accent);border-radius:var(--r);cursor:pointer;text-decoration:none}
.quiet{color:inherit;background:var(--paper);border-color:var(--edge)}
.actions .quiet{background:none;border-color:transparent;padding-inline:1.25rem;color:var(--soft)}
.actions .quiet:hover{border-color:var(--edge)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
[tabindex="-1"]:focus{outline:0}
@container(max-width:33.9rem){.s11{grid-template-columns:repeat(30,1fr)}.s11>span{grid-column:span 5}.s11>span:nth-child(n+7){grid-column:span 6}}
@container(max-width:30.9rem){.s10{grid-template-columns:repeat(5,1fr)}}
@container(max-width:27.9rem){.s9{grid-template-columns:repeat(20,1fr)}.s9>span{grid-column:span 4}.s9>span:nth-child(n+6){grid-column:span 5}}
@container(max-width:24.9rem){.s8{grid-template-columns:repeat(4,1fr)}}
@container(max-width:33.9rem){.scale label{min-height:3.25rem}.star label,.smiley label{font-size:2rem}}
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
.framed .cover{display:none}
.framed main{padding:1.25rem}
.framed .brand{padding-bottom:0}
.framed .head,.framed form>nav{padding-inline-end:2.5rem}
.framed form{gap:1.5rem}
.framed .steps .question,.framed .notice{margin:0}
.page-wide .question{animation:none}
.page-wide .tap,.question:not(:has(.mark))>.tap{display:none}
.tap{margin:1rem 0 0;font-size:.9375rem}
.steps .question :is(input,select,textarea,button){scroll-margin-bottom:6rem}
.steps .actions{position:sticky;bottom:0;padding:.75rem 0;background:var(--ground)}
@media(max-width:40rem){.actions{flex-direction:row-reverse}.actions [name=_next]{flex:1}}
@media(min-width:40.01rem) and (min-height:36rem){.steps:not(.sent) .question{margin-bottom:0}.steps .status{margin-top:auto}}
.head{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.25rem 1rem;font-size:.9375rem;color:var(--soft);font-variant-numeric:tabular-nums}
.head nav{color:var(--ink)}
progress{position:fixed;z-index:2;inset:0 0 auto;width:100%;height:5px;border:0;background:var(--line);accent-color:var(--accent);appearance:none;overflow:hidden}
progress::-webkit-progress-bar{background:var(--line)}
progress::-webkit-progress-value{background:var(--accent);transition:width .18s}
progress::-moz-progress-bar{background:var(--accent)}
.status{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.25rem 1rem;margin:0;min-height:1.75rem;font-size:.9375rem}
.elsewhere{flex-basis:100%}
.elsewhere p{margin:.5rem 0}
.phone{display:grid;grid-template-columns:6.5rem 1fr;gap:.5rem}
.ranked{list-style:none;margin:0;padding:0;display:grid;gap:.5rem;touch-action:pan-y}
.ranked li{display:flex;align-items:center;gap:.5rem;padding:.25rem .375rem .25rem .25rem;border:1px solid var(--line);border-radius:var(--r);background:var(--paper)}
.ranked .grip{flex:1;display:flex;gap:.75rem;align-items:center;min-height:2.75rem;padding:.25rem .5rem;text-align:start;font-weight:400;color:inherit;background:none;border:0;cursor:grab;touch-action:none}
.ranked b{min-width:1.75rem;text-align:center;font-variant-numeric:tabular-nums}
.ranked .move{min-width:2.75rem;min-height:2.75rem;padding:0;color:inherit;background:none;border-color:transparent}
.keep{margin-top:.75rem;font-weight:400;color:inherit;background:none;border-color:var(--edge)}
.ranked .held{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent);cursor:grabbing}
@media(hover:hover){.steps .choices{counter-reset:choice}.steps .choices .choice{counter-increment:choice}.steps .choices label::after{content:counter(choice,upper-alpha)/"";position:absolute;inset-inline-end:1rem;color:var(--soft);font-size:.8125rem;line-height:1.6rem}.steps .choices label{padding-inline-end:1.25rem}}
@media(forced-colors:active){:focus-visible,.scale input:focus-visible+label,.choice:has(:focus-visible){outline-color:CanvasText}.scale input:checked+label,.choice:has(:checked){forced-color-adjust:none;background:Highlight;color:HighlightText}.question.wrong{border-color:CanvasText}progress{border:1px solid CanvasText}.actions .quiet{border-color:ButtonBorder}}
@media(prefers-reduced-motion:reduce){*{animation-duration:0s!important;transition:none!important}progress::-webkit-progress-value{transition:none}}
`
