/** Languages of notifications. */
export const LANGUAGES = ['en', 'de', 'es', 'ar'] as const
export type Language = (typeof LANGUAGES)[number]

interface Words {
  /** `{n}` and `{event}`, and the survey where there is one. */
  count: string
  countOf: string
  several: string
  daily: string
  weekly: string
  open: string
  /** The last lines of a mail: `{list}` is the address of the subscriptions. */
  foot: string
}

const WORDS: Record<Language, Words> = {
  en: {
    count: '{n} × {event}',
    countOf: '{n} × {event} of the survey “{survey}”',
    several: '{n} events',
    daily: 'Daily summary. Events: {n}',
    weekly: 'Weekly summary. Events: {n}',
    open: 'Open',
    foot: 'You subscribed to these events. To stop them, turn off the subscription:\n{list}',
  },
  de: {
    count: '{n} × {event}',
    countOf: '{n} × {event} zur Umfrage „{survey}“',
    several: '{n} Ereignisse',
    daily: 'Zusammenfassung des Tages. Ereignisse: {n}',
    weekly: 'Zusammenfassung der Woche. Ereignisse: {n}',
    open: 'Öffnen',
    foot: 'Sie haben diese Ereignisse abonniert. Um sie abzubestellen, schalten Sie das Abonnement aus:\n{list}',
  },
  es: {
    count: '{n} × {event}',
    countOf: '{n} × {event} de la encuesta «{survey}»',
    several: 'Eventos: {n}',
    daily: 'Resumen diario. Eventos: {n}',
    weekly: 'Resumen semanal. Eventos: {n}',
    open: 'Abrir',
    foot: 'Usted se suscribió a estos eventos. Para dejar de recibirlos, desactive la suscripción:\n{list}',
  },
  ar: {
    count: '{n} × {event}',
    countOf: '{n} × {event} من الاستبيان «{survey}»',
    several: 'الأحداث: {n}',
    daily: 'ملخص اليوم. الأحداث: {n}',
    weekly: 'ملخص الأسبوع. الأحداث: {n}',
    open: 'فتح',
    foot: 'أنت مشترك في هذه الأحداث. لإيقافها أوقف الاشتراك:\n{list}',
  },
}

/** The words of a language. English for one that is not known. */
export function wordsOf(language: string): Words {
  return WORDS[language as Language] ?? WORDS.en
}

/** Puts values into the braces of a text. */
export function filled(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (brace, name: string) => String(values[name] ?? brace))
}
