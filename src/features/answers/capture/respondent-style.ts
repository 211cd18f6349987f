import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { accentOn } from '../../../platform/accent.ts'

/** The style of a page, and the source for its policy that allows exactly these bytes. */
export interface PageStyle {
  text: string
  source: string
}

const OURS = ''
const styles = new LRUCache<string, PageStyle>({ max: 1_000 })

/** The style of a respondent page in a brand colour, or in ours. */
export function styleFor(color: string | null): PageStyle {
  const known = styles.get(color ?? OURS)
  if (known) return known
  const text = STYLE + (color === null ? '' : accentStyle(color))
  const style = { text, source: `'sha256-${createHash('sha256').update(text).digest('base64')}'` }
  styles.set(color ?? OURS, style)
  return style
}

// The backgrounds with the least contrast to the accent: the ground in light mode, the paper in dark mode.
function accentStyle(color: string): string {
  const [light, dark] = [accentOn(color, '#f4f3f7'), accentOn(color, '#1f1e26')]
  return `:root{--accent:${light.color};--on:${light.text}}
@media(prefers-color-scheme:dark){:root{--accent:${dark.color};--on:${dark.text}}}
`
}

const STYLE = `
:root{color-scheme:light dark;--ink:#1c1b22;--soft:#5b5966;--line:#d9d7e0;--paper:#fff;--ground:#f4f3f7;--accent:#4a3aff;--on:#fff;--wrong:#b3122f}
@media(prefers-color-scheme:dark){:root{--ink:#f1f0f5;--soft:#b3b0bf;--line:#45434f;--paper:#1f1e26;--ground:#141319;--accent:#a79dff;--on:#141319;--wrong:#ff8a9b}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1.0625rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:42rem;margin:0 auto;padding:clamp(1rem,5vw,3rem) 1rem}
form,.notice{display:grid;gap:1.5rem}
.question,.notice{margin:0;padding:clamp(1rem,4vw,1.75rem);border:1px solid var(--line);border-radius:1rem;background:var(--paper);min-width:0}
.question.wrong{border-color:var(--wrong);border-width:2px}
fieldset.question{display:block}
.question>legend{float:left;width:100%;padding:0;margin:0 0 .75rem;font-size:1.25rem;font-weight:650;line-height:1.3}
.question>legend+*{clear:both}
h1{font-size:1.5rem;line-height:1.3;margin:0}
h2{font-size:1.25rem;font-weight:650;line-height:1.3;margin:0 0 .75rem;white-space:pre-line}
legend,.hint,.notice p{white-space:pre-line}
.hint,.page,.ends,.mark{color:var(--soft)}
.hint,.error{margin:0 0 .75rem}
.mark{font-size:.8125rem;font-weight:400}
.error,.summary{color:var(--wrong);font-weight:600}
.summary{border:2px solid var(--wrong);border-radius:1rem;padding:1rem 1.25rem;background:var(--paper)}
.summary p,.summary ul,.page{margin:0}
.summary a{color:inherit}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem;font-size:.9375rem}
nav button{min-height:1.75rem;padding:0;font-weight:400;color:var(--accent);background:none;border:0;text-decoration:underline}
.enter{position:absolute;width:1px;height:1px;min-height:0;padding:0;border:0;opacity:0}
.brand{max-width:42rem;margin:0 auto;padding:clamp(1rem,5vw,2rem) 1rem 0}
.brand img{display:block;height:3rem;max-width:min(15rem,100%);object-fit:contain;object-position:left}
[dir=rtl] .brand img{object-position:right}
.scale{display:grid;grid-template-columns:repeat(auto-fit,minmax(2.75rem,1fr));gap:.375rem;clear:both}
.scale span{position:relative}
.scale input{position:absolute;inset:0;width:100%;height:100%;margin:0;opacity:0;cursor:pointer}
.scale label{display:grid;place-items:center;min-height:2.75rem;border:1px solid var(--soft);border-radius:.625rem;font-variant-numeric:tabular-nums}
.scale input:hover+label{border-color:var(--accent)}
.scale input:checked+label{background:var(--accent);border-color:var(--accent);color:var(--on);font-weight:700}
.scale input:focus-visible+label{outline:3px solid var(--accent);outline-offset:2px}
.star label,.smiley label{font-size:1.75rem;line-height:1}
.star label{border-color:transparent;color:var(--soft)}
.star span:has(~span :checked) label,.star input:checked+label{background:none;border-color:transparent;color:var(--accent)}
.smiley input:checked+label{background:none;box-shadow:inset 0 0 0 2px var(--accent)}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.ends{display:flex;justify-content:space-between;gap:1rem;margin:.5rem 0 0;font-size:.9375rem}
.ends span:last-child{text-align:end}
.slider{display:flex;align-items:center;gap:1rem;min-height:2.75rem}
.slider input{flex:1;min-width:0;height:2.75rem;margin:0;accent-color:var(--accent);cursor:pointer}
.slider output{min-width:4ch;font-size:1.25rem;font-weight:650;font-variant-numeric:tabular-nums;text-align:end}
.choices,.lines,.rows{display:grid;gap:.5rem;clear:both}
.pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:.75rem;clear:both}
.choice{display:flex;gap:.625rem;align-items:flex-start;min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--line);border-radius:.625rem}
.choice:has(:checked){border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}
.choice input{flex:none;width:1.25rem;height:1.25rem;margin:.125rem 0 0;accent-color:var(--accent)}
.choice label{flex:1;cursor:pointer}
.pictured img{display:block;width:100%;aspect-ratio:4/3;object-fit:cover;border-radius:.375rem;margin-bottom:.375rem}
.row{border:0;margin:0;padding:0;min-width:0}
.row legend{padding:0;margin-bottom:.25rem;font-weight:600}
.cells{display:flex;flex-wrap:wrap;gap:.375rem}
.cells .choice{flex:1 1 7rem}
.line{display:grid;grid-template-columns:5rem 1fr;gap:.75rem;align-items:center}
.line.stacked{grid-template-columns:1fr;gap:.25rem}
textarea,select,input[type=text],input[type=email],input[type=url],input[type=tel],input[type=date]{width:100%;min-height:2.75rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--soft);border-radius:.625rem}
.other{margin-top:.5rem}
[aria-invalid=true]{border-color:var(--wrong)}
.actions{display:flex;flex-direction:row-reverse;justify-content:space-between;gap:1rem;margin:0}
button,.button{min-height:2.75rem;padding:.625rem 1.75rem;font:inherit;font-weight:650;color:var(--on);background:var(--accent);border:1px solid var(--accent);border-radius:.625rem;cursor:pointer;text-decoration:none}
.quiet{color:inherit;background:none;border-color:var(--soft)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`
