import { answerOf, api } from './api.ts'
import { beginSession } from './session.ts'

/** Goes on in another workspace of the caller, at the same address. */
export async function switchWorkspace(id: string): Promise<void> {
  const { token } = await answerOf(api.POST('/v1/session/workspace', { body: { workspace_id: id } }))
  beginSession(token)
}
