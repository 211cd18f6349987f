import { describe, expect, test } from 'vitest'
import { checkDraft } from '../checks/draft-checks.ts'
import { checkPublishable } from '../checks/publish-checks.ts'
import { readAnswer } from '../logic/evaluation.ts'
import { pipe, pipingBudget } from '../logic/piping.ts'
import { joinAnswers, splitAnswers } from '../logic/stored-answers.ts'
import type { ConditionLeaf, SliderQuestion } from '../model/definition.ts'
import { completedWith, surveyWith } from '../survey.fixture.ts'
import { lintFor } from '../talk/channel-lint.ts'
import { beginTalk, replyTo, type Setting } from '../talk/conversation.ts'
import { controlsOf } from './registry.ts'

const SLIDER: SliderQuestion = { id: 'q', type: 'slider', title: 'How much?' }
const FIVES: SliderQuestion = { ...SLIDER, min: -10, max: 20, step: 5, low_label: 'Cold', high_label: 'Hot' }
const TENTHS: SliderQuestion = { ...SLIDER, min: 0, max: 1, step: 0.1 }

describe('an answer', () => {
  test.each<[SliderQuestion, number]>([
    [SLIDER, 0],
    [SLIDER, 100],
    [FIVES, -10],
    [FIVES, 15],
    [TENTHS, 0.3],
    [TENTHS, 0.7],
    [{ ...SLIDER, min: -1e9, max: 1e9, step: 2_000_000 }, 998_000_000],
  ])('of %j may be %d', (question, value) => {
    expect(readAnswer(question, value)).toEqual({ value })
  })

  test.each([
    ['en', '0.3', 0.3],
    ['de', '0,3', 0.3],
    ['de', ' 0.3 ', 0.3],
  ])('as text is read in the language of the response: %s %j', (language, text, value) => {
    expect(readAnswer(TENTHS, text, language)).toEqual({ value })
  })

  test.each<[SliderQuestion, unknown, string]>([
    [SLIDER, -1, 'Answer with a whole number from 0 to 100.'],
    [SLIDER, 101, 'Answer with a whole number from 0 to 100.'],
    [SLIDER, 2.5, 'Answer with a whole number from 0 to 100.'],
    [SLIDER, 'fifty', 'Answer with a whole number from 0 to 100.'],
    [FIVES, 7, 'Answer with a number from -10 to 20 in steps of 5.'],
    [TENTHS, 0.25, 'Answer with a number from 0 to 1 in steps of 0.1.'],
    [TENTHS, 0.1 + 0.2, 'Answer with a number from 0 to 1 in steps of 0.1.'],
  ])('of %j may not be %j', (question, raw, problem) => {
    expect(readAnswer(question, raw)).toEqual({ problem })
  })

  test('is stored and repeated as the number that it is', () => {
    const survey = surveyWith([TENTHS])
    const { values } = completedWith(survey, { q: 0.3 })
    const { answers, text } = splitAnswers(survey, values)
    expect({ answers, text }).toEqual({ answers: [{ question_id: 'q', type: 'slider', value: 0.3 }], text: [] })
    expect(joinAnswers(survey, answers, text)).toEqual({ q: 0.3 })
    const context = {
      definition: survey,
      values,
      custom_data: {},
      variables: {},
      language: 'en',
      budget: pipingBudget(),
    }
    expect(pipe('{{ answer.q }}!', context)).toBe('0.3!')
  })
})

describe('settings', () => {
  test.each<[Partial<SliderQuestion>, string, string]>([
    [{ step: 0 }, 'step', 'Use a step above 0.'],
    [{ step: -1 }, 'step', 'Use a step above 0.'],
    [{ step: 0.05 }, 'step', 'Use a larger step; a slider may have at most 1000 steps.'],
    [
      { step: 0.0001 },
      'step',
      'Use a number from −1,000,000,000 to 1,000,000,000 with at most 3 digits after the point.',
    ],
    [{ min: NaN }, 'min', 'Use a number from −1,000,000,000 to 1,000,000,000 with at most 3 digits after the point.'],
    [{ min: 100 }, 'max', 'Put the highest number above the lowest, 100.'],
    [{ max: -5 }, 'max', 'Put the highest number above the lowest, 0.'],
  ])('%j are refused in a draft', (settings, key, message) => {
    const issues = checkDraft(surveyWith([{ ...SLIDER, ...settings }]))
    expect(issues).toContainEqual({ path: `questions.0.${key}`, message })
  })

  test('whose step passes the highest number by are refused at publish', () => {
    const message = 'Use a step that reaches 100 from 0; this one does not.'
    expect(checkPublishable(surveyWith([{ ...SLIDER, step: 30 }]))).toEqual([{ path: 'questions.0.step', message }])
    expect(checkPublishable(surveyWith([TENTHS]))).toEqual([])
  })

  test('count each place as a line of the report, and one control of the page', () => {
    expect(controlsOf(SLIDER)).toBe(1)
    const long = Array.from({ length: 50 }, (_, n): SliderQuestion => ({ ...SLIDER, id: `q${n}`, max: 1000 }))
    expect(checkDraft(surveyWith(long.slice(0, 49)))).toEqual([])
    expect(checkDraft(surveyWith(long)).map(({ path }) => path)).toEqual(['questions'])
  })
})

