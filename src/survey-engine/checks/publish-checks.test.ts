import { describe, expect, test } from 'vitest'
import type { Action, Condition, Question, Rule, SurveyDefinition } from '../model/definition.ts'
import { checkPublishable } from './publish-checks.ts'
import { AFTER_DELIVERY, CHOICES, EVERY_TYPE, surveyWith } from '../survey.fixture.ts'

const FIFTY = Array.from({ length: 50 }, (_, n) => ({ id: `x${n}`, label: `${n}` }))
const ALWAYS: Condition = { all: [] }
const QUESTIONS: Question[] = ['q1', 'q2', 'q3', 'q4'].map((id) => ({ id, type: 'csat', title: id }))
const pathsOf = (definition: SurveyDefinition) => checkPublishable(definition).map(({ path }) => path)
const withRules = (...logic: Rule[]) => surveyWith(QUESTIONS, { logic, endings: [{ id: 'e', title: 'T' }] })
const low: Condition = { question: 'q2', op: 'lte', value: 2 }
const rule = (...then: Action[]): Rule => ({ when: low, then })
const asking = (title: string) =>
  surveyWith([QUESTIONS[0]!, { id: 'q2', type: 'csat', title }], { custom_fields: ['plan'], variables: { x: 1 } })

const ending = (redirect_url: string) =>
  surveyWith(QUESTIONS, { custom_fields: ['plan'], endings: [{ id: 'e', title: 'T', redirect_url }] })

test.each<[string, SurveyDefinition]>([
  ['the example of a first survey', AFTER_DELIVERY],
  ['every question type', surveyWith(EVERY_TYPE, { metric: 'ces' })],
  [
    'messages with their placeholders',
    surveyWith(QUESTIONS, { messages: { sv: { page: 'Sida {n}', errors_few: '{n} fel', send: 'Skicka' } } }),
  ],
  [
    'placeholders with defaults in quotes',
    asking(`{{ answer.q1 | default: "x" }} {{custom.plan|default:'y'}} {single}`),
  ],
  ['placeholders in a redirect', ending('https://example.com/{{ answer.q4 | default: "none" }}?plan={{custom.plan}}')],
  ['placeholders for what is known by then', asking('{{answer.q1|x}} {{custom.plan}} {{variable.x}}')],
  [
    'a placeholder for a calculated variable',
    {
      ...asking('{{variable.y}}'),
      logic: [{ when: ALWAYS, then: [{ action: 'calculate', variable: 'y', operation: 'add', value: 1 }] }],
    },
  ],
  ['an ending that names any answer', surveyWith(QUESTIONS, { endings: [{ id: 'e', title: '{{answer.q4}}' }] })],
  [
    'every action on a later question',
    withRules(
      rule({ action: 'show', question: 'q3' }, { action: 'require', question: 'q4' }, { action: 'end', ending: 'e' }),
    ),
  ],
  ['a jump to the next question', withRules(rule({ action: 'jump', to: 'q3' }))],
  [
    'a description that is blank in every language',
    surveyWith([{ id: 'a', type: 'csat', title: { en: 'A', de: 'A' }, description: { en: '', de: '' } }]),
  ],
])('a survey with %s can be published', (_, definition) => {
  expect(checkPublishable(definition)).toEqual([])
})

