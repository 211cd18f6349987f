import { parseNumber } from '../model/formats.ts'
import { numberFormat } from '../../platform/text/formats.ts'

/**
 * Reads text as a number of a language, in canonical notation: `3,5` in German is `3.5`, `1.234` there is `1234`, and
 * `١٢` is `12` everywhere. A decimal point is accepted if it cannot separate groups. Null if it is not a number.
 */
export function readLocalNumber(text: string, language: string): string | null {
  if (text.length > 400) return null
  const eastern = EASTERN_DIGIT.test(text)
  const ascii = asciiDigits(text.replace(/[\u200E\u200F\u061C]/g, ''))
    .replace(/[\uFF0B-\uFF0E]/g, halfWidth)
    .replace(/^[\u2212\u2012\u2013]/, '-')
    .replace(/[\u066C]/g, "'")
    .replace(/[\u066B]/g, DECIMAL)
    .trim()
  const { decimal, grouped, ungrouped } = notationOf(language)
  const { sign = '', whole = '', fraction } = (grouped.exec(ascii) ?? ungrouped.exec(ascii))?.groups ?? {}
  if (whole !== '')
    return canonical(`${sign}${whole.replace(/\D/g, '')}${fraction === undefined ? '' : `.${fraction}`}`)
  // In Arabic script the comma is the usual decimal sign, whatever the language of the survey.
  if (decimal === '.' && eastern) return canonical(ascii.replace(/[,\u060C]/, '.'))
  return canonical(ascii)
}

/** A canonical number as it is written in a language, without groups: 3.5 is `3,5` in German. */
export function writeLocalNumber(value: string | number, language: string): string {
  const text = String(value)
  return text.includes('e') ? text : text.replace('.', notationOf(language).decimal)
}

/** A number in plain notation as JavaScript's own where that is exact, else its text. */
export function exactNumber(plain: string): number | string {
  const text = canonical(plain) ?? plain
  const value = Number(text)
  return String(value) === text ? value : text
}

/** The text with the digits of every script as 0 to 9. */
export function asciiDigits(text: string): string {
  return text.replace(/[^\P{Nd}0-9]/gu, digitValue)
}

/** Plain forms of the full-width `+ , - .` that Japanese and Chinese keyboards write. */
function halfWidth(sign: string): string {
  return String.fromCodePoint((sign.codePointAt(0) ?? 0) - 0xfee0)
}

const DECIMAL = '\u066B'
const EASTERN_DIGIT = /[\u0660-\u0669\u06F0-\u06F9]/

const digitValues = new Map<string, string>()

// Unicode lists the digits of a script from 0 to 9, and the runs of ten that touch one another begin with a 0 too.
function digitValue(digit: string): string {
  const known = digitValues.get(digit)
  if (known !== undefined) return known
  const codePoint = digit.codePointAt(0) ?? 0
  let first = codePoint
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first--
  const value = String((codePoint - first) % 10)
  digitValues.set(digit, value)
  return value
}

/** In JavaScript's notation up to 15 digits, else digit by digit, so that an account number keeps its last ones. */
function canonical(text: string): string | null {
  const value = parseNumber(text)
  if (value === null) return null
  const digits = text.replace(/e[^]*/i, '').replace(/\D/g, '').replace(/^0+/, '')
  return digits.length <= 15 ? String(value + 0) : text.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1')
}

interface Notation {
  decimal: string
  grouped: RegExp
  ungrouped: RegExp
}

const MOST_NOTATIONS = 500
const notations = new Map<string, Notation>()

function notationOf(language: string): Notation {
  const known = notations.get(language)
  if (known) return known
  const made = makeNotation(language)
  if (notations.size >= MOST_NOTATIONS) notations.clear()
  notations.set(language, made)
  return made
}

function makeNotation(language: string): Notation {
  const parts = formatOf(language).formatToParts(12_345_678.9)
  const decimal = parts.find(({ type }) => type === 'decimal')?.value ?? '.'
  const group = parts.find(({ type }) => type === 'group')?.value ?? ','
  const pairs = parts.some(({ type, value }, index) => type === 'integer' && index > 0 && value.length === 2)
  // Spaces and apostrophes part groups in many places and mean nothing else in a number.
  const parting = `[${escaped(group)}\\s'’]`
  const inner = pairs ? '\\d{2,3}' : '\\d{3}'
  const point = `[${escaped(decimal)}${DECIMAL}]`
  return {
    decimal,
    grouped: new RegExp(
      `^(?<sign>[+-]?)(?<whole>[1-9]\\d{0,2}(?<by>${parting})(?:${inner}\\k<by>)*\\d{3})(?:${point}(?<fraction>\\d+))?$`,
      'u',
    ),
    ungrouped: new RegExp(`^(?<sign>[+-]?)(?<whole>\\d+)(?:${point}(?<fraction>\\d+))?$`, 'u'),
  }
}

function formatOf(language: string): Intl.NumberFormat {
  try {
    return numberFormat(new Intl.Locale(language, { numberingSystem: 'latn' }).toString())
  } catch {
    return numberFormat('en')
  }
}

function escaped(separator: string): string {
  return separator.replace(/[.\\\]^-]/g, '\\$&')
}