describe('a condition', () => {
  const issuesOf = (question: SliderQuestion, test: Omit<ConditionLeaf, 'question'>) =>
    checkPublishable(
      surveyWith([question, { id: 'next', type: 'open_text', title: 'T' }], {
        logic: [{ when: { question: 'q', ...test } as ConditionLeaf, then: [{ action: 'hide', question: 'next' }] }],
      }),
    ).map(({ path }) => path)

  test.each<[Omit<ConditionLeaf, 'question'>, number[]]>([
    [{ op: 'eq', value: 15 }, [15]],
    [{ op: 'ne', value: 15 }, [-10, -5, 0, 5, 10, 20]],
    [{ op: 'gt', value: 12 }, [15, 20]],
    [{ op: 'gte', value: '15' }, [15, 20]],
    [{ op: 'lt', value: -6 }, [-10]],
    [{ op: 'lte', value: -10 }, [-10]],
    [{ op: 'between', value: [1, 6] }, [5]],
    [{ op: 'one_of', value: [3, 20] }, [20]],
  ])('%j holds for %j alone', (test, passing) => {
    expect(issuesOf(FIVES, test)).toEqual([])
    const survey = surveyWith([FIVES, { id: 'next', type: 'open_text', title: 'T' }], {
      logic: [{ when: { question: 'q', ...test } as ConditionLeaf, then: [{ action: 'hide', question: 'next' }] }],
    })
    const hidden = [-10, -5, 0, 5, 10, 15, 20].filter((q) => !completedWith(survey, { q }).path.includes('next'))
    expect(hidden).toEqual(passing)
  })

  test.each<Omit<ConditionLeaf, 'question'>>([
    { op: 'eq', value: 7 },
    { op: 'gt', value: 20 },
    { op: 'lt', value: -10 },
    { op: 'between', value: [1, 4] },
    { op: 'between', value: [30, 40] },
    { op: 'one_of', value: [1, 2] },
  ])('that no place passes is refused: %j', (test) => {
    expect(issuesOf(FIVES, test)).toEqual(['logic.0.when.value'])
  })

  test('compares with numbers, by the operators of numbers', () => {
    expect(issuesOf(SLIDER, { op: 'contains', value: 5 })).toEqual(['logic.0.when.op'])
    expect(issuesOf(SLIDER, { op: 'gt', value: 'much' })).toEqual(['logic.0.when.value'])
  })
})

describe('in a conversation', () => {
  const settingOf = (question: SliderQuestion, rest: Partial<Setting> = {}): Setting => ({
    definition: surveyWith([{ ...question, required: true }]),
    channel: 'sms',
    language: 'en',
    values: {},
    customData: {},
    today: null,
    ...rest,
  })
  const reply = (setting: Setting, text: string) => replyTo(setting, beginTalk(setting).talk, text).answers['q']

  test('it asks for a number of its range, and names its steps and ends', () => {
    expect(beginTalk(settingOf(SLIDER)).say).toBe('How much?\nReply with a number from 0 to 100.')
    expect(beginTalk(settingOf(FIVES)).say).toBe(
      'How much?\nReply with a number from -10 to 20 (-10 = Cold, 20 = Hot). In steps of 5.',
    )
    expect(beginTalk(settingOf(FIVES, { channel: 'voice' })).say).toBe(
      'How much? Please say or press a number from -10 to 20. -10 means Cold. 20 means Hot. In steps of 5.',
    )
  })

  test.each<[string, number | undefined]>([
    ['50', 50],
    ['50!', 50],
    ['50/100', 50],
    ['50 out of 100', 50],
    ["I'd say 50", 50],
    ['50, quite a lot', 50],
    ['seven', 7],
    ['٥٠', 50],
    ['101', undefined],
    ['2.5', undefined],
    ['30 or 50', undefined],
    ['a lot', undefined],
  ])('"%s" is %s', (text, value) => {
    expect(reply(settingOf(SLIDER), text)).toBe(value)
  })

  test('it reads decimals as the language writes them, negative numbers, and the words at its ends', () => {
    expect(reply(settingOf(TENTHS, { language: 'de' }), '0,3')).toBe(0.3)
    expect(reply(settingOf(FIVES), '-5')).toBe(-5)
    expect(reply(settingOf(FIVES), 'hot')).toBe(20)
    expect(reply(settingOf(SLIDER, { channel: 'voice' }), '75')).toBe(75)
  })

  test('an author is told where a phone has no key for the number', () => {
    expect(lintFor(surveyWith([SLIDER]), 'voice')).toEqual([])
    expect(lintFor(surveyWith([FIVES]), 'voice').map(({ message }) => message)).toEqual([
      'People have to say the number; keys have no sign and no decimals.',
    ])
  })
})
