import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Action, Condition, ConditionLeaf, Question, Rule, SurveyDefinition } from './model/definition.ts'
import { OPERATORS } from './model/definition.ts'
import { checkDraft } from './checks/draft-checks.ts'
import { evaluate } from './logic/evaluation.ts'
import { pipe, pipingBudget } from './logic/piping.ts'
import { checkPublishable } from './checks/publish-checks.ts'
import { matchingQuotas } from './logic/quotas.ts'
import { unreachableQuestions } from './logic/reachability.ts'
import { scoreOf } from './metrics/score.ts'
import { joinAnswers, splitAnswers } from './logic/stored-answers.ts'
import { EVERY_TYPE, surveyWith } from './survey.fixture.ts'
import { propertyRuns } from '../testing/property-runs.ts'

const questionIds = EVERY_TYPE.map(({ id }) => id)
const anyId = fc.constantFrom(...questionIds, 'nowhere', 'constructor', '__proto__')
const scalar = fc.oneof(
  fc.integer({ min: -1, max: 11 }),
  fc.constantFrom('a', 'b', 'other', 'speed:good', '2024-06-01'),
  fc.boolean(),
)

const leaf: fc.Arbitrary<ConditionLeaf> = fc
  .record({
    subject: fc.oneof(
      anyId.map((question) => ({ question })),
      fc.constantFrom({ custom: 'plan' }, { variable: 'x' }),
    ),
    op: fc.constantFrom(...OPERATORS),
    value: fc.option(
      fc.oneof(
        scalar,
        fc.array(fc.oneof(fc.integer({ min: 0, max: 10 }), fc.constantFrom('a', 'b')), { maxLength: 3 }),
      ),
      { nil: undefined },
    ),
  })
  .map(({ subject, op, value }) => ({ ...subject, op, ...(value === undefined ? {} : { value }) }))

const condition: fc.Arbitrary<Condition> = fc.letrec<{ node: Condition }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('node'), { maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('node'), { maxLength: 3 }).map((any) => ({ any })),
  ),
})).node

const action: fc.Arbitrary<Action> = fc.oneof(
  anyId.map((to) => ({ action: 'jump' as const, to })),
  fc.record({ action: fc.constantFrom('show' as const, 'hide' as const, 'require' as const), question: anyId }),
  fc.constantFrom<Action>({ action: 'end' }, { action: 'end', ending: 'out' }, { action: 'end', ending: 'gone' }),
  fc.record({
    action: fc.constant('calculate' as const),
    variable: fc.constantFrom('x', 'y', 'constructor'),
    operation: fc.constantFrom('set' as const, 'add' as const, 'multiply' as const, 'divide' as const),
    value: fc.oneof(
      fc.double(),
      fc.string(),
      anyId.map((question) => ({ question })),
      fc.constant({ variable: 'x' }),
    ),
  }),
)

const rule: fc.Arbitrary<Rule> = fc
  .record({ after: fc.option(anyId, { nil: undefined }), when: condition, then: fc.array(action, { maxLength: 3 }) })
  .map(({ after, ...rest }) => (after === undefined ? rest : { after, ...rest }))

const definition: fc.Arbitrary<SurveyDefinition> = fc
  .record({
    questions: fc.shuffledSubarray(EVERY_TYPE),
    required: fc.array(fc.boolean(), { minLength: EVERY_TYPE.length, maxLength: EVERY_TYPE.length }),
    logic: fc.array(rule, { maxLength: 6 }),
  })
  .map(({ questions, required, logic }) =>
    surveyWith(
      questions.map((question, index): Question => ({ ...question, required: required[index] ?? false })),
      {
        metric: 'nps',
        logic,
        custom_fields: ['plan'],
        variables: { x: 1 },
        endings: [{ id: 'out', title: 'T', outcome: 'screened_out' }],
        quotas: logic.map(({ when }, index) => ({ id: `quota${index}`, when, limit: 1 })),
      },
    ),
  )

const choosing = fc.oneof(
  fc.constantFrom('a', 'b', 'c'),
  fc.string({ maxLength: 20 }).map((other) => ({ other })),
)
const VALID: Record<string, fc.Arbitrary<unknown>> = {
  nps: fc.integer({ min: 0, max: 10 }),
  csat: fc.integer({ min: 1, max: 5 }),
  ces: fc.integer({ min: 1, max: 7 }),
  rating: fc.integer({ min: 1, max: 4 }),
  single: choosing,
  dropdown: fc.constantFrom('a', 'b', 'c'),
  multi: fc.uniqueArray(choosing, { maxLength: 4, selector: (item) => (typeof item === 'string' ? item : 'other') }),
  picture: fc.constantFrom('a', 'b', 'c'),
  pictures: fc.subarray(['a', 'b', 'c']),
  ranking: fc.shuffledSubarray(['a', 'b', 'c'], { minLength: 3 }),
  matrix: fc.dictionary(fc.constantFrom('speed', 'care'), fc.constantFrom('good', 'bad')),
  words: fc.string(),
  email: fc.constantFrom('ada@example.com', ' grace@example.org '),
  url: fc.webUrl(),
  number: fc.double({ noNaN: true, noDefaultInfinity: true }),
  phone: fc.constantFrom('+49 30 1234567', '(030) 1234567'),
  date: fc
    .date({ min: new Date('2024-01-01'), max: new Date('2024-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  consent: fc.boolean(),
  contact: fc.record({ name: fc.string(), company: fc.string() }, { requiredKeys: [] }),
}
const validAnswers = fc.record(VALID, { requiredKeys: [] })
const storable = (value: unknown): boolean => !/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(value))

const nearlyAnswers = fc.dictionary(
  fc.oneof(anyId, fc.string()),
  fc.oneof(fc.jsonValue(), fc.anything(), scalar, fc.array(scalar)),
)
const anyInput = fc.record({
  answers: fc.oneof(nearlyAnswers, fc.jsonValue(), validAnswers),
  custom_data: fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom('plan', '__proto__', 'x'), fc.anything())),
  completed: fc.boolean(),
  seen: fc.array(anyId),
})

