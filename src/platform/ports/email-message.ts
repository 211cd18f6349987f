import { domainToASCII } from 'node:url'
import type { EmailAttachment, EmailMessage } from './email-port.ts'
import { ProviderError } from './provider.ts'

/** A message that is safe for every provider: no value can end a header line early. */
export interface CheckedMessage {
  from: { name: string; address: string }
  to: string
  subject: string
  text: string
  html: string | undefined
  attachments: EmailAttachment[]
  replyTo: string | undefined
  headers: Record<string, string>
  tag: string | undefined
  idempotencyKey: string
}

// Characters that a mail program or server may read as the end of a line.
const LINE_ENDS = /[\p{Cc}\u2028\u2029]+/gu
const ADDRESS = /^[^\s\p{Cc}\p{Z}<>()[\]\\,;:"@]{1,64}@([^\s\p{Cc}\p{Z}<>()[\]\\,;:"@]{1,253})$/u
// These headers decide where a message goes and how it is built. Only the members of the message set them.
const STRUCTURE =
  /^(?:(?:content|resent)-|(?:from|sender|to|cc|bcc|subject|date|message-id|reply-to|mime-version|received|return-path|x-voc-delivery)$)/i

/**
 * Puts subject, names and headers on one line each, and converts domains to ASCII (RFC 5890).
 * @throws ProviderError `refused`, without the value, if a change would send the message to another person.
 */
export function checkMessage(message: EmailMessage, from: string): CheckedMessage {
  const { to, subject, text, html, attachments = [], fromName, replyTo, headers = {}, tag, idempotencyKey } = message
  if (tag !== undefined && !/^[\w-]{1,256}$/.test(tag)) throw refused('invalid_tag')
  if (!/^[\w.-]{1,200}$/.test(idempotencyKey)) throw refused('invalid_idempotency_key')
  return {
    from: senderOf(from, fromName),
    to: checkAddress(to),
    subject: oneLine(subject),
    text,
    html,
    attachments,
    replyTo: replyTo === undefined ? undefined : checkAddress(replyTo),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [checkHeaderName(name), oneLine(value)]),
    ),
    tag,
    idempotencyKey,
  }
}

/** `"Name" <address>`, for providers that take the sender as text. */
export function formatSender({ name, address }: CheckedMessage['from']): string {
  return name === '' ? address : `"${name}" <${address}>`
}

/** `EMAIL_FROM`, with another name if one is given. The name loses characters that could end it. */
function senderOf(from: string, name: string | undefined): CheckedMessage['from'] {
  const [, own = '', address = from] = /^([^<>]*)<([^<>]+)>\s*$/.exec(from) ?? []
  return { name: cleanName(name ?? '') || cleanName(own), address: checkAddress(address.trim()) }
}

function cleanName(name: string): string {
  return oneLine(name.replace(/["\\<>]/g, ' '))
}

function checkAddress(address: string): string {
  const domain = ADDRESS.exec(address)?.[1]
  const ascii = domain === undefined ? '' : domainToASCII(domain)
  if (domain === undefined || ascii === '') throw refused('invalid_address')
  return `${address.slice(0, -domain.length)}${ascii}`
}

function checkHeaderName(name: string): string {
  if (!/^[A-Za-z][A-Za-z0-9-]{0,70}$/.test(name) || STRUCTURE.test(name)) throw refused('invalid_header')
  return name
}

function oneLine(text: string): string {
  return text.replace(LINE_ENDS, ' ').replace(/ {2,}/g, ' ').trim().toWellFormed()
}

function refused(code: string): ProviderError {
  return new ProviderError(code, 'refused')
}
