// Fills a database with a demo workspace: 18 months of a shop's feedback, made by the code that stores feedback. It
// takes DATABASE_URL, or the embedded database in DATA_DIR while no server runs on it. Two runs of one day are alike.
import { findUserByEmail } from '../src/features/access/users/users.service.ts'
import { requestRollups } from '../src/features/answers/reporting/rollups/rollups.service.ts'
import { createTestClock } from '../src/platform/loop/clock.ts'
import { parseConfig } from '../src/platform/config/config.ts'
import { createLog } from '../src/platform/config/log.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { createServices, type Services } from '../src/services.ts'
import { explain } from './command.ts'
import { deliverAll, WEBHOOK_FOR_DAYS } from './seed/deliveries.ts'
import { makeHistory } from './seed/history.ts'
import { inviteAll } from './seed/invitations.ts'
import { submitAll } from './seed/responses.ts'
import { daysBefore, runSweep, type Stage } from './seed/stage.ts'
import { makeRules, RULES_FOR_DAYS, workOnAlerts, workOnLeads } from './seed/work.ts'
import { importAll, openWorkspace, SIGN_IN } from './seed/workspace.ts'

const RESPONSES = 20_000
const DAY_MS = 86_400_000

const startedAt = performance.now()
const today = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS)
const clock = createTestClock(today)
process.exitCode = await main().catch((error: unknown) => refuse(explain(error)))

async function main(): Promise<number> {
  const config = parseConfig({ ...process.env, LOG_LEVEL: 'error', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
  if (config.production) return refuse('This is a production server. Seed a database of its own.')
  const services = await createServices(config, { log: createLog(config.logLevel), clock })
  try {
    return await run(services)
  } finally {
    await services.close()
  }
}

async function run(services: Services): Promise<number> {
  await migrate(services.database)
  return services.run(async (system) => {
    if (await findUserByEmail(system, SIGN_IN.email))
      return refuse(
        `${SIGN_IN.email} exists, so this database has the demo already, or a part of it if an earlier run was ` +
          `interrupted. The password is "${SIGN_IN.password}". For a whole demo, use another DATABASE_URL or DATA_DIR.`,
      )
    const stage = await openWorkspace(services, system, clock, today)
    await fill(stage)
    tell(`Done. Start the server with \`npm start\` and open http://localhost:8080/app`)
    tell(`Sign in as ${SIGN_IN.email} with the password "${SIGN_IN.password}". For a token of the API:`)
    process.stdout.write(
      `        curl -X POST http://localhost:8080/public/sessions -H 'content-type: application/json' -d '${JSON.stringify({ email: SIGN_IN.email, password: SIGN_IN.password })}'\n`,
    )
    return 0
  })
}

async function fill(stage: Stage): Promise<void> {
  await importAll(stage)
  tell(`${stage.people.length} people, ${stage.agents.length} agents`)
  const history = makeHistory(stage.chance, today, RESPONSES, stage.agents)
  const [rules, webhook] = [daysBefore(today, RULES_FOR_DAYS), daysBefore(today, WEBHOOK_FOR_DAYS)]
  await submitAll(
    stage,
    history.filter(({ at }) => at < rules),
  )
  await makeRules(stage)
  await submitAll(
    stage,
    history.filter(({ at }) => at >= rules && at < webhook),
  )
  tell(`${history.length} responses of 18 months`)
  await inviteAll(stage)
  tell('invitations by mail')
  await deliverAll(stage, history)
  tell('webhook deliveries of two weeks')
  clock.set(new Date(today.getTime() - 1))
  await runSweep(stage, 'verbatim.new')
  await runSweep(stage, 'webhooks.ledger-counts')
  await runSweep(stage, 'audit.seal')
  tell('texts are classified')
  await workOnAlerts(stage)
  await workOnLeads(stage)
  await runSweep(stage, 'audit.seal')
  tell('alerts and leads are worked on')
  // The first report would ask for them, and everybody would wait.
  for (const id of Object.values(stage.surveys)) await requestRollups(stage.owner(clock.now()), id)
  await runSweep(stage, 'reports.rollup')
  tell('reports are counted')
}

function tell(line: string): void {
  process.stdout.write(`${`${((performance.now() - startedAt) / 1_000).toFixed(0)} s`.padStart(6)}  ${line}\n`)
}

function refuse(reason: string): number {
  process.stderr.write(`${reason}\n`)
  return 1
}
