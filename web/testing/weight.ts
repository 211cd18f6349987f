import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'

/** A usual survey, for budgets. */
export const FIVE_QUESTIONS = {
  metric: 'nps',
  questions: [
    {
      id: 'q1',
      type: 'nps',
      title: 'How likely are you to recommend Acme to a friend or colleague?',
      required: true,
      low_label: 'Not at all likely',
      high_label: 'Extremely likely',
    },
    {
      id: 'q2',
      type: 'single',
      title: 'What is the main reason for your score?',
      choices: ['Price', 'Quality', 'Service', 'Delivery'].map((label) => ({ id: label.toLowerCase(), label })),
      allow_other: true,
    },
    { id: 'q3', type: 'open_text', title: 'You gave us {{answer.q1}}. What could we do better?' },
    { id: 'q4', type: 'rating', scale: 5, title: 'How satisfied are you with our support?' },
    { id: 'q5', type: 'contact', title: 'May we get in touch?', fields: ['name', 'email'] },
  ],
  logic: [{ when: { question: 'q1', op: 'gte', value: 9 }, then: [{ action: 'jump', to: 'q3' }] }],
}

export interface Weight {
  status: number
  /** Of the body as it travels. */
  bytes: number
  text: string
}

/** Fetches an address with gzip, which every browser reads, and weighs the body as it travels. */
export function weigh(address: string): Promise<Weight> {
  return new Promise((resolve, reject) => {
    request(address, { headers: { 'accept-encoding': 'gzip', accept: 'text/html' } }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const body = Buffer.concat(parts)
        const text = response.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
        resolve({ status: response.statusCode ?? 0, bytes: body.length, text: text.toString() })
      })
    })
      .on('error', reject)
      .end()
  })
}
