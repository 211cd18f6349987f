import type { Config } from '../../src/platform/config/config.ts'
import { VERSION } from '../../src/version.ts'
import { explain, openServices } from '../command.ts'
import { lookAtDatabase } from './database.ts'
import { fail, ok, warn, type Finding } from './finding.ts'
import { lookAtAddress, lookAtMail, lookAtStorage } from './outside.ts'
import { lookAtSecrets } from './secrets.ts'

const NODE = 24

/** Everything that the doctor finds, in the order in which it is mended. */
export async function findingsOf(config: Config): Promise<Finding[]> {
  const [database, mail, storage, address] = await Promise.all([
    lookInside(config),
    lookAtMail(config),
    lookAtStorage(config),
    lookAtAddress(config),
  ])
  return [...lookAtSettings(config), ...database, ...mail, ...storage, ...address]
}

async function lookInside(config: Config): Promise<Finding[]> {
  try {
    const services = await openServices(config)
    try {
      return [...(await lookAtDatabase(services)), ...(await lookAtSecrets(services))]
    } finally {
      await services.close()
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'DirectoryLockedError')
      return [
        warn(
          'database',
          `the embedded database was not looked at: ${error.message}`,
          'Ask GET /v1/system of the server.',
        ),
      ]
    return [
      fail(
        'database',
        withoutUrl(explain(error)),
        'Check that setting, and that the server of the database runs and lets you in.',
      ),
    ]
  }
}

function lookAtSettings(config: Config): Finding[] {
  const major = Number(process.versions.node.split('.', 1)[0])
  const node =
    major >= NODE
      ? ok('node', `${process.versions.node}`)
      : fail('node', `${process.versions.node} is too old`, `Start it by npm, which brings Node ${NODE}.`)
  const settings = config.production
    ? ok('settings', `Earshot ${VERSION}, production, ROLE=${config.role}`)
    : warn(
        'settings',
        `Earshot ${VERSION}, development`,
        'Set ENVIRONMENT=production, DATABASE_URL, SECRETS_KEY and PUBLIC_BASE_URL before people use it.',
      )
  const metrics =
    config.metricsToken === null
      ? [warn('metrics', '/metrics is off', 'Set METRICS_TOKEN, so that somebody notices a queue that grows.')]
      : [ok('metrics', '/metrics is on')]
  return [node, settings, ...metrics]
}

// A driver's message may quote the URL with its password.
function withoutUrl(text: string): string {
  return text.replace(/\w+:\/\/\S+/g, '[url]')
}
