import { describe, expect, test } from 'vitest'
import { lintFor, lintInSteps } from './channel-lint.ts'
import { beginTalk, replyTo, type Setting, type Turn } from './conversation.ts'
import type { Question, SurveyDefinition } from '../model/definition.ts'
import type { TalkChannel } from './prompts.ts'
import { AFTER_DELIVERY, CHOICES, EVERY_TYPE, surveyWith } from '../survey.fixture.ts'

interface Held {
  turns: Turn[]
  values: Setting['values']
  last: Turn
}

function hold(
  definition: SurveyDefinition,
  texts: string[],
  { channel = 'sms' as TalkChannel, language = 'en', customData = {} } = {},
): Held {
  const setting: Setting = { definition, channel, language, values: {}, customData, today: null }
  const turns = [beginTalk(setting)]
  for (const text of texts) {
    const turn = replyTo(setting, turns.at(-1)?.talk ?? turns[0]!.talk, text)
    setting.values = { ...setting.values, ...turn.answers }
    turns.push(turn)
  }
  return { turns, values: setting.values, last: turns.at(-1)! }
}

const nps = (id: string, rest: Partial<Question> = {}): Question =>
  ({ id, type: 'nps', title: `How was ${id}?`, required: true, ...rest }) as Question

test('a first survey is put as it is everywhere else, with its logic and its piping', () => {
  const promoter = hold(AFTER_DELIVERY, ['9', 'price', 'All of it'])
  expect(promoter.turns.map(({ say }) => say)).toEqual([
    'How likely are you to recommend us?\nReply with a number from 0 to 10.',
    'Why?\n1 Price\nReply with a number.\nOr write your own answer.\nOr reply SKIP.',
    'Tell us more, 9 is…\nOr reply SKIP.',
    'Thank you! Your answers have been received.',
  ])
  expect(promoter.last.ended).toBe('completed')
  expect(promoter.values).toEqual({ q1: 9, q2: 'price', q3: 'All of it' })
  const detractor = hold(AFTER_DELIVERY, ['3', 'skip'])
  expect(detractor.turns[1]?.say).toContain('Tell us more, 3 is…')
  expect(detractor.last.ended).toBe('completed')
})

test('a reply that cannot be read is asked again twice, and the third ends the conversation', () => {
  const { turns, values } = hold(surveyWith([nps('q1'), nps('q2')]), ['9', 'great', 'good', 'bad'])
  expect(turns.map(({ ended }) => ended)).toEqual([null, null, null, null, 'invalid'])
  expect(turns[2]?.say).toBe('Sorry, I did not understand that.\n\nHow was q2?\nReply with a number from 0 to 10.')
  expect(values).toEqual({ q1: 9 })
})

test('what could be read begins the count again', () => {
  const { last } = hold(surveyWith([nps('q1'), nps('q2')]), ['x', 'y', '9', 'x', 'y'])
  expect(last).toMatchObject({ ended: null, talk: { asked: 'q2', tries: 2 } })
})

test('statements go before the question that follows, and the last ones before the ending', () => {
  const survey = surveyWith(
    [
      { id: 's1', type: 'statement', title: 'Hello {{custom.name|friend}}' },
      nps('q1'),
      { id: 's2', type: 'statement', title: 'Bye' },
    ],
    {
      custom_fields: ['name'],
      endings: [{ id: 'e', title: 'Thank you for {{answer.q1}}', message: 'See you' }],
    },
  )
  const { turns } = hold(survey, ['9'], { customData: { name: 'Ada' } })
  expect(turns[0]?.say).toMatch(/^Hello Ada\n\nHow was q1\?/)
  expect(turns[1]?.say).toBe('Bye\n\nThank you for 9\n\nSee you')
})

