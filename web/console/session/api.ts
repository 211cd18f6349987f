import { answerOf, createApi, taggedAnswerOf } from '../../api/client.ts'
import { endSession, presentSession } from './session.ts'

/** The API as the person of the session. A session that ended elsewhere ends here at the next call. */
export const api = createApi({
  token: () => {
    const session = presentSession()
    return session.status === 'in' ? session.token : null
  },
  onUnauthorized: () => endSession('elsewhere'),
})

export { answerOf, taggedAnswerOf }
