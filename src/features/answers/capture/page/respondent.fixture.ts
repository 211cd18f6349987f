import type { TestAnswer, TestServer } from '../../../../testing/harness.ts'

export const HTML = { accept: 'text/html' }

export function openPage(server: TestServer, id: string, query = '', headers: Record<string, string> = {}) {
  return server.request('GET', `/public/s/${id}${query}`, { headers: { ...HTML, ...headers } })
}

/** Sends the form of a page as a browser does: its hidden fields, what was typed, and the button. */
export async function sendPage(
  server: TestServer,
  page: TestAnswer,
  typed: [string, string][],
  button = '_next',
  value = '1',
) {
  const action = /<form method="post" action="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
    ([, name = '', value = '']) => [unescape(name), unescape(value)],
  )
  const body = new URLSearchParams([...hidden, ...typed, [button, value]] as [string, string][]).toString()
  return follow(
    server,
    await server.request('POST', action, {
      body,
      headers: { ...HTML, 'content-type': 'application/x-www-form-urlencoded' },
    }),
  )
}

/** The page to which an answer leads, as a browser opens it. */
export function follow(server: TestServer, answer: TestAnswer): TestAnswer | Promise<TestAnswer> {
  const to = answer.headers.get('location')
  return answer.status === 303 && to !== null ? server.request('GET', to, { headers: HTML }) : answer
}

function unescape(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

export function questionsOn(page: TestAnswer): string[] {
  return [...page.text.matchAll(/class="question(?: wrong)?" id="q-(\w+)"/g)].map(([, id = '']) => id)
}
