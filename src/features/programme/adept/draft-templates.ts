import type { Metric } from '../../../survey-engine/model/definition.ts'

type Texts = Record<'en' | 'de' | 'es', string>
type Language = keyof Texts

const LANGUAGES: readonly Language[] = ['en', 'de', 'es']

const SCORES: Record<Metric, { id: string; title: Texts }> = {
  nps: {
    id: 'score',
    title: {
      en: 'How likely are you to recommend us?',
      de: 'Wie wahrscheinlich ist es, dass Sie uns weiterempfehlen?',
      es: '¿Qué probabilidad hay de que nos recomiende?',
    },
  },
  csat: {
    id: 'score',
    title: { en: 'How satisfied are you?', de: 'Wie zufrieden sind Sie?', es: '¿Está satisfecho con nosotros?' },
  },
  ces: {
    id: 'score',
    title: {
      en: 'How easy was it to get what you needed?',
      de: 'Wie einfach war es, Ihr Anliegen zu erledigen?',
      es: '¿Fue fácil conseguir lo que necesitaba?',
    },
  },
}
const WHY: Texts = {
  en: 'What is the main reason for your answer?',
  de: 'Was ist der wichtigste Grund für Ihre Antwort?',
  es: '¿Cuál es el motivo principal de su respuesta?',
}
const ABOUT: Texts = { en: 'What was it about?', de: 'Worum ging es?', es: '¿De qué se trataba?' }
const CHOICES: Array<{ id: string; label: Texts }> = [
  { id: 'quality', label: { en: 'Quality', de: 'Qualität', es: 'Calidad' } },
  { id: 'service', label: { en: 'Service', de: 'Service', es: 'Servicio' } },
  { id: 'speed', label: { en: 'Speed', de: 'Geschwindigkeit', es: 'Rapidez' } },
  { id: 'price', label: { en: 'Price', de: 'Preis', es: 'Precio' } },
]
const BETTER: Texts = {
  en: 'What should we do better?',
  de: 'Was sollten wir besser machen?',
  es: '¿Qué deberíamos mejorar?',
}

const EFFORT = /\b(?:(?:easy|ease|effort|set ?up|aufwand|fácil|esfuerzo)\b|difficult|onboard|einfach)/iu
const SATISFACTION =
  /\b(?:(?:support|service|ticket|visit|event|course|besuch|kundendienst|atención)\b|satisf|zufrieden)/iu

/** The metric that a goal asks for. */
export function metricOf(goal: string): Metric {
  if (EFFORT.test(goal)) return 'ces'
  return SATISFACTION.test(goal) ? 'csat' : 'nps'
}

/** A survey for a goal without a model, in the languages that it has words for. */
export function draftFor(goal: string, metric: Metric | null, wanted: string[]): Record<string, unknown> {
  const known = LANGUAGES.filter((language) => wanted.includes(language))
  const languages: Language[] = known.length > 0 ? known : ['en']
  const first = wanted.find((language): language is Language => languages.some((each) => each === language)) ?? 'en'
  const say = (texts: Texts) =>
    languages.length === 1 ? texts[first] : Object.fromEntries(languages.map((language) => [language, texts[language]]))
  const score = metric === null ? [] : [{ id: 'score', type: metric, title: say(SCORES[metric].title), required: true }]
  return {
    name: goal.replaceAll(/\s+/g, ' ').slice(0, 120),
    metric,
    default_language: first,
    ...(languages.length > 1 && { languages: [first, ...languages.filter((language) => language !== first)] }),
    questions: [
      ...score,
      {
        id: 'about',
        type: 'multi',
        title: say(ABOUT),
        choices: CHOICES.map(({ id, label }) => ({ id, label: say(label) })),
      },
      { id: 'why', type: 'open_text', title: say(WHY) },
      { id: 'better', type: 'open_text', title: say(BETTER) },
    ],
  }
}
