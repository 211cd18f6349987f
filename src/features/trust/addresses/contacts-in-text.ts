import { asciiDigits } from '../../../survey-engine/language/local-numbers.ts'
import { parseAddress, parsePhoneDigits } from './address.ts'
import { normalForm } from '../../../platform/text/normal-form.ts'
import { runInSlices } from '../../../platform/loop/turns.ts'

/** An address or number as the index knows it. A local number is one without its country. */
export interface Contact {
  channel: 'email' | 'sms'
  form: string
}

export interface ContactsInText {
  contacts: Contact[]
  /** The text has more than are looked at, so a search reads it whole. */
  more: boolean
}

const MOST_CONTACTS = 64
const MOST_TRIES = 400
const LONGEST_LOCAL = 80
const LONGEST_DOMAIN = 280

/** Most texts have neither, and are not looked at more closely. */
const MAY_HOLD =
  /[@＠﹫]|%40|&#|&commat;| AT |[([{<＜（［]\s{0,9}at?\s{0,9}[)\]}>＞）］]|\p{N}(?:(?:[^\p{L}\p{N}]|[\u30FC\uFF70]){0,20}\p{N}){5}/iu
const AT = / ?(?:@|[([{<] ?(?:at?|@) ?[)\]}>]) ?/gi
const DOT = / ?[([{<] ?(?:dot|\.) ?[)\]}>] ?/gi
// In capitals among small letters: "ada AT example DOT com". A name in capitals, as in "I was AT IKEA", has no dot.
const SPELLED_AT = /(?<=[\p{Ll}\p{N}]) AT (?=[\p{Ll}\p{N}-]+(?:(?:\.| DOT )[\p{Ll}\p{N}-]+)*(?:\.| DOT )\p{Ll}{2})/gu
const SPELLED_DOT = /(?<=[\p{Ll}\p{N}]) DOT (?=[\p{Ll}\p{N}])/gu
/** "a d a @ e x a m p l e . c o m". */
const SPACED = /(?<!\S)(?:[^\s@] ){2,32}@(?: [^\s@]){3,64}(?!\S)/gu
/** Signs that people take for the dot of a domain. They also end sentences, so both readings count. */
const OTHER_DOTS = /[\u00B7\u2022\u2027\u3002\u30FB]/g
const ENCODED = /%([2-7][\da-f])|&#x0{0,4}([\da-f]{2});|&#0{0,4}(\d{2,3});|&commat;/gi
const LOCAL = /[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+$/u
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+/u
// "ada . lovelace" and "example . com" are one part. The dot of a sentence stands at its last word.
const WHOLE_LOCAL = /(?:[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+ \. ?){0,4}[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+$/u
const WHOLE_DOMAIN = /^[\p{L}\p{M}\p{N}.-]+(?: \. ?[\p{L}\p{M}\p{N}-]+|(?<=^[^.]*\.) [\p{L}\p{M}\p{N}-]+){0,4}/u
// In a text these stand before an address more often than in one, as in `email=ada@example.com`.
const BEFORE_LOCAL = /^.*[!#$%&*/=?^`{|}~]/u
const QUOTE_OR_DASH = /^['-]+/
// "example.com.Please", "example.com.please" and "example.com-thanks". In "example.com.au" the last part belongs to it.
const DOMAIN_ENDS = [
  /^([^\p{Lu}]+)\.\p{Lu}(?!\p{Lu})/u,
  /^(.+?\.(?:com|net|org))\.\p{L}{3}/iu,
  /^(.+\.\p{L}{2,})-[^.]*$/u,
]
/** Signs in a class that part the digits of any number. */
export const PARTING = String.raw` ()[\].,/*_|\u00B7\u2010-\u2015\u2212-`
/** A sign that also parts those of a number that begins with its zero or plus. Amounts have others. */
const ANY_PARTING = String.raw`(?:[^\p{L}\p{N}\p{Sc}+%°]|\u30FC)`
const GROUP = new RegExp(String.raw`(\p{L})?(\+?)(\d+)[${PARTING}]*(${ANY_PARTING}{0,9})`, 'gu')
const TRUNK_ZERO = /[([]0[)\]]/g
const SHORTEST_NUMBER = 6
const LONGEST_NUMBER = 17
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u20E3]/gu

/** The addresses and phone numbers in texts, in one form however they are spelled. Takes time linear in the texts. */
export function contactsIn(texts: readonly string[]): Promise<ContactsInText> {
  return runInSlices(contactSteps(texts))
}

function* contactSteps(texts: readonly string[]): Generator<undefined, ContactsInText, undefined> {
  const found = new Map<string, Contact>()
  let tries = 0
  for (const text of texts) {
    yield
    if (!MAY_HOLD.test(text)) continue
    for (const contact of candidatesIn(text)) {
      yield
      tries += 1
      if (contact !== null) found.set(`${contact.channel} ${contact.form}`, contact)
      if (tries >= MOST_TRIES || found.size >= MOST_CONTACTS) return { contacts: [...found.values()], more: true }
    }
  }
  return { contacts: [...found.values()], more: false }
}

/** Contacts one by one, without a limit. Null is a step that found none, so that a caller can count or pause. */
export function* candidatesIn(text: string): Generator<Contact | null> {
  const plain = plainOf(text)
  for (const place of emailsIn(plain)) {
    yield null
    for (const local of place?.locals ?? []) {
      for (const domain of place?.domains ?? []) {
        const form = parseAddress('email', `${local}@${domain}`)
        yield form === null ? null : { channel: 'email', form }
      }
    }
  }
  yield* phonesIn(plain)
}

/** A possible address, in every way to read it, and its place. */
export interface Place {
  from: number
  to: number
  locals: Set<string>
  domains: Set<string>
}

/** The places in a plain text that may be addresses. Null for a sign that is in none. */
export function* emailsIn(text: string): Generator<Place | null> {
  for (const { 0: sign, index } of text.matchAll(AT)) {
    const after = index + sign.length
    const left = text.slice(Math.max(0, index - LONGEST_LOCAL), index)
    const right = text.slice(after, after + LONGEST_DOMAIN)
    const dotted = right.replace(OTHER_DOTS, '.')
    const locals = localsBefore(left)
    const single = domainsAfter(right)
    const domains = dotted === right ? single : new Set([...single, ...domainsAfter(dotted)])
    if (locals.size === 0 || ![...domains].some((domain) => domain.includes('.'))) {
      yield null
      continue
    }
    const from = index - (WHOLE_LOCAL.exec(left)?.[0].length ?? 0)
    const whole = WHOLE_DOMAIN.exec([...single].some((domain) => domain.includes('.')) ? right : dotted)
    yield { from, to: after + (whole?.[0].length ?? 0), locals, domains }
  }
}

/** The forms under which the index finds an address: in international form, and as a local number. */
export function formsOf(kind: 'email' | 'phone', address: string): Contact[] {
  if (kind === 'email') return [{ channel: 'email', form: address }]
  const { national } = parsePhoneDigits(address) ?? { national: '' }
  return [{ channel: 'sms', form: address }, ...[national, address].map(localNumber)]
}

/** Whether a text may hold one of these at all. Much faster than to look for them. */
export function mayHold(text: string, contacts: readonly Contact[]): boolean {
  const plain = plainOf(text).replaceAll(' ', '').toLowerCase()
  const digits = plain.replace(/\D+/g, '')
  return contacts.some(({ channel, form }) =>
    channel === 'email'
      ? plain.includes(form.slice(0, form.lastIndexOf('@')))
      : digits.includes(form.replace(/\D+/g, '')),
  )
}

/** A text in one form: no full-width, encoded or invisible signs, single spaces, dots and digits as they are typed. */
export function plainOf(text: string): string {
  const decoded = normalForm(text, 'NFKC').replace(ENCODED, decode)
  const single = decoded.replace(INVISIBLE, '').replace(/\s+/g, ' ')
  const dotted = single.replace(DOT, '.').replace(SPELLED_AT, '@').replace(SPELLED_DOT, '.')
  return asciiDigits(dotted.replace(SPACED, (spaced) => spaced.replaceAll(' ', '')))
}

function decode(_: string, percent?: string, hex?: string, decimal?: string): string {
  const code = percent ?? hex
  return code ? String.fromCharCode(Number.parseInt(code, 16)) : String.fromCharCode(Number(decimal ?? '64'))
}

function localsBefore(left: string): Set<string> {
  const joined = LOCAL.exec(left.replace(/ ?\. ?/g, '.'))?.[0] ?? ''
  // "ada . lovelace @" is one address. "Write to me. ada@" ends a sentence first.
  const isSpaced = / \. ?[^ .]*$/.test(left)
  const single = isSpaced ? joined : (LOCAL.exec(left)?.[0] ?? '')
  const whole = [single, joined].map((local) => local.replace(/^\.+|\.+$/g, ''))
  const bare = [...whole, ...whole.map((local) => local.replace(BEFORE_LOCAL, ''))]
  return new Set([...bare, ...bare.map((local) => local.replace(QUOTE_OR_DASH, ''))].filter((local) => local !== ''))
}

function domainsAfter(right: string): Set<string> {
  const joined = DOMAIN.exec(right.replace(/ ?\. ?/g, '.'))?.[0] ?? ''
  const single = DOMAIN.exec(right)?.[0] ?? ''
  const domains = new Set([single, joined].map((domain) => domain.replace(/[.-]+$/, '')))
  // A set also gives what is added meanwhile, so that two ends are cut one after the other.
  for (const domain of domains) for (const end of DOMAIN_ENDS) domains.add(end.exec(domain)?.[1] ?? domain)
  domains.delete('')
  return domains
}

function* phonesIn(text: string): Generator<Contact | null> {
  for (const run of digitRuns(text)) {
    if (run === null) yield null
    else yield* numbersIn(run)
  }
}

/** Groups of digits that may be one number. Null is a step. */
export function* digitRuns(text: string): Generator<Group[] | null> {
  let run: Group[] = []
  let end = 0
  let gap = ''
  // The trunk zero in "+49 (0)30" is not dialled from abroad.
  for (const match of text.replace(TRUNK_ZERO, '   ').matchAll(GROUP)) {
    const { 0: whole, 1: letter = '', 2: plus = '', 3: digits = '', index } = match
    yield null
    const last = run.at(-1)
    if (last && (index > end || letter !== '' || (gap !== '' && !goesOn(last, digits)))) {
      yield run
      run = []
    }
    const begins = run.at(-1)?.begins ?? null
    const from = index + letter.length
    run.push({
      from,
      to: from + plus.length + digits.length,
      plus: plus === '+',
      digits,
      isGlued: letter !== '',
      isParted: run.length > 0 && gap !== '',
      begins: plus === '+' ? 'plus' : (begins ?? (/^0\d/.test(digits) ? 'zero' : null)),
    })
    end = index + whole.length
    gap = match[4] ?? ''
  }
  if (run.length > 0) yield run
}

// Times and scores have short groups: "08:15; 09:30".
function goesOn({ begins, digits }: Group, next: string): boolean {
  return begins === 'plus' || (begins === 'zero' && (digits.length > 2 || next.length > 2))
}

interface Group {
  from: number
  to: number
  plus: boolean
  digits: string
  /** To a word before it, as in `AB151`. */
  isGlued: boolean
  /** From the group before it, by signs that only some numbers have. */
  isParted: boolean
  /** Whether it, or a group before it, has the plus or the zero that begins a number. */
  begins: 'plus' | 'zero' | null
}

// "415 555 0132, 24/7" and "Apt 12, 415 555 0132": any group may be the first or the last of a number.
function* numbersIn(groups: readonly Group[]): Generator<Contact | null> {
  let ownedUntil = -1
  for (const [start, first] of groups.entries()) {
    const isMarked = first.plus || first.digits.startsWith('0')
    // "+43 1512 345678" holds no number of another country that begins at 1512.
    if (!isMarked && (first.isGlued || start <= ownedUntil)) continue
    const abroad = first.plus || first.digits.startsWith('00')
    const hasCountry = first.plus || /^00[1-9]/.test(first.digits)
    let digits = ''
    for (let end = start; end < groups.length; end++) {
      const group = groups[end] as Group
      digits += group.digits
      if (digits.length > (abroad ? LONGEST_NUMBER : LONGEST_NUMBER - 1) || (end > start && group.plus)) break
      if (digits.length < SHORTEST_NUMBER) continue
      const number = abroad ? abroadNumber(digits) : localNumber(digits)
      if (number && hasCountry && ownedUntil < start) ownedUntil = end
      yield number
      // Dialled abroad from North America.
      if (digits.startsWith('011')) yield localNumber(digits.slice(3))
    }
  }
}

function abroadNumber(digits: string): Contact | null {
  const form = parsePhoneDigits(`+${digits.replace(/^0+/, '')}`)?.international ?? null
  return form === null ? null : { channel: 'sms', form }
}

function localNumber(digits: string): Contact {
  return { channel: 'sms', form: `local ${digits.replace(/^[+0]+/, '')}` }
}
