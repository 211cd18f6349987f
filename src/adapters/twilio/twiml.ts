import type { PhoneReply } from '../../platform/ports/phone-port.ts'

// XML 1.0 has no way to write these, not even escaped, or advises against them (U+007F to U+009F).
const NOT_XML = /(?![\t\n\r])[\p{Cc}\uFFFE\uFFFF]/gu
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A reply in TwiML (https://www.twilio.com/docs/voice/twiml); an empty message is no message. */
export function writeTwiml(reply: PhoneReply): string {
  switch (reply.kind) {
    case 'silence':
      return document('')
    case 'message':
      return document(reply.text === '' ? '' : `<Message>${escapeXml(reply.text)}</Message>`)
    case 'ask':
      return document(gather(reply))
    case 'goodbye':
      return document(`<Say language="${voiceOf(reply.language)}">${escapeXml(reply.say)}</Say><Hangup/>`)
  }
}

// A person who stays silent is led to the same address, without an answer.
function gather({ say, language, action }: Extract<PhoneReply, { kind: 'ask' }>): string {
  const url = escapeXml(action)
  const voice = voiceOf(language)
  return (
    `<Gather input="dtmf speech" action="${url}" method="POST" language="${voice}" timeout="6" speechTimeout="auto">` +
    `<Say language="${voice}">${escapeXml(say)}</Say></Gather><Redirect method="POST">${url}</Redirect>`
  )
}

function document(body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${body}</Response>`.replace(
    '<Response></Response>',
    '<Response/>',
  )
}

function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_XML, '')
    .replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '')
}

// The region that Twilio speaks and understands where a language comes without one
// (https://www.twilio.com/docs/voice/twiml/say).
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

// The tag of a voice: `de` is spoken as `de-DE`, `de-AT` as itself.
function voiceOf(language: string): string {
  return escapeXml(language.includes('-') ? language : (REGIONS[language.toLowerCase()] ?? language))
}
