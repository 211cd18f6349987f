import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Frame, Page } from 'playwright-core'
import { expect } from 'vitest'

/** A website of another origin that embeds surveys. */
export interface Website {
  server: Server
  /** An address with this HTML, a part or a whole page, under a policy that allows our script and frame only. */
  page(html: string): string
}

/** @param base the origin of our server. */
export async function startWebsite(base: string): Promise<Website> {
  const pages: string[] = []
  const started = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    response.writeHead(200, {
      'Content-Type': 'text/html',
      'Content-Security-Policy': `default-src 'none'; script-src ${base}; frame-src ${base}`,
    })
    const html = pages[Number(pathname.slice(1))] ?? ''
    response.end(html.startsWith('<!doctype') ? html : `<!doctype html><title>Shop</title><h1>Shop</h1>${html}`)
  })
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve))
  const { port } = started.address() as AddressInfo
  return { server: started, page: (html) => `http://127.0.0.1:${port}/${pages.push(html) - 1}` }
}

/** Calls from the test stand in for scripts of the website. */
export function voc(page: Page, ...call: unknown[]): Promise<unknown> {
  return page.evaluate(`window.voc(...${JSON.stringify(call)})`)
}

/** Waits for the rules of a survey. The hidden frame that asks for them is removed once they came. */
export async function rulesCame(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate("document.querySelectorAll('iframe').length")).toBe(0)
}

export function surveyFrame(page: Page): Frame | undefined {
  return page.frames().find((frame) => frame.url().includes('/public/s/'))
}
