import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'

/** A real browser, and what its pages complain about. */
export interface TestBrowser {
  browser: Browser
  /** A page in a browser profile of its own. A page error fails the next `close`. */
  open(address: string, options?: BrowserContextOptions): Promise<Page>
  close(): Promise<void>
}

const ARGS = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none']
// A test that waits this long has failed.
const PATIENCE_MS = 30_000

/** Starts Chromium: the one at CHROME_PATH, else the one inside a development dependency. */
export async function startBrowser(): Promise<TestBrowser> {
  const browser = await launch()
  const errors: string[] = []
  return {
    browser,
    async open(address, options = {}) {
      const context = await browser.newContext({ viewport: { width: 390, height: 780 }, ...options })
      context.setDefaultTimeout(PATIENCE_MS)
      const page = await context.newPage()
      page.on('pageerror', (error) => errors.push(error.message))
      await page.goto(address)
      return page
    },
    async close() {
      await browser.close()
      if (errors.length > 0) throw new Error(`pages had errors: ${errors.join('; ')}`)
    },
  }
}

/**
 * Whether a page is no wider than its window, or becomes so within 5 seconds: what floats is placed anew a little after
 * a window has changed.
 */
export async function fitsItsWindow(page: Page): Promise<boolean> {
  // In a loop of its own: `waitForFunction` looks again by eval, which the pages refuse.
  return page.evaluate<boolean>(`new Promise((resolve) => {
    const until = performance.now() + 5_000
    const look = () => {
      if (document.documentElement.scrollWidth <= ${page.viewportSize()?.width}) resolve(true)
      else if (performance.now() > until) resolve(false)
      else requestAnimationFrame(look)
    }
    look()
  })`)
}

async function launch(): Promise<Browser> {
  const given = process.env['CHROME_PATH']
  if (given) return chromium.launch({ executablePath: given, args: ARGS })
  const folder = await unpack()
  const executablePath = join(folder, 'chromium')
  try {
    return await chromium.launch({ executablePath, args: ARGS })
  } catch (first) {
    // A bare image lacks libraries and fonts. The package brings them.
    const env = {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
    } as Record<string, string>
    return chromium.launch({ executablePath, args: ARGS, env }).catch((second: unknown) => {
      throw new Error(
        `Chromium cannot start on this machine. Set CHROME_PATH to a Chrome or Chromium that can.\n${String(first)}\n${String(second)}`,
      )
    })
  }
}

/** Unpacks Chromium once for each user. Two test files may do it at the same time. */
async function unpack(): Promise<string> {
  const folder = join(tmpdir(), `earshot-chromium-${process.getuid?.() ?? 0}`)
  if (existsSync(join(folder, 'chromium'))) return folder
  const own = `${folder}-${process.pid}`
  await mkdir(own, { recursive: true })
  const before = { ...process.env }
  // The package unpacks into the temporary folder, and its libraries only where it believes to be on this runtime.
  Object.assign(process.env, { TMPDIR: own, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' })
  try {
    const { default: packed } = await import('@sparticuz/chromium')
    await packed.executablePath()
  } finally {
    for (const name of ['TMPDIR', 'AWS_LAMBDA_JS_RUNTIME', 'LD_LIBRARY_PATH', 'FONTCONFIG_PATH']) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  }
  await rename(own, folder).catch(() => rm(own, { recursive: true, force: true }))
  return folder
}
