import { formatLanguage } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import type { Issue } from './model/problems.ts'

/** The sentences of the engine that authors meet most, in their own language. Others stay in English. */
const KNOWN: Array<[RegExp, string, ...string[]]> = [
  [/^Write the question\.$/, 'write'],
  [/^Add choices\.$/, 'choices'],
  [/^Add rows\.$/, 'rows'],
  [/^Add columns\.$/, 'columns'],
  [/^Add a question that can be answered\.$/, 'noQuestion'],
  [/^Add a question of type (\w+), or choose another metric\.$/, 'metric', 'type'],
  [/^Add the translation for: (.+)\.$/, 'translation', 'languages'],
  [/^Change the logic or remove this question; no answers lead to it\.$/, 'unreachable'],
  [/^No answer passes this test/, 'impossible'],
  [/^(?:Compare with|Give a value|Use )/, 'value'],
  [/declare the field in custom_fields\.$/, 'pipeField'],
  [/name a question that comes before this one\.$/, 'pipeLater'],
  [/name a question of this survey\.$/, 'pipeUnknown'],
  [/(?:close|open) the placeholder with/, 'pipeBraces'],
  [/^This time has passed/, 'passed'],
  [/^Allow at least one choice\.$/, 'atLeastOne'],
  [/^Ask for at most (\d+) choices?\.$/, 'atMost', 'count'],
  [/^Put the earliest date before the latest\.$/, 'dates'],
  [/^Put the highest number above the lowest/, 'range'],
  [/^Use a step that reaches (\S+) from (\S+);/, 'step', 'max', 'min'],
]

export interface IssueWords {
  (issue: Issue): string
  /** `en` where the words stay English, so that a screen reader says them so. */
  languageOf(issue: Issue): string | undefined
}

export function useIssueWords(): IssueWords {
  const words = useWords()
  const find = ({ message }: Issue) => KNOWN.find(([pattern]) => pattern.test(message))
  const say = (issue: Issue) => {
    const found = find(issue)
    if (!found || (found[1] === 'value' && !issue.path.includes('.when'))) return issue.message
    const [pattern, key, ...names] = found
    const values = pattern.exec(issue.message)?.slice(1) ?? []
    const entries = names.map((name, at) => [name, shown(name, values[at] ?? '')])
    return words(`build:issues.${key}`, Object.fromEntries(entries) as Record<string, string | number>)
  }
  return Object.assign(say, { languageOf: (issue: Issue) => (find(issue) ? undefined : 'en') })
}

/** A count is a number, since a text chooses its plural form by it. */
function shown(name: string, value: string): string | number {
  if (name === 'languages') return listed(value)
  return name === 'count' ? Number(value) : value
}

function listed(tags: string): string {
  return tags
    .split(', ')
    .map((tag) => formatLanguage(tag))
    .join(', ')
}
