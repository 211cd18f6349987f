import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { startProcess } from '../../src/testing/process.ts'
import { startBrowser } from './browser.ts'

const LOOK_MS = 100

/** A browser that opens the console of a workspace. */
export interface ConsoleVisits {
  base: string
  /** Errors of scripts, and refusals by the policy of the page. A test expects none. */
  complaints: string[]
  /** Opens a screen as the owner. */
  open(path: string, options?: BrowserContextOptions & Visit): Promise<Page>
  /** Calls the API as the owner. */
  call<Answer>(method: string, path: string, body?: object): Promise<Answer>
  close(): Promise<void>
}

interface Visit {
  /** Of somebody else. Null means without a session. */
  token?: string | null
  language?: string
  /** False takes the stream away, which never ends, so that the network becomes idle. */
  hasStream?: boolean
}

export const WIDE = { width: 1440, height: 900 }
export const NARROW = { width: 390, height: 844 }

/** With the product itself in a process of its own, its background work included. */
export async function startWholeConsole(): Promise<ConsoleVisits> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-console-'))
  const product = startProcess({ DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'error' })
  const base = await product.url
  await untilReady(base)
  const account = { workspace_name: 'Acme', name: 'Ada', email: 'ada@example.com', password: 'a long password' }
  const signedUp = await fetch(`${base}/public/workspaces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  const { token } = (await signedUp.json()) as { token: string }
  const visits = await visitsAt(base, token)
  return {
    ...visits,
    async close() {
      await visits.close()
      await product.kill('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export async function untilReady(base: string): Promise<void> {
  // A busy start may reset a connection that waits.
  while (!(await fetch(`${base}/health/ready`).catch(() => null))?.ok) await wait(LOOK_MS)
}

/** Opens the console at an address with the session of its owner. */
export async function visitsAt(base: string, owner: string): Promise<ConsoleVisits> {
  const chrome = await startBrowser()
  const complaints: string[] = []
  return {
    base,
    complaints,
    async open(path, { token = owner, language, hasStream = true, ...context } = {}) {
      // The first page of an origin sets its storage. It loads no program.
      const page = await chrome.open(`${base}/health`, { viewport: WIDE, ...context })
      page.on('console', (message) => {
        if (/Content Security Policy/.test(message.text())) complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      if (!hasStream) await page.route('**/v1/stream*', (route) => route.abort())
      if (token !== null) await page.evaluate(`sessionStorage.setItem('earshot.session', '${token}')`)
      if (language !== undefined) await page.evaluate(`localStorage.setItem('earshot.language', '${language}')`)
      await page.goto(`${base}${path}`)
      return page
    },
    async call<Answer>(method: string, path: string, body?: object) {
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: { authorization: `Bearer ${owner}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
      return (await answer.json()) as Answer
    },
    close: () => chrome.close(),
  }
}

/** Waits until a screen has its heading. */
export const onScreen = (page: Page, title: string) => page.waitForSelector(`h1:text-is("${title}")`)

/** Goes to an item of the open menu by the arrows, and chooses it. A menu takes keys only after it has the focus. */
export async function chooseByKeys(page: Page, name: string): Promise<void> {
  await page.locator('[role=menu]:focus-within').waitFor()
  const item = page.getByRole('menuitem', { name, exact: true })
  while ((await item.getAttribute('data-highlighted')) === null) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}
