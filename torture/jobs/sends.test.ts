import { expect, test } from 'vitest'
import { cloneDatabase } from '../../src/testing/harness.ts'
import { runSendsByEach } from './sends.ts'
import { givenFor } from '../short.ts'

test(
  'SIGKILL between a provider’s acceptance and its checkpoint leaves one record and one survey.sent for each send by each channel',
  { timeout: 180_000 },
  async () => {
    const { url, drop } = await cloneDatabase()
    const { facts, broken } = await runSendsByEach(givenFor(url), { kills: 2, people: 20 })
    await drop()
    expect(broken).toEqual([])
    for (const channel of ['email', 'sms', 'voice'])
      expect(facts).toMatchObject({ [`${channel}: kills`]: 2, [`${channel}: sends`]: 40 })
  },
)
