// Looks at the settings and at everything around the server, and says what to do. It changes nothing but a test object
// in the storage. Exits with 1 if something fails.
import { ConfigError } from '../src/platform/config/config.ts'
import { readSettings } from './command.ts'
import { findingsOf } from './doctor/doctor.ts'
import { fail, type Finding } from './doctor/finding.ts'

const MARKS = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' }

const findings = await look()
const failed = findings.some(({ state }) => state === 'fail')
process.stdout.write(
  process.argv.includes('--json') ? `${JSON.stringify({ ok: !failed, findings })}\n` : findings.map(line).join(''),
)
process.exit(failed ? 1 : 0)

async function look(): Promise<Finding[]> {
  try {
    return await findingsOf(readSettings())
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map((problem) => fail('settings', problem, 'docs/operations.md has every setting.'))
  }
}

function line({ state, check, says, todo }: Finding): string {
  return `${MARKS[state]} ${check}: ${says}\n${todo === null ? '' : `     ${todo}\n`}`
}