test('a matrix is asked row by row, and an optional one may be left in the middle', () => {
  const matrix = { ...(EVERY_TYPE.find(({ id }) => id === 'matrix') as Question) }
  const all = hold(surveyWith([{ ...matrix, required: true } as Question]), ['good', '2'])
  expect(all.turns[0]?.say).toBe('T\nSpeed:\n1 Good\n2 Bad\nReply with a number.')
  expect(all.turns[1]?.say).toBe('Care:\n1 Good\n2 Bad\nReply with a number.')
  expect(all).toMatchObject({ values: { matrix: { speed: 'good', care: 'bad' } }, last: { ended: 'completed' } })
  const half = hold(surveyWith([matrix, nps('q2')]), ['good', 'skip'])
  expect(half).toMatchObject({ values: { matrix: { speed: 'good' } }, last: { talk: { asked: 'q2' } } })
})

test('contact data are asked field by field; what is required is not skipped', () => {
  const contact = {
    id: 'c',
    type: 'contact',
    title: 'Who are you?',
    fields: ['name', 'email'],
    required_fields: ['email'],
  } as const satisfies Question
  const { turns, values } = hold(surveyWith([contact]), ['skip', 'skip', 'ada@example.com'])
  expect(turns[0]?.say).toBe('Who are you?\nWhat is your name?\nOr reply SKIP.')
  expect(turns[1]?.say).toBe('What is your email address?')
  expect(turns[2]?.say).toBe('This question needs an answer.\n\nWhat is your email address?')
  expect(values).toEqual({ c: { email: 'ada@example.com' } })
  const any = hold(surveyWith([{ ...contact, required: true, required_fields: [] }]), ['skip', 'skip', 'skip', 'skip'])
  expect(any.turns.map(({ ended }) => ended)).toEqual([null, null, null, null, 'invalid'])
})

test('a person who refuses a consent that is needed is not asked again', () => {
  const consent: Question = { id: 'ok', type: 'consent', title: 'May we?', required: true }
  expect(hold(surveyWith([consent, nps('q1')]), ['no']).last).toMatchObject({
    ended: 'refused',
    answers: { ok: false },
  })
  expect(hold(surveyWith([{ ...consent, required: false }, nps('q1')]), ['no']).last).toMatchObject({
    ended: null,
    talk: { asked: 'q1' },
  })
})

test('an ending that screens out is said', () => {
  const survey = surveyWith([nps('q1'), nps('q2')], {
    logic: [{ when: { question: 'q1', op: 'lte', value: 3 }, then: [{ action: 'end', ending: 'out' }] }],
    endings: [{ id: 'out', title: 'Sorry', outcome: 'screened_out' }],
  })
  expect(hold(survey, ['2']).last).toMatchObject({ ended: 'completed', say: 'Sorry' })
})

test('the machine speaks the survey’s language, and English where it has no other', () => {
  const survey = surveyWith([nps('q1', { title: { en: 'How?', de: 'Wie?', sv: 'Hur?' } })], {
    languages: ['en', 'de', 'sv'],
  })
  expect(hold(survey, ['x'], { language: 'de-AT' }).turns.map(({ say }) => say)).toEqual([
    'Wie?\nAntworten Sie mit einer Zahl von 0 bis 10.',
    'Das habe ich leider nicht verstanden.\n\nWie?\nAntworten Sie mit einer Zahl von 0 bis 10.',
  ])
  expect(hold(survey, [], { language: 'sv' }).turns[0]?.say).toBe('Hur?\nReply with a number from 0 to 10.')
  const swedish = { ...survey, messages: { sv: { ask_scale: 'Svara med en siffra från {min} till {max}.' } } }
  expect(hold(swedish, ['x'], { language: 'sv' }).turns.map(({ say }) => say)).toEqual([
    'Hur?\nSvara med en siffra från 0 till 10.',
    'Sorry, I did not understand that.\n\nHur?\nSvara med en siffra från 0 till 10.',
  ])
})

