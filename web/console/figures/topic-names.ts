/** The topics that a workspace begins with, by the names that the API gives them. A renamed one has its own name. */
const STARTERS: ReadonlyMap<string, string> = new Map([
  ['Delivery', 'delivery'],
  ['Price', 'price'],
  ['Support', 'support'],
  ['Staff', 'staff'],
  ['Quality', 'quality'],
  ['Usability', 'usability'],
  ['Speed and waiting', 'speed'],
  ['Billing', 'billing'],
  ['Returns', 'returns'],
  ['Reliability', 'reliability'],
])

/** The name of a topic, in the language of the console where the topic came with the workspace. */
export function topicName(name: string, words: (key: string) => string): string {
  const starter = STARTERS.get(name)
  return starter === undefined ? name : words(`figures:topics.${starter}`)
}
