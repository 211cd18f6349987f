import type { LocalizedText, MatrixLine, Question, SurveyDefinition } from './definition.ts'
import { own } from './record.ts'
import { LIMITS } from './limits.ts'

/**
 * The text in `language` (`de-AT` falls back to `de`), else in `defaultLanguage`, else in any language, else ''.
 * A blank translation counts as missing.
 */
export function localize(text: LocalizedText, language: string, defaultLanguage: string): string {
  if (typeof text === 'string') return text
  const candidates = [language, language.split('-', 1)[0] ?? language, defaultLanguage, ...Object.keys(text)]
  for (const candidate of candidates) {
    const translation = own(text, candidate)
    if (translation !== undefined && translation.trim() !== '') return translation
  }
  return ''
}

// Each submission asks, and a large survey has tens of thousands of texts.
const known = new WeakMap<SurveyDefinition, string[]>()

/** The declared languages, or else every language that some text has; the default language always comes first. */
export function surveyLanguages(definition: SurveyDefinition): string[] {
  const languages = known.get(definition) ?? findLanguages(definition)
  known.set(definition, languages)
  return languages
}

function findLanguages(definition: SurveyDefinition): string[] {
  const languages = new Set([definition.default_language])
  if (definition.languages) {
    for (const language of definition.languages) languages.add(language)
    return [...languages]
  }
  for (const { text } of textsOf(definition)) {
    if (typeof text === 'object') for (const language of Object.keys(text)) languages.add(language)
  }
  return [...languages]
}

/** `question` is the place of the question that the text belongs to; null for an ending, which sees every answer. */
export interface PlacedText {
  path: string
  text: LocalizedText
  question: number | null
}

export function* textsOf(definition: SurveyDefinition): Generator<PlacedText> {
  for (const [index, question] of definition.questions.entries()) {
    for (const [path, text] of questionTexts(question)) {
      if (text !== undefined) yield { path: `questions.${index}.${path}`, text, question: index }
    }
  }
  for (const [index, ending] of definition.endings.entries()) {
    yield { path: `endings.${index}.title`, text: ending.title, question: null }
    if (ending.message !== undefined) yield { path: `endings.${index}.message`, text: ending.message, question: null }
  }
}

type Settings<Member> = Member extends unknown ? { [Name in keyof Member]-?: NonNullable<Member[Name]> } : never
type NamesOf<Member, Kind> = Member extends unknown
  ? { [Name in keyof Member]: Kind extends Member[Name] ? Name : never }[keyof Member]
  : never
/** Settings that hold a text, and settings that hold lines with a label. */
type TextName = NamesOf<Settings<Question>, Record<string, string>>
type LinesName = NamesOf<Settings<Question>, MatrixLine[]>

// Neither compiles while it lacks the setting of some question type.
const TEXTS = Object.keys({ title: true, description: true, low_label: true, high_label: true } satisfies Record<
  TextName,
  true
>)
const LINES = Object.keys({ choices: true, rows: true, columns: true } satisfies Record<LinesName, true>)

function* questionTexts(question: Question): Generator<[string, LocalizedText | undefined]> {
  const settings = question as { [Name in TextName]?: LocalizedText } & { [Name in LinesName]?: MatrixLine[] }
  for (const name of TEXTS as TextName[]) yield [name, settings[name]]
  for (const name of LINES as LinesName[]) {
    for (const [index, { label }] of (settings[name] ?? []).entries()) yield [`${name}.${index}.label`, label]
  }
}

/**
 * The texts of the items in one line. It stops at the length that a placeholder shows, because labels may have
 * megabytes.
 */
export function joined<Item>(items: readonly Item[], separator: string, textOf: (item: Item) => string): string {
  const texts: string[] = []
  let length = 0
  for (const item of items) {
    if (length - separator.length > LIMITS.pipedLength) break
    const text = textOf(item)
    texts.push(text)
    length += text.length + separator.length
  }
  return texts.join(separator)
}
