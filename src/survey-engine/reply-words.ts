import { asciiDigits } from './local-numbers.ts'

/** Words that people reply with, by language. Each language is read together with English. */
export interface ReplyWords {
  /** Numbers 0 to 10; several spellings each. */
  numbers: string[][]
  /** Articles that also mean one: they count only where no other number stands. */
  one: string[]
  outOf: string[]
  yes: string[]
  no: string[]
  skip: string[]
  other: string[]
  and: string[]
  /** Words that say nothing of their own, as in "I'd say 9". */
  fillers: string[]
  /** What gives a reason, as in "9 because you were fast". */
  because: string[]
  /** What takes a number back, as in "9, or not". */
  or: string[]
  /** What follows a number that is no score, as in "3 minutes". */
  units: string[]
  months: string[][]
  today: string[]
  yesterday: string[]
  at: string[]
  dot: string[]
}

const split = (text: string) => text.split(' ')
const spellings = (text: string) => split(text).map((word) => word.split('/'))

const en: ReplyWords = {
  numbers: spellings('zero one two three four five six seven eight nine ten'),
  one: [],
  outOf: ['out of', 'of', 'over'],
  yes: split('yes y yeah yep yup ok okay sure agree agreed accept true 👍'),
  no: split('no n nope nah not never disagree decline false don dont 👎'),
  skip: ['skip', 'skip it', 'skip this', 'pass', 'next', 'n a', 'na'],
  other: ['other', 'something else'],
  and: ['and', 'plus'],
  fillers: split(
    'i d would ll will give you it s is a an the id say says make that my our answer score scores rating rate number no option choice choose pick take maybe probably about around think guess definitely at least please thanks thank for to of would be solid strong points point stars star out so well um uh hmm hi hello just let me m',
  ),
  because: ['because', 'cause', 'cos', 'since'],
  or: ['or'],
  units: split(
    'second seconds minute minutes min mins hour hours hr hrs day days week weeks month months year years time times people person persons euro euros dollar dollars pound pounds percent am pm oclock th st nd rd',
  ),
  months: spellings('january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sept/sep october/oct november/nov december/dec'),
  today: ['today'],
  yesterday: ['yesterday'],
  at: ['at'],
  dot: ['dot', 'point'],
}

const de: ReplyWords = {
  numbers: spellings('null eins zwei/zwo drei vier funf/fuenf sechs sieben acht neun zehn'),
  one: split('ein eine einen einer'),
  outOf: ['von', 'aus'],
  yes: split('ja j jawohl jo einverstanden stimmt gerne'),
  no: split('nein n ne nee nicht niemals'),
  skip: ['uberspringen', 'ueberspringen', 'weiter', 'keine angabe'],
  other: ['anderes', 'etwas anderes', 'sonstiges', 'andere'],
  and: ['und'],
  fillers: split(
    'ich wurde wuerde sage sagen gebe geben nehme nehmen wahle das ist es eine ein einen der die den von meine antwort punkte punkt sterne stern note zahl nummer option wohl etwa ungefahr vielleicht bitte danke so also mal glatte volle',
  ),
  because: ['weil', 'denn', 'da'],
  or: ['oder'],
  units: split('sekunde sekunden minute minuten stunde stunden tag tage tagen woche wochen monat monate jahr jahre jahren mal personen leute euro prozent uhr'),
  months: spellings('januar/jan februar/feb marz/maerz april/apr mai juni/jun juli/jul august/aug september/sep/sept oktober/okt november/nov dezember/dez'),
  today: ['heute'],
  yesterday: ['gestern'],
  at: ['at', 'ät', 'klammeraffe'],
  dot: ['punkt'],
}

