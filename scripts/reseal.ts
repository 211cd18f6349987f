// Seals every stored value anew under the first key of SECRETS_KEY. It may run beside the server, be stopped, and run
// again.
import { explain, openServices, readSettings } from './command.ts'
import { leftovers, reseal } from './reseal/reseal.ts'

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`)
  return 1
})

async function main(): Promise<number> {
  const services = await openServices(readSettings())
  try {
    const { sealed, failed } = await reseal(services)
    const left = await leftovers(services)
    process.stdout.write(`${sealed} values are sealed anew.\n`)
    if (failed > 0)
      process.stdout.write(
        `${failed} values cannot be opened: add the key that sealed them to the end of SECRETS_KEY.\n`,
      )
    for (const { column, rows } of left) process.stdout.write(`An older key still seals ${rows} values of ${column}.\n`)
    if (failed === 0 && left.length === 0)
      process.stdout.write(
        'No stored value needs an older key any more. Links in mails that were sent before still do (docs/rotation.md).\n',
      )
    return failed > 0 || left.length > 0 ? 1 : 0
  } finally {
    await services.close()
  }
}
