import type { ChatItem, ChatMessage, ChatOutcome } from '../../platform/ports/chat-port.ts'
import { type ChatAdapter, outcomeOfStatus } from '../../platform/ports/chat.ts'
import type { OutboundAnswer } from '../../platform/ports/ports.ts'

/**
 * Messages to a workflow or a connector of Teams, as an adaptive card. Texts stand in text runs, which read no
 * Markdown, so nothing that a respondent wrote becomes a link or a mention.
 */
export const teams: ChatAdapter = {
  body: (message) =>
    JSON.stringify({
      type: 'message',
      attachments: [
        { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: cardOf(message) },
      ],
    }),
  outcome: outcomeOf,
}

function cardOf({ title, lines, items, linkText }: ChatMessage): object {
  const only = items.length === 1 ? items[0] : undefined
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      run(title, { weight: 'Bolder', size: 'Medium' }),
      ...lines.map((line) => run(line)),
      ...items.flatMap(itemBody),
    ],
    actions: only?.url
      ? [{ type: 'Action.OpenUrl', title: linkText, url: only.url }]
      : items.flatMap(({ heading, url }) =>
          url === null ? [] : [{ type: 'Action.OpenUrl', title: `${linkText}: ${heading}`.slice(0, 60), url }],
        ),
  }
}

function itemBody({ heading, lines, quotes }: ChatItem): object[] {
  return [
    ...(heading === '' ? [] : [run(heading, { weight: 'Bolder' })]),
    ...lines.map((line) => run(line)),
    ...quotes.map((quote) => run(`“${quote}”`, { italic: true })),
  ]
}

function run(text: string, style: object = {}): object {
  return { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, ...style }] }
}

const RELAYED = /returned HTTP error (\d{3})/

/**
 * A workflow answers 202, an older connector 200 with `1`. A connector also answers 200 when Teams itself refused, and
 * names that status in a sentence.
 */
export function outcomeOf(answer: OutboundAnswer): ChatOutcome {
  const relayed = answer.status === 200 ? RELAYED.exec(answer.excerpt)?.[1] : undefined
  return outcomeOfStatus('teams', relayed === undefined ? answer : { ...answer, status: Number(relayed) })
}
