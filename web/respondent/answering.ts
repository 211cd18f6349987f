import { answerIn, fieldsOf, fieldsFrom, type Fields } from '../../src/survey-engine/forms/answers.ts'
import { errorsIn } from '../../src/survey-engine/forms/errors.ts'
import { evaluate, type Evaluation } from '../../src/survey-engine/logic/evaluation.ts'
import { pipe, pipingBudget } from '../../src/survey-engine/logic/piping.ts'
import type { AnswerValues, Question } from '../../src/survey-engine/model/definition.ts'
import { takesAnswer } from '../../src/survey-engine/types/registry.ts'
import type { PageData } from './page.ts'

/** The answers in the form, judged by the engine. */
export interface Answers {
  fields: Fields
  typed: Record<string, unknown>
  judged: Evaluation
}

/** Reads the form. Only visited questions count, because a box that nobody has seen is not an answer. */
export function readAnswers(data: PageData, form: HTMLFormElement, visited: ReadonlySet<string>): Answers {
  const { definition, language, custom_data } = data
  const pairs = [...new FormData(form)].filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  const fields = fieldsFrom(pairs)
  const asked = definition.questions.filter((question) => takesAnswer(question) && visited.has(question.id))
  const typed = Object.fromEntries(asked.map((question) => [question.id, answerIn(question, fields)]))
  const judged = evaluate(definition, { answers: typed, custom_data, completed: false, language, seen: [...visited] })
  return { fields, typed, judged }
}

/** Question id → the reason why its answer cannot be taken. */
export function findErrors(data: PageData, { fields, typed, judged }: Answers, asked: string[]): Map<string, string> {
  const { definition, language } = data
  const questions = definition.questions.filter(({ id }) => asked.includes(id))
  return errorsIn({ definition, asked: questions, typed, judged, fields, language })
}

/** Writes stored answers into the form, in the notation of the page's language. */
export function fillForm(
  data: PageData,
  form: HTMLFormElement,
  values: AnswerValues,
  isFilled: (id: string) => boolean,
): void {
  const fields = fieldsOf(data.definition, values, data.language)
  for (const question of data.definition.questions) {
    if (!isFilled(question.id)) continue
    for (const control of controlsIn(form, question)) {
      const given = fields.get(control.name) ?? []
      if (control instanceof HTMLInputElement && /radio|checkbox/.test(control.type))
        control.checked = given.includes(control.value)
      else if (given[0] !== undefined || control.type !== 'range') control.value = given[0] ?? ''
    }
  }
}

/** Fills in the texts that repeat an answer. */
export function fillTexts({ definition, language }: PageData, root: ParentNode, judged: Evaluation): void {
  const { values, custom_data, variables } = judged
  const context = { definition, language, values, custom_data, variables, budget: pipingBudget() }
  for (const marked of root.querySelectorAll<HTMLElement>('[data-pipe]'))
    marked.textContent = pipe(marked.dataset['pipe'] ?? '', context)
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

function controlsIn(form: HTMLFormElement, { id }: Question): Control[] {
  return [...form.querySelectorAll<Control>(`#q-${id} :is(input,select,textarea)[name]`)]
}