describe('for any survey and any input', () => {
  test('evaluate never throws, its path runs forward, and its values stay on the path', () => {
    fc.assert(
      fc.property(definition, anyInput, (survey, input) => {
        const evaluation = evaluate(survey, input)
        const places = evaluation.path.map((id) => survey.questions.findIndex((question) => question.id === id))
        expect(places).toEqual([...new Set(places)].toSorted((a, b) => a - b))
        expect(evaluation.path).toEqual(expect.arrayContaining(Object.keys(evaluation.values)))
        expect(evaluation.issues.length).toBeLessThanOrEqual(100)
        expect(evaluation.outcome === 'in_progress').toBe(!input.completed)
        expect(
          Object.values(evaluation.variables).every((value) => typeof value === 'string' || Number.isFinite(value)),
        ).toBe(true)
      }),
      propertyRuns(20_261_125, 100),
    )
  })

  test('whatever evaluate took, it takes again unchanged', () => {
    fc.assert(
      fc.property(definition, anyInput, (survey, input) => {
        const { values, custom_data, path } = evaluate(survey, input)
        const again = evaluate(survey, { answers: values, custom_data, completed: false })
        expect(again).toMatchObject({ issues: [], values, custom_data, path })
      }),
      propertyRuns(20_261_125, 100),
    )
  })

  test('checking a definition never throws, and a publishable one passes as a draft', () => {
    fc.assert(
      fc.property(definition, (survey) => {
        const issues = checkPublishable(survey)
        if (issues.length < 100) expect(issues).toEqual(expect.arrayContaining(checkDraft(survey)))
      }),
      propertyRuns(20_261_125, 20),
    )
  })
})

describe('for any survey and valid answers', () => {
  test('there is no issue but a missing answer', () => {
    fc.assert(
      fc.property(definition, validAnswers.filter(storable), (survey, answers) => {
        const known = Object.fromEntries(
          Object.entries(answers).filter(([id]) => survey.questions.some((question) => question.id === id)),
        )
        expect(evaluate(survey, { answers: known, completed: false }).issues).toEqual([])
      }),
      propertyRuns(20_261_125, 100),
    )
  })

  test('splitting and joining gives the same values, and no answer holds an object of words', () => {
    fc.assert(
      fc.property(validAnswers, (raw) => {
        const survey = surveyWith(EVERY_TYPE)
        const { values } = evaluate(survey, { answers: raw, completed: false })
        const { answers, text } = splitAnswers(survey, values)
        expect(joinAnswers(survey, answers, text)).toEqual(values)
        expect(answers.filter(({ type }) => type === 'open_text' || type === 'contact')).toEqual([])
        expect(JSON.stringify(answers)).not.toContain('"other":')
      }),
      propertyRuns(20_261_125, 100),
    )
  })

  test('a question called unreachable is on no completed path', () => {
    const runs = propertyRuns(20_261_125, 600)
    let meetings = 0
    fc.assert(
      fc.property(definition, validAnswers, (survey, raw) => {
        const unreachable = unreachableQuestions(survey).map((index) => survey.questions[index]?.id)
        const known = Object.fromEntries(
          Object.entries(raw).filter(([id]) => survey.questions.some((question) => question.id === id)),
        )
        const { path, issues } = evaluate(survey, { answers: known, completed: true })
        if (issues.length > 0) return
        if (unreachable.length > 0) meetings++
        expect(path.filter((id) => unreachable.includes(id))).toEqual([])
      }),
      runs,
    )
    expect(meetings).toBeGreaterThan(runs.numRuns / 60)
  })

  test('scores, quotas and placeholders never throw', () => {
    const template = fc.array(
      fc.oneof(
        anyId.map((id) => `{{answer.${id}|x}}`),
        fc.constantFrom('{{', '}}', '|', '{{custom.plan}}', '{{variable.x}}'),
        fc.string(),
      ),
    )
    fc.assert(
      fc.property(definition, anyInput, template, (survey, input, parts) => {
        const { values, custom_data, variables } = evaluate(survey, input)
        const text = pipe(parts.join(''), {
          definition: survey,
          values,
          custom_data,
          variables,
          language: 'de',
          budget: pipingBudget(),
        })
        expect(text).toBeTypeOf('string')
        const ids = survey.quotas.map(({ id }) => id)
        expect(ids).toEqual(expect.arrayContaining(matchingQuotas(survey, values, custom_data, variables)))
        expect(scoreOf(survey, values)?.value).toBe(values['nps'])
      }),
      propertyRuns(20_261_125, 20),
    )
  })
})
