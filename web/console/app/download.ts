import { answerOf, api } from '../session/api.ts'

/** An address that gives a file once, without a token. Relative, so that it works whatever name the server is reached by. */
export async function ticketPath(path: string): Promise<string> {
  const { url } = await answerOf(api.POST('/v1/tickets', { body: { path } }))
  return new URL(url).pathname
}

/** Makes the browser download a file, which its own request could not fetch: it sends no token. */
export async function download(path: string): Promise<void> {
  location.assign(await ticketPath(path))
}
