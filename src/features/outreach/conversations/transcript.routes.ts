import { tenantRoute } from '../../../http/routes/route.ts'
import { Conversation } from './transcript.schema.ts'
import { readConversation } from './transcript.service.ts'

export const readConversationRoute = tenantRoute({
  method: 'get',
  path: '/responses/:rid/conversation',
  operationId: 'readConversation',
  summary: 'Read the conversation by SMS or phone that a response was given in',
  description:
    'It is kept as long as the response, and never has the number of the respondent. The first message of an invitation goes earlier, with the messages of its age.',
  tag: 'Responses',
  params: { rid: 'response' },
  response: { status: 200, schema: Conversation },
  handler: (scope, { params: { rid } }) => readConversation(scope, rid),
})
