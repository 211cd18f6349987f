import { domainToASCII } from 'node:url'
import { ProviderError, type EmailMessage } from '../../platform/ports.ts'

/** A message in which nothing ends a header line that should not. */
export interface CheckedMessage {
  from: { name: string; address: string }
  to: string
  subject: string
  text: string
  html: string | undefined
  replyTo: string | undefined
  headers: Record<string, string>
  tag: string | undefined
  idempotencyKey: string
}

// Whatever a mail program or a server on the way may take for the end of a line.
const LINE_ENDS = /[\p{Cc}\u2028\u2029]+/gu
const ADDRESS = /^[^\s\p{Cc}\p{Z}<>()[\]\\,;:"@]{1,64}@([^\s\p{Cc}\p{Z}<>()[\]\\,;:"@]{1,253})$/u
// Headers that say where a message goes and what it consists of are made from its members, and from nothing else.
const STRUCTURE = /^(?:from|sender|to|cc|bcc|subject|date|message-id|reply-to|mime-version|content-.*|resent-.*|received|return-path|x-voc-delivery)$/i

/**
 * Subject, names and headers on one line each; addresses as they go over the wire, with the domain in ASCII (RFC 5890).
 * @throws ProviderError, permanent and without the value, for what cannot be made safe without changing whom it reaches.
 */
export function checkMessage(message: EmailMessage, from: string): CheckedMessage {
  const { to, subject, text, html, fromName, replyTo, headers = {}, tag, idempotencyKey } = message
  if (tag !== undefined && !/^[\w-]{1,256}$/.test(tag)) throw refused('invalid_tag')
  if (!/^[\w.-]{1,200}$/.test(idempotencyKey)) throw refused('invalid_idempotency_key')
  return {
    from: senderOf(from, fromName),
    to: checkAddress(to),
    subject: oneLine(subject),
    text,
    html,
    replyTo: replyTo === undefined ? undefined : checkAddress(replyTo),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [checkHeaderName(name), oneLine(value)])),
    tag,
    idempotencyKey,
  }
}

/** `"Name" <address>`, for providers that take it as text. */
export function formatSender({ name, address }: CheckedMessage['from']): string {
  return name === '' ? address : `"${name}" <${address}>`
}

/** `EMAIL_FROM`, with another name beside its address where one is given. Names lose what could end them. */
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
  return new ProviderError(code, { permanent: true })
}
