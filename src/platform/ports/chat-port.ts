/** Chats that take messages at a URL which their members make. */
export const CHAT_PROVIDERS = ['slack', 'teams'] as const
export type ChatProvider = (typeof CHAT_PROVIDERS)[number]

/** One event in a message. All texts are plain: each provider escapes them in its own way. */
export interface ChatItem {
  heading: string
  lines: string[]
  /** Words of a respondent. */
  quotes: string[]
  url: string | null
}

export interface ChatMessage {
  title: string
  lines: string[]
  items: ChatItem[]
  /** The text of the links. */
  linkText: string
}

/**
 * - `taken`: the chat has the message;
 * - `refused`: it would refuse this message again;
 * - `gone`: its URL takes no messages any more;
 * - `failed`: it may take the message later.
 */
export type ChatOutcome =
  | { state: 'taken' }
  | { state: 'refused' | 'gone' | 'failed'; code: string; retryAfter: number | null }

export interface ChatPort {
  /** Never throws. The codes are safe for logs and rows. */
  send(provider: ChatProvider, url: string, message: ChatMessage): Promise<ChatOutcome>
}
