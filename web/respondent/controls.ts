import type { Say } from '../../src/survey-engine/language/messages.ts'
import { element } from './page.ts'
import { sortable } from './ranking.ts'

/** Gives questions the controls that need a script. The plain ones below stay the answer. */
export function enhance(sections: HTMLElement[], own: Say, language: string): void {
  for (const section of sections) {
    if (section.querySelector('.line:not(.stacked) > select')) sortable(section, own)
    const other = section.querySelector<HTMLInputElement>('input.other')
    if (other) clearOther(section, other)
    if (advances(section)) section.append(element('p', { class: 'hint tap' }, own('tap')))
    for (const phone of section.querySelectorAll<HTMLInputElement>('input[type=tel]')) addCountry(phone, own, language)
    for (const range of section.querySelectorAll<HTMLInputElement>('input[type=range]')) showNumber(range, language)
  }
}

/** Whether a click on an answer leads on, because the question has just one and nothing is written beside it. */
export function advances(section: HTMLElement): boolean {
  return section.querySelector('input[type=radio]') !== null && section.querySelector('.row, .other') === null
}

// Text beside another choice would be a contradiction. The style hides the field where it is empty and not chosen.
function clearOther(section: HTMLElement, other: HTMLInputElement): void {
  section.addEventListener('change', (event) => {
    if (event.target === other) return
    if (section.querySelector('[value=other]:checked')) other.focus()
    else other.value = ''
  })
}

/** Shows the number of a slider while it moves. */
function showNumber(range: HTMLInputElement, language: string): void {
  const shown = range.parentElement?.querySelector('output')
  if (!shown) return
  const show = () => {
    shown.value = range.value === range.min ? '–' : range.valueAsNumber.toLocaleString(language)
  }
  range.addEventListener('input', show)
  shown.hidden = false
  show()
}

/** A list of countries beside a phone number. Choosing one writes its code into the number. */
function addCountry(phone: HTMLInputElement, own: Say, language: string): void {
  const names = new Intl.DisplayNames([language], { type: 'region' })
  const countries = [...DIAL_CODES.matchAll(/([A-Z]{2})(\d+)/g)]
    .map(([, region = '', code = '']) => ({ name: names.of(region) ?? region, code }))
    .sort((a, b) => a.name.localeCompare(b.name, language))
  const select = element(
    'select',
    { 'aria-label': own('country'), autocomplete: 'tel-country-code' },
    element('option', { value: '' }, '+'),
    ...countries.map(({ name, code }) => element('option', { value: code }, `${name} +${code}`)),
  )
  select.addEventListener('change', () => {
    const local = phone.value.replace(/^\s*(?:\+|00)\d{1,4}\s*|^\s*0/, '')
    if (select.value !== '') phone.value = `+${select.value} ${local}`
    phone.focus()
  })
  const box = element('div', { class: 'phone', dir: 'ltr' })
  phone.replaceWith(box)
  box.append(select, phone)
}

/** Regions (ISO 3166) and their calling codes (ITU-T E.164). */
const DIAL_CODES =
  'AF93AL355DZ213AS1684AD376AO244AI1264AG1268AR54AM374AW297AU61AT43AZ994BS1242BH973BD880BB1246BY375BE32' +
  'BZ501BJ229BM1441BT975BO591BA387BW267BR55IO246VG1284BN673BG359BF226BI257KH855CM237CA1CV238KY1345CF236' +
  'TD235CL56CN86CO57KM269CG242CD243CK682CR506CI225HR385CU53CW599CY357CZ420DK45DJ253DM1767DO1809EC593EG2' +
  '0SV503GQ240ER291EE372SZ268ET251FK500FO298FJ679FI358FR33GF594PF689GA241GM220GE995DE49GH233GI350GR30GL' +
  '299GD1473GP590GU1671GT502GG44GN224GW245GY592HT509HN504HK852HU36IS354IN91ID62IR98IQ964IE353IM44IL972I' +
  'T39JM1876JP81JE44JO962KZ7KE254KI686XK383KW965KG996LA856LV371LB961LS266LR231LY218LI423LT370LU352MO853' +
  'MG261MW265MY60MV960ML223MT356MH692MQ596MR222MU230YT262MX52FM691MD373MC377MN976ME382MS1664MA212MZ258M' +
  'M95NA264NR674NP977NL31NC687NZ64NI505NE227NG234NU683KP850MK389MP1670NO47OM968PK92PW680PS970PA507PG675' +
  'PY595PE51PH63PL48PT351PR1787QA974RE262RO40RU7RW250BL590SH290KN1869LC1758MF590PM508VC1784WS685SM378ST' +
  '239SA966SN221RS381SC248SL232SG65SX1721SK421SI386SB677SO252ZA27KR82SS211ES34LK94SD249SR597SE46CH41SY9' +
  '63TW886TJ992TZ255TH66TL670TG228TK690TO676TT1868TN216TR90TM993TC1649TV688VI1340UG256UA380AE971GB44US1' +
  'UY598UZ998VU678VA39VE58VN84WF681YE967ZM260ZW263'
