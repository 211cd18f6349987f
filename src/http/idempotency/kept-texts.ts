import type { KeptAnswer } from '../../platform/kept-answers.ts'
import { uuidOf } from '../../platform/personal.ts'

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const ID = /^[a-z]{2,4}_[0-9a-z]{26}$/
const SHORTEST_NUMBER = 100_000

/** The texts of a JSON answer, without moments and ids, whose digits would look like phone numbers. */
export function textsOfAnswer(body: string): Omit<KeptAnswer, 'id'> {
  const texts: string[] = []
  const named = new Set<string | null>()
  const waiting: unknown[] = body === '' ? [] : [JSON.parse(body)]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) if (item !== null) waiting.push(name, item)
    } else if (typeof value === 'number' && value >= SHORTEST_NUMBER) texts.push(String(value))
    else if (typeof value === 'string') {
      if (!ID.test(value) && !MOMENT.test(value)) texts.push(value)
      else named.add(uuidOf(value))
    }
  }
  return { texts, named: [...named].filter((id) => id !== null) }
}
