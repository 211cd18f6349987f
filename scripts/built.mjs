// Says in one sentence what a command needs and does not find: `dist`, or with `--development` the packages of the
// build. npm runs it before the commands of package.json.
import { existsSync } from 'node:fs'

const AGAIN = 'Run `npm ci`'
const isInstalled =
  !process.argv.includes('--development') || existsSync(new URL('../node_modules/rolldown', import.meta.url))
const isBuilt = existsSync(new URL('../dist/server/main.js', import.meta.url))
if (!isInstalled)
  fail(`This command needs the development packages, which are not installed. ${AGAIN}, without \`--omit=dev\`.`)
else if (!isBuilt) fail(`There is no dist: the server was not built. ${AGAIN}, without \`--omit=dev\`: it builds dist.`)

function fail(reason) {
  process.stderr.write(`${reason}\n`)
  process.exitCode = 1
}
