import { useMemo } from 'react'
import { useLanguage, useWords, type Words } from '../../words/words.ts'
import type { Draft } from './model/draft.ts'
import { sentenceOf, subjectOf, type Action, type Condition, type ConditionLeaf, type Subject } from './model/logic.ts'
import { shown } from './model/texts.ts'

/** Says conditions and acts of rules in words. */
export interface Say {
  /** `only if …` */
  condition(condition: Condition | undefined, draft: Draft): string
  /** The condition alone. The question that it is about is left out where the reader sees it. */
  plain(condition: Condition, draft: Draft, seen?: string): string
  test(test: ConditionLeaf, draft: Draft): string
  subject(subject: Subject, draft: Draft): string
  action(action: Action, draft: Draft): string
}

/** The words for a member of a question or of the survey. */
export function settingWord(name: string, words: Words): string {
  return words(`build:settings.${name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}`)
}

const LONGEST = 60

export function useSay(): Say {
  const words = useWords()
  const language = useLanguage()
  // The function that finds words is another one each time, and says the same until the language changes.
  return useMemo(() => sayIn(words), [language])
}

function sayIn(words: Words): Say {
  const subject = (of: Subject, draft: Draft): string => {
    if ('custom' in of) return of.custom
    if ('variable' in of) return of.variable
    const question = draft.questions.find(({ id }) => id === of.question)
    return question ? short(shown(question.title, draft) || question.id) : of.question
  }
  const value = (test: ConditionLeaf, draft: Draft): string => {
    const question = 'question' in test ? draft.questions.find(({ id }) => id === test.question) : undefined
    const lines = question && 'choices' in question ? question.choices : []
    const one = (each: unknown): string => {
      if (typeof each === 'boolean') return words(each ? 'build:yes' : 'build:no')
      const line = lines.find(({ id }) => id === each)
      if (line) return shown(line.label, draft) || line.id
      return each === 'other' && lines.length > 0 ? words('build:other') : String(each)
    }
    if (test.op === 'between' && Array.isArray(test.value))
      return words('build:range', { from: one(test.value[0]), to: one(test.value[1]) })
    return Array.isArray(test.value) ? test.value.map(one).join(', ') : test.value === undefined ? '' : one(test.value)
  }
  const test = (leaf: ConditionLeaf, draft: Draft): string =>
    [subject(subjectOf(leaf), draft), words(`build:ops.${leaf.op}`), value(leaf, draft)].filter(Boolean).join(' ')
  const plain = (condition: Condition, draft: Draft, seen?: string): string => {
    const sentence = sentenceOf(condition)
    if (!sentence) return words('build:onlyIfMany')
    const isSeen = (leaf: ConditionLeaf) => 'question' in leaf && leaf.question === seen
    const said = sentence.tests.map((each) =>
      isSeen(each) ? [words(`build:ops.${each.op}`), value(each, draft)].filter(Boolean).join(' ') : test(each, draft),
    )
    return said.join(` ${words(sentence.join === 'all' ? 'build:and' : 'build:or')} `)
  }
  return {
    subject,
    test,
    plain,
    condition(condition, draft) {
      if (!condition || !sentenceOf(condition)) return words('build:onlyIfMany')
      return words('build:onlyIf', { condition: plain(condition, draft) })
    },
    action(action, draft) {
      const verb = words(`build:acts.${action.action}`)
      if (action.action === 'jump') return `${verb} ${subject({ question: action.to }, draft)}`
      if (action.action === 'end') {
        const ending = draft.endings.find(({ id }) => id === action.ending)
        return ending ? `${verb}: ${short(shown(ending.title, draft))}` : verb
      }
      if (action.action === 'calculate') return `${verb} ${action.variable}`
      return `${verb} ${subject({ question: action.question }, draft)}`
    },
  }
}

function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
