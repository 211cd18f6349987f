import { createWorkspace } from '../../src/testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../src/testing/harness.ts'
import { startBrowser, type TestBrowser } from './browser.ts'
import { startWebsite, type Website } from './website.ts'

/** Our server with a workspace, a website of another origin that embeds its surveys, and a browser. */
export interface Shop {
  server: TestServer
  /** Of the workspace's owner. */
  token: string
  /** The origin of our server. */
  base: string
  website: Website
  chrome: TestBrowser
  /** The element that loads the embed script. */
  script(attributes?: string): string
  close(): Promise<void>
}

export async function startShop(): Promise<Shop> {
  const [server, chrome] = await Promise.all([startTestServer({ engine: 'pglite' }), startBrowser()])
  const { token } = await createWorkspace(server)
  const base = await server.listen()
  const website = await startWebsite(base)
  return {
    server,
    token,
    base,
    website,
    chrome,
    script: (attributes = '') => `<script src="${base}/public/embed.js"${attributes}></script>`,
    async close() {
      await chrome.close()
      website.server.close()
      await server.close()
    },
  }
}
