import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { createWorkspace, type TestWorkspace } from '../../src/testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../src/testing/harness.ts'
import { storeInMemory } from '../../src/testing/providers/memory-storage.ts'
import { fitsItsWindow } from './browser.ts'
import { NARROW, visitsAt, WIDE, type ConsoleVisits } from './whole-console.ts'

/** With a server inside the test, whose clock and tables the test has. No background work runs in it. */
export async function startConsole(): Promise<ConsoleVisits & { server: TestServer; workspace: TestWorkspace }> {
  const server = await startTestServer({ engine: 'pglite' })
  storeInMemory(server)
  const workspace = await createWorkspace(server)
  const visits = await visitsAt(await server.listen(), workspace.token)
  return {
    ...visits,
    server,
    workspace,
    async close() {
      await visits.close()
      await server.close()
    },
  }
}

/**
 * The findings of axe on a page, wide in the light and narrow in the dark, and whether it is wider than the window. Its
 * rules on colours do not ask for the width, and those on structure not for the colours.
 */
export async function findingsInEveryLook(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const [viewport, colorScheme] of [
    [WIDE, 'light'],
    [NARROW, 'dark'],
  ] as const) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    if (!(await fitsItsWindow(page))) found.push(`too wide at ${viewport.width}`)
    found.push(...(await axeFindings(page)).map((each) => `${viewport.width} ${colorScheme}: ${each}`))
  }
  return found
}

/** The findings of axe on a page, by all rules of WCAG 2.2 AA and of good practice. */
export async function axeFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    // A framed page has its own tests, and its landmarks are not those of the console.
    .exclude('iframe')
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}
