// XML 1.0 has no way to write these, not even escaped, or advises against them (U+007F to U+009F).
const NOT_XML = /(?![\t\n\r])[\p{Cc}\uFFFE\uFFFF]/gu
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Answers nothing: no message goes out, a call ends. */
export const SILENCE = document('')

/** One message back to whoever wrote; none where there is nothing to say. */
export function messageTwiml(text: string): string {
  return text === '' ? SILENCE : document(`<Message>${escapeXml(text)}</Message>`)
}

export interface SpokenTurn {
  say: string
  language: string
  /** Where the answer, or the silence, is posted. */
  action: string
}

/** Says something and listens; whoever stays silent is led to the same address without an answer. */
export function gatherTwiml({ say, language, action }: SpokenTurn): string {
  const url = escapeXml(action)
  const voice = escapeXml(language)
  return document(
    `<Gather input="dtmf speech" action="${url}" method="POST" language="${voice}" timeout="6" speechTimeout="auto">` +
      `<Say language="${voice}">${escapeXml(say)}</Say></Gather><Redirect method="POST">${url}</Redirect>`,
  )
}

/** Says something and hangs up. */
export function goodbyeTwiml(say: string, language: string): string {
  return document(`<Say language="${escapeXml(language)}">${escapeXml(say)}</Say><Hangup/>`)
}

function document(body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${body}</Response>`.replace('<Response></Response>', '<Response/>')
}

function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_XML, '')
    .replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '')
}

// Regions that Twilio speaks and understands, where a language comes without one (https://www.twilio.com/docs/voice/twiml/say).
const REGIONS: Record<string, string> = {
  ar: 'ar-AE',
  ca: 'ca-ES',
  cs: 'cs-CZ',
  da: 'da-DK',
  de: 'de-DE',
  en: 'en-US',
  es: 'es-ES',
  fi: 'fi-FI',
  fr: 'fr-FR',
  he: 'he-IL',
  hi: 'hi-IN',
  hu: 'hu-HU',
  it: 'it-IT',
  ja: 'ja-JP',
  ko: 'ko-KR',
  nb: 'nb-NO',
  nl: 'nl-NL',
  pl: 'pl-PL',
  pt: 'pt-BR',
  ro: 'ro-RO',
  ru: 'ru-RU',
  sv: 'sv-SE',
  tr: 'tr-TR',
  uk: 'uk-UA',
  zh: 'zh-CN',
}

/** The tag of a voice: `de` is spoken as `de-DE`, `de-AT` as itself. */
export function voiceOf(language: string): string {
  return language.includes('-') ? language : (REGIONS[language.toLowerCase()] ?? language)
}
