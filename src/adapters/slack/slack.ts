import type { ChatItem, ChatMessage } from '../../platform/ports/chat-port.ts'
import type { ChatAdapter } from '../../platform/ports/chat.ts'
import { outcomeOf } from './codes.ts'

const LONGEST_TITLE = 150
const LONGEST_TEXT = 2_900

/**
 * Messages by an incoming webhook of Slack. Texts stand in `plain_text`, which reads no markup: a respondent can
 * neither mention a channel nor make a link. The notification text is mrkdwn and is escaped.
 */
export const slack: ChatAdapter = {
  body: (message) =>
    JSON.stringify({
      text: escaped([message.title, ...message.lines].join('\n')),
      blocks: blocksOf(message),
      unfurl_links: false,
      unfurl_media: false,
    }),
  outcome: outcomeOf,
}

function blocksOf({ title, lines, items, linkText }: ChatMessage): object[] {
  return [
    { type: 'header', text: plain(title, LONGEST_TITLE) },
    ...(lines.length > 0 ? [{ type: 'section', text: plain(lines.join('\n'), LONGEST_TEXT) }] : []),
    ...items.flatMap((item) => itemBlocks(item, linkText)),
  ]
}

function itemBlocks({ heading, lines, quotes, url }: ChatItem, linkText: string): object[] {
  const text = [heading, ...lines, ...quotes.map((quote) => `“${quote}”`)].filter((line) => line !== '').join('\n')
  return [
    ...(text === '' ? [] : [{ type: 'section', text: plain(text, LONGEST_TEXT) }]),
    ...(url === null
      ? []
      : [
          {
            type: 'context',
            elements: [{ type: 'mrkdwn', verbatim: true, text: `<${escaped(url)}|${escaped(linkText)}>` }],
          },
        ]),
  ]
}

function plain(text: string, most: number): object {
  return { type: 'plain_text', emoji: false, text: text.length > most ? `${text.slice(0, most - 1)}…` : text }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