const fr: ReplyWords = {
  numbers: spellings('zero un deux trois quatre cinq six sept huit neuf dix'),
  one: split('un une'),
  outOf: ['sur', 'de'],
  yes: split('oui o ouais ok accord accepte volontiers'),
  no: split('non n pas jamais refuse'),
  skip: ['passer', 'passe', 'suivant', 'suivante', 'ignorer'],
  other: ['autre', 'autre chose'],
  and: ['et'],
  fillers: split(
    'je j dirais dis donne donnerais mets mettrais c est un une le la les de d du sur ma mon note reponse choix option numero points point etoiles etoile peut etre environ plutot merci svp s il vous plait bien',
  ),
  because: ['car', 'parce', 'puisque'],
  or: ['ou'],
  units: split(
    'seconde secondes minute minutes heure heures jour jours semaine semaines mois an ans annee annees fois personnes euro euros pourcent pourcents h',
  ),
  months: spellings('janvier/janv fevrier/fevr mars avril/avr mai juin juillet/juil aout septembre/sept octobre/oct novembre/nov decembre/dec'),
  today: ['aujourd hui'],
  yesterday: ['hier'],
  at: ['arobase', 'at', 'a'],
  dot: ['point'],
}

const es: ReplyWords = {
  numbers: spellings('cero uno dos tres cuatro cinco seis siete ocho nueve diez'),
  one: split('un una'),
  outOf: ['de', 'sobre'],
  yes: split('si s claro ok vale acuerdo acepto'),
  no: split('no n nunca'),
  skip: ['saltar', 'omitir', 'siguiente', 'paso', 'pasar'],
  other: ['otro', 'otra', 'otra cosa'],
  and: ['y', 'e'],
  fillers: split(
    'yo diria digo doy daria pongo le les es un una el la los de mi respuesta nota numero opcion puntos punto estrellas estrella quiza quizas como mas o menos por favor gracias pues bueno seria',
  ),
  because: ['porque', 'pues', 'ya'],
  or: ['o', 'u'],
  units: split('segundo segundos minuto minutos hora horas dia dias semana semanas mes meses ano anos vez veces personas euro euros dolares ciento'),
  months: spellings(
    'enero/ene febrero/feb marzo/mar abril/abr mayo/may junio/jun julio/jul agosto/ago septiembre/sep/sept octubre/oct noviembre/nov diciembre/dic',
  ),
  today: ['hoy'],
  yesterday: ['ayer'],
  at: ['arroba'],
  dot: ['punto'],
}

const WORDS: Record<string, ReplyWords> = { en, de, fr, es }
const known = new Map<string, ReplyWords>()

/** What is understood in a language: its own words, and English. */
export function wordsIn(language: string): ReplyWords {
  const base = language.toLowerCase().split('-', 1)[0] ?? 'en'
  const own = Object.hasOwn(WORDS, base) ? WORDS[base] : undefined
  if (!own || own === en) return en
  const both = known.get(base) ?? merged(own)
  known.set(base, both)
  return both
}

function merged(own: ReplyWords): ReplyWords {
  const lists = (one: string[][], two: string[][]) => one.map((list, at) => [...list, ...(two[at] ?? [])])
  return {
    numbers: lists(own.numbers, en.numbers),
    one: own.one,
    outOf: [...en.outOf, ...own.outOf],
    yes: [...own.yes, ...en.yes],
    no: [...own.no, ...en.no],
    skip: [...own.skip, ...en.skip],
    other: [...own.other, ...en.other],
    and: [...own.and, ...en.and],
    fillers: [...own.fillers, ...en.fillers],
    because: [...own.because, ...en.because],
    or: [...own.or, ...en.or],
    units: [...own.units, ...en.units],
    months: lists(own.months, en.months),
    today: [...own.today, ...en.today],
    yesterday: [...own.yesterday, ...en.yesterday],
    at: [...own.at, ...en.at],
    dot: [...own.dot, ...en.dot],
  }
}

/** Small letters without accents and plain digits: `９`, `9️⃣` and `٩` are `9`, `Müßte` is `musste`. */
export function plain(text: string): string {
  return asciiDigits(text.normalize('NFKD'))
    .replace(/[\p{M}\uFE0F\u200D]/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .trim()
}

/** The words and numbers of a text in their plain form; an emoji is a word. */
export function wordsOf(text: string): string[] {
  return plain(text).match(/[\p{L}\p{N}]+|\p{Extended_Pictographic}/gu) ?? []
}
