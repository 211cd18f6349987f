import type { Id } from '../../../platform/ids.ts'

/** The outbound events (docs/specification.md, "Events"), each with its title in the languages of readers. */
const TITLES = {
  'response.completed': {
    en: 'A response came in',
    de: 'Eine Antwort ist eingegangen',
    es: 'Llegó una respuesta',
    ar: 'وصلت إجابة',
  },
  'response.updated': {
    en: 'A response changed',
    de: 'Eine Antwort hat sich geändert',
    es: 'Una respuesta cambió',
    ar: 'تغيرت إجابة',
  },
  'response.quarantined': {
    en: 'A response went into quarantine',
    de: 'Eine Antwort kam in Quarantäne',
    es: 'Una respuesta pasó a cuarentena',
    ar: 'دخلت إجابة الحجر',
  },
  'response.released': {
    en: 'A response left quarantine',
    de: 'Eine Antwort verließ die Quarantäne',
    es: 'Una respuesta salió de cuarentena',
    ar: 'خرجت إجابة من الحجر',
  },
  'survey.sent': {
    en: 'A survey was sent',
    de: 'Eine Umfrage wurde gesendet',
    es: 'Se envió una encuesta',
    ar: 'أُرسل استبيان',
  },
  'alert.opened': {
    en: 'An alert opened',
    de: 'Eine Warnung wurde ausgelöst',
    es: 'Se abrió una alerta',
    ar: 'فُتح تنبيه',
  },
  'alert.resolved': {
    en: 'An alert was resolved',
    de: 'Eine Warnung wurde gelöst',
    es: 'Se resolvió una alerta',
    ar: 'حُلّ تنبيه',
  },
  'lead.created': {
    en: 'Somebody asked for a call',
    de: 'Jemand bittet um einen Anruf',
    es: 'Alguien pidió una llamada',
    ar: 'طلب شخص اتصالًا',
  },
  'export.completed': {
    en: 'An export is ready',
    de: 'Ein Export ist fertig',
    es: 'Una exportación está lista',
    ar: 'التصدير جاهز',
  },
  'export.failed': {
    en: 'An export failed',
    de: 'Ein Export ist fehlgeschlagen',
    es: 'Falló una exportación',
    ar: 'فشل التصدير',
  },
  'webhook.disabled': {
    en: 'An endpoint was switched off',
    de: 'Ein Endpunkt wurde abgeschaltet',
    es: 'Se apagó un punto de destino',
    ar: 'أُوقفت نقطة استقبال',
  },
} as const satisfies Record<string, Record<'en' | 'de' | 'es' | 'ar', string>>
export type EventType = keyof typeof TITLES
export const EVENT_TYPES = Object.keys(TITLES) as EventType[]

/** The title of an event. English for a language that is not known. */
export function eventTitle(event: string, language: string): string {
  const titles: Record<string, string> | undefined = TITLES[event as EventType]
  return titles?.[language] ?? titles?.['en'] ?? event
}

export interface AnswerItem {
  questionId: string
  type: string
  value: unknown
}

export interface TextItem {
  questionId: string
  value: unknown
}

/** The `data` of `response.completed` before redaction. Ids are TypeIDs, times RFC 3339. */
export interface ResponseData {
  responseId: string
  surveyId: string
  surveyVersion: number
  channel: string
  language: string
  startedAt: string
  completedAt: string
  score: { metric: string; value: number; band: string } | null
  answers: AnswerItem[]
  text: TextItem[]
  customData: Record<string, unknown>
  /** Sections that no webhook gets. */
  omitted?: string[]
  /** Of later events about a completed response. */
  tags?: string[]
}

/** An event as its producer reports it: unredacted and once. */
export interface NewEvent {
  type: EventType
  /** The survey of the event. Null skips webhooks that name surveys. */
  surveyId: Id<'survey'> | null
  /** The cause, such as `response:<uuid>:completed`. One cause makes only one event. */
  source: string
  data: object
  /** The day when it happened, where nobody may know the moment: it belongs to an anonymous survey. */
  at?: Date
  /** The response as a row, for the filters of listeners. */
  about?: object
  /** A webhook that never gets this event. */
  except?: Id<'webhook'>
}