test('every type can be asked and answered by SMS, and no message is longer than one', () => {
  const answers = [
    '9',
    '4',
    '7',
    '2',
    '50',
    'other',
    'b',
    '1, 3',
    '3',
    '1, 3',
    '3 1 2',
    '1',
    '2',
    'Words',
    'a@b.example',
    'b.example',
    '12',
    '+4930901820',
    '2024-02-29',
    'yes',
  ]
  const { turns, last, values } = hold(surveyWith(EVERY_TYPE), [...answers, 'Ada', 'skip', 'skip', 'skip'])
  expect(last.ended).toBe('completed')
  expect(Object.keys(values)).toHaveLength(EVERY_TYPE.length - 1)
  expect(Math.max(...turns.map(({ say }) => say.length))).toBeLessThanOrEqual(1_600)
  const long = hold(surveyWith([nps('q1', { title: '👍 '.repeat(3_000) })]), [])
  expect(long.turns[0]?.say.length).toBeLessThanOrEqual(1_600)
  expect(long.turns[0]?.say.isWellFormed()).toBe(true)
})

describe('by voice', () => {
  test('choices are pressed or said', () => {
    const survey = surveyWith([{ id: 'q', type: 'single', title: 'Why?', choices: CHOICES, required: true }])
    const { turns, values } = hold(survey, ['2'], { channel: 'voice' })
    expect(turns[0]?.say).toBe('Why? For Apple, press 1. For Pear, press 2. For Plum, press 3.')
    expect(values).toEqual({ q: 'b' })
    expect(hold(survey, ['plum.'], { channel: 'voice' }).values).toEqual({ q: 'c' })
  })

  test('what cannot be heard is left out where it may be', () => {
    const picture = EVERY_TYPE.find(({ id }) => id === 'picture') as Question
    expect(hold(surveyWith([picture, nps('q1')]), [], { channel: 'voice' }).last.talk.asked).toBe('q1')
    expect(
      hold(surveyWith([{ ...picture, required: true } as Question, nps('q1')]), [], { channel: 'voice' }).last.talk
        .asked,
    ).toBe('picture')
  })
})

test('the linter says which questions do not suit, and why', () => {
  const paths = (channel: TalkChannel) =>
    new Set(lintFor(surveyWith(EVERY_TYPE), channel).map(({ path }) => EVERY_TYPE[Number(path.split('.')[1])]?.id))
  expect(paths('web')).toEqual(new Set())
  expect(paths('sms')).toEqual(new Set(['picture', 'pictures', 'ranking', 'matrix', 'contact']))
  expect(paths('voice')).toEqual(
    new Set(['single', 'multi', 'picture', 'pictures', 'ranking', 'email', 'url', 'contact']),
  )
  const wide = surveyWith([
    {
      id: 'q',
      type: 'single',
      title: 'T',
      choices: Array.from({ length: 200 }, (_, n) => ({ id: `c${n}`, label: `Choice number ${n}` })),
    },
  ])
  expect(lintFor(wide, 'sms').map(({ message }) => message)[0]).toContain('do not fit into one message')
})

test('the lint of a large survey goes a question and a language at a time', () => {
  const languages = Array.from({ length: 50 }, (_, n) => `a${String.fromCharCode(97 + (n % 26))}-${n}`)
  const survey = { ...surveyWith(EVERY_TYPE), languages }
  for (const channel of ['sms', 'voice'] as const) {
    const steps = lintInSteps(survey, channel)
    let taken = 0
    while (!steps.next().done) taken += 1
    expect(taken).toBe(EVERY_TYPE.length * 51)
  }
})

test('a turn judges the answers a few times, however many statements it puts', () => {
  const statements = Array.from({ length: 150 }, (_, n) => ({ id: `s${n}`, type: 'statement', title: `Number ${n}` }))
  const definition = surveyWith([...(statements as Question[]), nps('q1')])
  let judged = 0
  const values = {
    get q1() {
      judged += 1
      return undefined as unknown as number
    },
  }
  const { say } = beginTalk({ definition, channel: 'voice', language: 'en', values, customData: {}, today: null })
  expect(say).toContain('Number 149 How was q1?')
  expect(judged).toBeLessThan(10)
})
