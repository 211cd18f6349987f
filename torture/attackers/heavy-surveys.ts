/** Definitions as heavy as their limits allow, each in another way. */
export const HEAVY_SURVEYS = {
  'every choice tried by every rule': () => {
    const question = { id: 'q1', type: 'single', title: 'Which?', required: true, choices: choices(200) }
    const values = Array.from({ length: 180 }, (_, n) => `c${n}`)
    return survey([question, last()], fill(rule({ all: [{ question: 'q1', op: 'one_of', value: values }] }), 500))
  },
  'a hundred comparisons in each of many rules': () => {
    const question = { id: 'q1', type: 'single', title: 'Which?', choices: choices(200) }
    const leaves = Array.from({ length: 100 }, (_, n) => ({ question: 'q1', op: 'ne', value: `c${n}` }))
    return survey([question, last()], fill(rule({ any: [{ all: leaves }] }), 100))
  },
  'comparisons that do not fit the question': () => {
    const question = { id: 'q1', type: 'dropdown', title: 'Which?', choices: choices(200), allow_other: true }
    const leaves = Array.from({ length: 100 }, () => ({ question: 'q1', op: 'contains', value: 'x' }))
    return survey([question, last()], fill(rule({ all: leaves }), 100))
  },
  'comparisons with the cells of a large matrix': () => {
    const lines = Array.from({ length: 50 }, (_, n) => ({ id: `l${n}`, label: 'Line' }))
    const leaves = Array.from({ length: 100 }, (_, n) => ({
      question: 'q1',
      op: 'contains',
      value: `l${n % 50}:l${n % 50}`,
    }))
    return survey(
      [{ id: 'q1', type: 'matrix', title: 'Where?', rows: lines, columns: lines }, last()],
      fill(rule({ all: leaves }), 100),
    )
  },
  'comparisons of days, and statements before the first question': daysAfterStatements,
  'many questions with many choices': () =>
    survey(
      Array.from({ length: 195 }, (_, n) => ({ id: `q${n}`, type: 'multi', title: 'Which?', choices: choices(200) })),
    ),
  'many large matrices': () => {
    const lines = Array.from({ length: 50 }, (_, n) => ({ id: `l${n}`, label: 'x'.repeat(400) }))
    return survey(
      Array.from({ length: 20 }, (_, n) => ({
        id: `q${n}`,
        type: 'matrix',
        title: 'Where?',
        rows: lines,
        columns: lines,
      })),
    )
  },
  'many rankings': () =>
    survey(
      Array.from({ length: 20 }, (_, n) => ({
        id: `q${n}`,
        type: 'ranking',
        title: 'Which first?',
        choices: choices(50),
      })),
    ),
  'fifty languages': () => {
    const languages = Array.from({ length: 50 }, (_, n) => `a${String.fromCharCode(97 + (n % 26))}${n < 26 ? '' : 'x'}`)
    const title = Object.fromEntries(languages.map((language) => [language, 'How? {{custom.plan}}']))
    const questions = Array.from({ length: 200 }, (_, n) => ({
      id: `q${n}`,
      type: 'multi',
      title,
      choices: choices(10, title).slice(0, 2),
    }))
    return { ...survey(questions), default_language: 'aa', languages, custom_fields: ['plan'] }
  },
  'a translation of each of many labels': () => {
    const languages = Array.from({ length: 50 }, (_, n) => `b${String.fromCharCode(97 + (n % 26))}${n < 26 ? '' : 'x'}`)
    const questions = Array.from({ length: 160 }, (_, n) => ({
      id: `q${n}`,
      type: 'multi',
      title: { ba: 'x' },
      choices: choices(200, { ba: '' }),
    }))
    return { ...survey(questions), default_language: 'ba', languages }
  },
  'texts that are made of placeholders': () => {
    // 48 of the 50 that a text may hold, with text between them.
    const title = `{{answer.q0}}{{custom.a}}{{x}}${'x'.repeat(580)}`.repeat(16).slice(0, 9_900)
    return survey(Array.from({ length: 100 }, (_, n) => ({ id: `q${n}`, type: 'open_text', title, format: 'text' })))
  },
  'texts that are made of open braces': () =>
    survey(Array.from({ length: 100 }, (_, n) => ({ id: `q${n}`, type: 'open_text', title: '{'.repeat(9_900) }))),
  'actions that show and hide': () => {
    const questions = Array.from({ length: 200 }, (_, n) => ({
      id: `q${n}`,
      type: 'single',
      title: 'Which?',
      choices: choices(4),
    }))
    const then = Array.from({ length: 50 }, (_, n) => ({ action: n % 2 ? 'hide' : 'show', question: `q${100 + n}` }))
    return survey(
      questions,
      Array.from({ length: 400 }, (_, n) => ({ when: { question: `q${n % 100}`, op: 'is_answered' }, then })),
    )
  },
} satisfies Record<string, () => object>

/** Surveys for respondents. They are published several times. */
export const HEAVY_LIVE_SURVEYS = {
  'labels full of placeholders': () => {
    // 50 placeholders are as many as a text may hold.
    const label = '{{custom.a}}'.repeat(50)
    const questions = Array.from({ length: 8 }, (_, n) => ({
      id: `q${n + 2}`,
      type: 'single',
      title: 'T',
      choices: choices(195, label),
    }))
    return {
      ...survey([{ id: 'q1', type: 'open_text', title: 'Why?' }, ...questions]),
      metric: null,
      custom_fields: ['a'],
    }
  },
  'comparisons of days': () => ({ ...daysAfterStatements(), metric: null }),
  'long texts': () => ({
    ...survey(['q1', 'q2', 'q3', 'q4'].map((id) => ({ id, type: 'open_text', title: 'Why?', max_length: 50_000 }))),
    metric: null,
  }),
  'a long text and as many comparisons with it as may be': () => {
    const leaves = Array.from({ length: 100 }, () => ({ question: 'q1', op: 'contains', value: 'y' }))
    return {
      ...survey([{ id: 'q1', type: 'open_text', title: 'Why?' }, last()], fill(rule({ any: leaves }), 50)),
      metric: null,
    }
  },
} satisfies Record<string, () => object>

function daysAfterStatements(): object {
  const statements = Array.from({ length: 150 }, (_, n) => ({ id: `s${n}`, type: 'statement', title: 'Read this.' }))
  const leaves = Array.from({ length: 100 }, (_, n) => ({ custom: 'a', op: 'gt', value: `2026-01-${10 + (n % 20)}` }))
  return { ...survey([...statements, last()], fill(rule({ any: leaves }), 100)), custom_fields: ['a'] }
}

function survey(questions: object[], logic: object[] = []): { name: string; questions: object[]; logic: object[] } {
  return { name: 'Heavy', questions, logic }
}

function choices(count: number, label: unknown = 'x'): object[] {
  return Array.from({ length: count }, (_, n) => ({ id: `c${n}`, label }))
}

function last(): object {
  return { id: 'q9', type: 'open_text', title: 'Why?' }
}

function rule(when: object): object {
  return { when, then: [{ action: 'jump', to: 'q9' }] }
}

/** As many as fit into 1 MiB with something to spare. */
function fill(item: object, most: number): object[] {
  const bytes = JSON.stringify(item).length + 1
  return Array.from({ length: Math.min(most, Math.floor(1_000_000 / bytes)) }, () => item)
}
