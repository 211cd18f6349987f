// Five calls by the generated client: the types of this file are checked against it, then it runs against a server.
import { createSurvey, createWebhook, listResponses, publishSurvey, submitResponse, type CreateSurvey } from './client'
import { client } from './client/client.gen'

const [, , baseUrl = '', auth = ''] = process.argv
client.setConfig({ baseUrl, auth, throwOnError: true })

const survey: CreateSurvey = {
  name: 'Generated',
  questions: [
    { id: 'q1', type: 'nps', title: 'How likely are you to recommend us?' },
    { id: 'q2', type: 'open_text', title: 'Why?' },
    { id: 'q3', type: 'single', title: 'Where did you buy?', choices: [{ id: 'web', label: 'On the web' }] },
  ],
  logic: [{ when: { all: [{ question: 'q1', op: 'lte', value: 6 }] }, then: [{ action: 'jump', to: 'q3' }] }],
}

async function run(): Promise<void> {
  const made = await createSurvey({ body: survey, throwOnError: true })
  const { id } = made.data
  await publishSurvey({ path: { id }, throwOnError: true })
  await submitResponse({ path: { id }, body: { answers: { q1: 9, q2: 'Fast.', q3: 'web' } }, throwOnError: true })
  await createWebhook({ body: { url: 'https://example.com/hooks' }, throwOnError: true })
  const { data } = await listResponses({ query: { survey_id: id, limit: 5 }, throwOnError: true })
  const kinds = made.data.questions.map((question) => (question.type === 'single' ? question.choices.length : 0))
  const answers = data.data.flatMap((response) => response.answers.map(({ value }) => value))
  if (kinds.join() !== '0,0,1' || answers.join() !== '9,web')
    throw new Error(`the answers are not those: ${kinds.join()}, ${JSON.stringify(data)}`)
}

run().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
