import { answerOf, api } from '../session/api.ts'

/** Makes the browser download a file, which its own request could not fetch: it sends no token. */
export async function download(path: string): Promise<void> {
  const { url } = await answerOf(api.POST('/v1/tickets', { body: { path } }))
  // By a relative address, so that it works whatever name the server is reached by.
  location.assign(new URL(url).pathname)
}
