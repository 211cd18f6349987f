// Writes openapi.json, which the server answers, from its routes; `--check` fails when the committed file differs.
import { writeFile } from 'node:fs/promises'
import { createApp } from '../src/app.ts'
import { CATALOGUE } from '../src/features/delivery/events/events.schema.ts'
import { describeApi } from '../src/http/openapi/openapi.ts'
import { createDatabaseClock } from '../src/platform/loop/clock.ts'
import { parseConfig } from '../src/platform/config/config.ts'
import { createLog } from '../src/platform/config/log.ts'
import { createServices } from '../src/services.ts'
import { VERSION } from '../src/version.ts'
import { problemsPage } from '../src/http/problems/problem-codes.ts'
import { readText, report, ROOT } from './project.ts'

const FILE = 'openapi.json'
const PROBLEMS_PAGE = 'docs/problems.md'

// A database that is never dialled: describing the routes needs none.
const config = parseConfig({
  DATABASE_URL: 'postgres://localhost/none',
  SECRETS_KEY: 'describing-the-routes-needs-no-key',
  LOG_LEVEL: 'silent',
})
const services = await createServices(config, { log: createLog('silent'), clock: createDatabaseClock() })
const { routes } = createApp(services)
const document = `${JSON.stringify(describeApi(routes, CATALOGUE, VERSION), null, 2)}\n`
await services.close()

const made = { [FILE]: document, [PROBLEMS_PAGE]: problemsPage() }

if (process.argv.includes('--check')) {
  const stale: string[] = []
  for (const [file, text] of Object.entries(made))
    if ((await readText(file).catch(() => '')) !== text)
      stale.push(`${file} is not what the routes say: run \`npm run openapi\` and commit it`)
  report(stale, `${Object.keys(made).join(' and ')} are what the routes say`)
} else {
  for (const [file, text] of Object.entries(made)) await writeFile(`${ROOT}${file}`, text)
  console.log(`wrote ${Object.keys(made).join(' and ')}`)
}
