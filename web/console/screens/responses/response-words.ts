import type { Words } from '../../words/words.ts'

/** An answer as text: the labels of its choices, else its value. */
export function answerText(value: unknown, labels: ReadonlyMap<string, string>, words: Words): string {
  if (typeof value === 'boolean') return words(value ? 'responses:yes' : 'responses:no')
  if (Array.isArray(value)) return value.map((each) => answerText(each, labels, words)).join(', ')
  if (value !== null && typeof value === 'object')
    return Object.entries(value)
      .filter(([, each]) => each !== null && each !== '')
      .map(([name, each]) => `${labels.get(name) ?? name}: ${answerText(each, labels, words)}`)
      .join(', ')
  return labels.get(String(value)) ?? String(value)
}

interface Localized {
  [language: string]: string
}
type Text = string | Localized

interface Question {
  id: string
  title?: Text
  choices?: Array<{ id: string; label: Text }>
  rows?: Array<{ id: string; label: Text }>
  columns?: Array<{ id: string; label: Text }>
}

/** The questions of a version, with their titles and the labels of their choices in the language of an answer. */
export function questionsOf(definition: unknown, language: string) {
  const { questions = [], default_language = 'en' } = (definition ?? {}) as {
    questions?: Question[]
    default_language?: string
  }
  const say = (text: Text | undefined) =>
    text === undefined ? '' : typeof text === 'string' ? text : (text[language] ?? text[default_language] ?? '')
  return new Map(
    questions.map((question) => [
      question.id,
      {
        title: say(question.title),
        labels: new Map(
          [...(question.choices ?? []), ...(question.rows ?? []), ...(question.columns ?? [])].map(({ id, label }) => [
            id,
            say(label),
          ]),
        ),
      },
    ]),
  )
}