describe('what cannot work is refused', () => {
  test.each<[string, SurveyDefinition, string[]]>([
    ['no question', surveyWith([]), ['questions']],
    [
      'a proof of work for answers that nobody can hold back',
      surveyWith(QUESTIONS, { proof_of_work: true, privacy: 'anonymous' }),
      ['proof_of_work'],
    ],
    [
      'a proof of work for a survey without a script',
      surveyWith(
        ['m1', 'm2'].map((id) => ({ id, type: 'matrix', title: 'T', rows: FIFTY, columns: FIFTY })),
        { proof_of_work: true },
      ),
      ['proof_of_work'],
    ],
    ['statements alone', surveyWith([{ id: 'a', type: 'statement', title: 'T' }]), ['questions']],
    ['a metric that no question asks', surveyWith(QUESTIONS, { metric: 'nps' }), ['metric']],
    ['an issue of a draft', surveyWith([...QUESTIONS, QUESTIONS[0]!]), ['questions.4.id']],
    ['a blank title', surveyWith([{ id: 'a', type: 'csat', title: ' ' }]), ['questions.0.title']],
    ['an unknown jump target', withRules(rule({ action: 'jump', to: 'q9' })), ['logic.0.then.0.to']],
    ['a jump backwards', withRules(rule({ action: 'jump', to: 'q1' })), ['logic.0.then.0.to']],
    ['a jump to its own anchor', withRules(rule({ action: 'jump', to: 'q2' })), ['logic.0.then.0.to']],
    [
      'a jump backwards from after',
      withRules({ after: 'q3', when: low, then: [{ action: 'jump', to: 'q2' }] }),
      ['logic.0.then.0.to'],
    ],
    ['an unknown ending', withRules(rule({ action: 'end', ending: 'x' })), ['logic.0.then.0.ending']],
    ['a rule without an action', withRules(rule()), ['logic.0.then']],
    ['hiding what has passed', withRules(rule({ action: 'hide', question: 'q2' })), ['logic.0.then.0.question']],
    ['requiring what has passed', withRules(rule({ action: 'require', question: 'q1' })), ['logic.0.then.0.question']],
    [
      'showing what has passed, which is then never reached',
      withRules(rule({ action: 'show', question: 'q1' })),
      ['logic.0.then.0.question', 'questions.0'],
    ],
    [
      'requiring a statement',
      {
        ...withRules({ when: ALWAYS, then: [{ action: 'require', question: 's' }] }),
        questions: [...QUESTIONS, { id: 's', type: 'statement', title: 'T' }],
      },
      ['logic.0.then.0.question'],
    ],
    [
      'a condition on a question after its anchor',
      withRules({ after: 'q1', when: low, then: [{ action: 'end' }] }),
      ['logic.0.when.question'],
    ],
    [
      'calculating with a later question',
      withRules(rule({ action: 'calculate', variable: 'v', operation: 'add', value: { question: 'q3' } })),
      ['logic.0.then.0.value.question'],
    ],
    [
      'calculating with an unknown variable',
      withRules(rule({ action: 'calculate', variable: 'v', operation: 'add', value: { variable: 'w' } })),
      ['logic.0.then.0.value.variable'],
    ],
    [
      'adding words',
      withRules(rule({ action: 'calculate', variable: 'v', operation: 'add', value: 'words' })),
      ['logic.0.then.0.value'],
    ],
    [
      'dividing by 0',
      withRules(rule({ action: 'calculate', variable: 'v', operation: 'divide', value: 0 })),
      ['logic.0.then.0.value'],
    ],
    [
      'a title without one of the languages',
      surveyWith([{ id: 'a', type: 'csat', title: { en: 'A' } }], { languages: ['en', 'de'] }),
      ['questions.0.title'],
    ],
    [
      'a label without one of the languages',
      surveyWith([
        { id: 'a', type: 'single', title: { en: 'A', de: 'A' }, choices: [{ id: 'x', label: { en: 'X' } }] },
      ]),
      ['questions.0.choices.0.label'],
    ],
    [
      'a blank translation',
      surveyWith([{ id: 'a', type: 'csat', title: { en: 'A', de: ' ' } }]),
      ['questions.0.title'],
    ],
    [
      'an ending without the default language',
      surveyWith(QUESTIONS, { endings: [{ id: 'e', title: 'T', message: { de: 'Danke' } }] }),
      ['endings.0.message'],
    ],
    ['a placeholder for a later question', asking('{{answer.q2}}'), ['questions.1.title']],
    ['a placeholder for an unknown question', asking('{{answer.q9|x}}'), ['questions.1.title']],
    ['a placeholder for an unknown custom field', asking('{{custom.age}}'), ['questions.1.title']],
    ['a placeholder for an unknown variable', asking('{{variable.y}}'), ['questions.1.title']],
    ['a placeholder that names no source', asking('{{q1}}'), ['questions.1.title']],
    ['an empty placeholder', asking('{{ }}'), ['questions.1.title']],
    ['a placeholder closed by one brace', asking('{{answer.q1}'), ['questions.1.title']],
    ['a placeholder opened by one brace', asking('{answer.q1}}'), ['questions.1.title']],
    ['a placeholder that is never closed', asking('{{answer.q1}} {{answer.q1'), ['questions.1.title']],
    ['a default without quotes', asking('{{answer.q1 | default: there}}'), ['questions.1.title']],
    ['a default in curly quotes', asking('{{answer.q1 | default: “there”}}'), ['questions.1.title']],
    ['an unknown name in a redirect', ending('https://example.com/?a={{ custom.age }}'), ['endings.0.redirect_url']],
    ['a broken placeholder in a redirect', ending('https://example.com/?a={{answer.q1}'), ['endings.0.redirect_url']],
    [
      'a placeholder for a statement',
      surveyWith([
        { id: 's', type: 'statement', title: 'T' },
        { id: 'a', type: 'csat', title: '{{answer.s}}' },
      ]),
      ['questions.1.title'],
    ],
    [
      'a placeholder in one translation only',
      surveyWith([{ id: 'a', type: 'csat', title: { en: 'A', de: '{{answer.a}}' } }]),
      ['questions.0.title'],
    ],
    [
      'an unknown placeholder in a message',
      surveyWith(QUESTIONS, { messages: { sv: { page: 'Sida {sida}', next: 'Nästa {n}' } } }),
      ['messages.sv.page', 'messages.sv.next'],
    ],
    ['no choices', surveyWith([{ id: 'a', type: 'single', title: 'T', choices: [] }]), ['questions.0.choices']],
    [
      'a ranking of one',
      surveyWith([{ id: 'a', type: 'ranking', title: 'T', choices: [CHOICES[0]!] }], { default_language: 'en' }),
      ['questions.0.choices'],
    ],
    [
      'a matrix of nothing',
      surveyWith([{ id: 'a', type: 'matrix', title: 'T', rows: [], columns: [] }]),
      ['questions.0.rows', 'questions.0.columns'],
    ],
    [
      'more choices asked for than allowed',
      surveyWith([{ id: 'a', type: 'multi', title: 'T', choices: CHOICES, min_choices: 3, max_choices: 2 }]),
      ['questions.0.min_choices'],
    ],
    [
      'more choices asked for than there are',
      surveyWith([{ id: 'a', type: 'multi', title: 'T', choices: CHOICES, min_choices: 4 }]),
      ['questions.0.min_choices'],
    ],
    [
      'no choice allowed',
      surveyWith([{ id: 'a', type: 'multi', title: 'T', choices: CHOICES, max_choices: 0 }]),
      ['questions.0.max_choices'],
    ],
    [
      'an earliest date after the latest',
      surveyWith([{ id: 'a', type: 'date', title: 'T', min: '2024-02-02', max: '2024-02-01' }]),
      ['questions.0.min'],
    ],
    [
      'a contact without fields',
      surveyWith([{ id: 'a', type: 'contact', title: 'T', fields: [] }]),
      ['questions.0.fields'],
    ],
    [
      'a required field that is not asked',
      surveyWith([{ id: 'a', type: 'contact', title: 'T', required_fields: ['phone'] }]),
      ['questions.0.required_fields'],
    ],
    [
      'a quota on an unknown custom field',
      surveyWith(QUESTIONS, { quotas: [{ id: 'a', limit: 1, when: { custom: 'x', op: 'is_answered' } }] }),
      ['quotas.0.when.custom'],
    ],
  ])('%s', (_, definition, paths) => {
    expect(pathsOf(definition)).toEqual(paths)
  })
})
