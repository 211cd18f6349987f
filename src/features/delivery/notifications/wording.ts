import type { EventType } from '../events/event-types.ts'

/** Languages of notifications. */
export const LANGUAGES = ['en', 'de', 'es', 'ar'] as const
export type Language = (typeof LANGUAGES)[number]

interface Words {
  events: Record<EventType, string>
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
    events: {
      'response.completed': 'A response was completed',
      'response.updated': 'A response changed',
      'response.quarantined': 'A response was held back',
      'response.released': 'A response was released',
      'survey.sent': 'A survey was sent',
      'alert.opened': 'An alert was opened',
      'alert.resolved': 'An alert was resolved',
      'lead.created': 'A lead was created',
      'export.completed': 'An export is ready',
      'export.failed': 'An export failed',
      'webhook.disabled': 'A webhook was disabled',
    },
    count: '{n} × {event}',
    countOf: '{n} × {event} of the survey “{survey}”',
    several: '{n} events',
    daily: 'Daily summary. Events: {n}',
    weekly: 'Weekly summary. Events: {n}',
    open: 'Open',
    foot: 'You subscribed to these events. To stop them, turn off the subscription:\n{list}',
  },
  de: {
    events: {
      'response.completed': 'Eine Antwort ist abgeschlossen',
      'response.updated': 'Eine Antwort wurde geändert',
      'response.quarantined': 'Eine Antwort wurde zurückgehalten',
      'response.released': 'Eine Antwort wurde freigegeben',
      'survey.sent': 'Eine Umfrage wurde versendet',
      'alert.opened': 'Eine Warnung wurde ausgelöst',
      'alert.resolved': 'Eine Warnung ist erledigt',
      'lead.created': 'Ein Interessent wurde angelegt',
      'export.completed': 'Ein Export ist fertig',
      'export.failed': 'Ein Export ist gescheitert',
      'webhook.disabled': 'Ein Webhook wurde abgeschaltet',
    },
    count: '{n} × {event}',
    countOf: '{n} × {event} zur Umfrage „{survey}“',
    several: '{n} Ereignisse',
    daily: 'Zusammenfassung des Tages. Ereignisse: {n}',
    weekly: 'Zusammenfassung der Woche. Ereignisse: {n}',
    open: 'Öffnen',
    foot: 'Sie haben diese Ereignisse abonniert. Um sie abzubestellen, schalten Sie das Abonnement aus:\n{list}',
  },
  es: {
    events: {
      'response.completed': 'Se completó una respuesta',
      'response.updated': 'Una respuesta cambió',
      'response.quarantined': 'Se retuvo una respuesta',
      'response.released': 'Se liberó una respuesta',
      'survey.sent': 'Se envió una encuesta',
      'alert.opened': 'Se abrió una alerta',
      'alert.resolved': 'Se resolvió una alerta',
      'lead.created': 'Se creó un contacto comercial',
      'export.completed': 'Una exportación está lista',
      'export.failed': 'Una exportación falló',
      'webhook.disabled': 'Se desactivó un webhook',
    },
    count: '{n} × {event}',
    countOf: '{n} × {event} de la encuesta «{survey}»',
    several: 'Eventos: {n}',
    daily: 'Resumen diario. Eventos: {n}',
    weekly: 'Resumen semanal. Eventos: {n}',
    open: 'Abrir',
    foot: 'Usted se suscribió a estos eventos. Para dejar de recibirlos, desactive la suscripción:\n{list}',
  },
  ar: {
    events: {
      'response.completed': 'اكتملت إجابة',
      'response.updated': 'تغيّرت إجابة',
      'response.quarantined': 'حُجزت إجابة',
      'response.released': 'أُفرج عن إجابة',
      'survey.sent': 'أُرسل استبيان',
      'alert.opened': 'فُتح تنبيه',
      'alert.resolved': 'عولج تنبيه',
      'lead.created': 'أُنشئ عميل محتمل',
      'export.completed': 'التصدير جاهز',
      'export.failed': 'فشل التصدير',
      'webhook.disabled': 'عُطّل خطاف ويب',
    },
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

export function titleOf(words: Words, event: string): string {
  return words.events[event as EventType] ?? event
}

/** Puts values into the braces of a text. */
export function filled(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (brace, name: string) => String(values[name] ?? brace))
}
