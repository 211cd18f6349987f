// Assigns phone numbers to workspaces. In production a workspace can register only a number that was assigned to it.
import { assign, list, release } from './numbers/numbers.ts'
import { explain, openServices, readSettings } from './command.ts'

const USAGE = `Usage: npm run numbers -- assign +4930901820 ws_…   lets this workspace register the number
       npm run numbers -- release +4930901820        takes the number from its workspace; open conversations end
       npm run numbers -- list                       shows the assigned numbers`

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`)
  return 1
})

async function main(): Promise<number> {
  const [verb, number = '', workspace = '', ...more] = process.argv.slice(2)
  const works = {
    assign: number !== '' && workspace !== '' ? assign(number, workspace) : null,
    release: number !== '' && workspace === '' ? release(number) : null,
    list: number === '' ? list : null,
  }
  const work = verb === undefined || !Object.hasOwn(works, verb) ? null : works[verb as keyof typeof works]
  if (!work || more.length > 0) {
    process.stderr.write(`${USAGE}\n`)
    return 1
  }
  const services = await openServices(readSettings())
  try {
    const { ok, lines } = await services.run(work)
    const out = ok ? process.stdout : process.stderr
    out.write(`${lines.join('\n')}\n`)
    return ok ? 0 : 1
  } finally {
    await services.close()
  }
}
