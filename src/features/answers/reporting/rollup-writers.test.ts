import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { runSweep } from '../../../testing/fixtures.ts'
import { submit } from '../../../testing/survey-fixtures.ts'
import { NO_AUDIENCE } from '../responses/completion.service.ts'
import { addResponse } from '../responses/recording.service.ts'
import type { ResponseRow } from '../responses/responses.service.ts'
import { blankResponse } from '../rows/response-row.ts'
import { rollupSweep } from './report/reporting.routes.ts'
import {
  inScope,
  openBench,
  passHours,
  report,
  rolledRows,
  rolledUpSurvey,
  uuid,
  type Bench,
} from './rollups/rollups.fixture.ts'

const HOUR = 3_600_000

describe('writers that overlap a sweep', () => {
  let bench: Bench
  beforeAll(async () => {
    bench = await openBench('pg')
  })
  afterAll(() => bench.server.close())

  function response(id: string, at: Date): ResponseRow {
    const beginning = { id: newId('response'), survey_id: uuid(id), survey_version: 1, channel: 'web', language: 'en' }
    return {
      ...blankResponse(at, beginning),
      state: 'completed',
      answers: [{ question_id: 'q1', type: 'nps', value: 10 }],
      path: ['q1'],
      metric: 'nps',
      score: 10,
      band: 'promoter',
      completed_at: at,
    }
  }

  /** A capture that has written and waits; `commit` lets it go on. */
  async function hold(id: string, at: Date): Promise<{ commit(): Promise<void> }> {
    const [written, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const done = inScope(bench, (scope) =>
      scope.tx(async (tx) => {
        // A capture writes as it commits; here the writes come first.
        const writes: Array<Promise<unknown>> = []
        await addResponse(
          scope,
          { ...tx, atCommit: (statement) => void writes.push(tx.prepared(statement)) },
          response(id, at),
          NO_AUDIENCE,
        )
        await Promise.all(writes)
        written.resolve()
        await gate.promise
      }),
    )
    await written.promise
    return {
      async commit() {
        gate.resolve()
        await done
      },
    }
  }

  test('a capture that commits long after its quarter is over is counted: nothing is rolled up before it has ended', async () => {
    const id = await rolledUpSurvey(bench)
    await submit(bench.server, id, { q1: 0 })
    const late = await hold(id, bench.server.clock.now())
    bench.server.clock.advance(5 * HOUR)
    for (let pass = 0; pass < 3; pass++) await runSweep(bench.server, rollupSweep)
    expect(await rolledRows(bench, id)).toEqual([])
    expect((await report(bench, id, {})).nps.n).toBe(1)
    await late.commit()
    expect((await report(bench, id, {})).nps.n).toBe(2)
    await passHours(bench, 0)
    expect(await rolledRows(bench, id)).toMatchObject([{ responses: 2 }])
    expect((await report(bench, id, {})).nps.n).toBe(2)
  })

  test('one that only writes after the sweep knew of the seal marks its quarter, which is read live until it is counted anew', async () => {
    const id = await rolledUpSurvey(bench)
    const at = bench.server.clock.now()
    await submit(bench.server, id, { q1: 0 })
    await passHours(bench, 5)
    const late = await hold(id, at)
    bench.server.clock.advance(HOUR)
    await runSweep(bench.server, rollupSweep)
    expect((await report(bench, id, {})).nps.n).toBe(1)
    await late.commit()
    expect((await report(bench, id, {})).nps.n).toBe(2)
    expect(await rolledRows(bench, id)).toMatchObject([{ responses: 1 }])
    await passHours(bench, 1)
    expect(await rolledRows(bench, id)).toMatchObject([{ responses: 2 }])
    expect((await report(bench, id, {})).nps.n).toBe(2)
  })

  test('a capture does not wait for a sweep', async () => {
    const id = await rolledUpSurvey(bench)
    await submit(bench.server, id, { q1: 0 })
    await bench.server.services.database.asOwner(async (owner) => {
      await owner.script('begin')
      await owner.query('select 1 from report_surveys where survey_id = $1 for update', [uuid(id)])
      expect((await submit(bench.server, id, { q1: 0 })).status).toBe(201)
      await owner.script('rollback')
    })
  })

  test('every statement of a report sees the same moment', async () => {
    const id = await rolledUpSurvey(bench)
    const [began, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const seen = inScope(bench, (scope) =>
      scope.read(
        async (tx) => {
          const count = () =>
            tx.prepared<{ n: number }>({
              name: 'count',
              text: 'select count(*) as n from responses where tenant_id = $1 and survey_id = $2',
              values: [tx.tenantId, uuid(id)],
            })
          const before = await count()
          began.resolve()
          await gate.promise
          return [before, await count()]
        },
        { snapshot: true },
      ),
    )
    await began.promise
    await submit(bench.server, id, { q1: 0 })
    gate.resolve()
    expect(await seen).toEqual([[{ n: 0 }], [{ n: 0 }]])
    expect((await report(bench, id, {})).nps.n).toBe(1)
  })
})
