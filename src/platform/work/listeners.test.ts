import { expect, test } from 'vitest'
import type { TenantTx } from '../database/database.ts'
import { signalOf, type Scope } from '../scope.ts'
import { createSignals, listenTo } from './listeners.ts'

const SCOPE = {} as Scope
const TX = {} as TenantTx
const BORN = signalOf<string>('row.born')
const GONE = signalOf<string>('row.removed')
// Another signal of the same name.
const ALSO_GONE = signalOf<string>('row.removed')

/** Signals whose listeners note what they do. */
function noting() {
  const noted: string[] = []
  const listener = (signal: typeof BORN, name: string) =>
    listenTo(signal, async (scope, tx) => {
      expect([scope, tx]).toEqual([SCOPE, TX])
      noted.push(`${name} listens`)
      return {
        async handle(payload) {
          await Promise.resolve()
          noted.push(`${name} has ${payload}`)
        },
      }
    })
  return { noted, signals: createSignals([listener(BORN, 'a'), listener(GONE, 'b'), listener(BORN, 'c')]) }
}

test('every listener of a signal prepares itself first, and they take the payload one after the other', async () => {
  const { noted, signals } = noting()
  const handler = await signals.listen(BORN, SCOPE, TX)
  expect(noted).toEqual(['a listens', 'c listens'])
  await handler.handle('Ada')
  await handler.handle('Bob')
  expect(noted.slice(2)).toEqual(['a has Ada', 'c has Ada', 'a has Bob', 'c has Bob'])
})

test('only the listeners of a signal are asked, whatever its name', async () => {
  const { noted, signals } = noting()
  await signals.emit(GONE, SCOPE, TX, 'Ada')
  await signals.emit(ALSO_GONE, SCOPE, TX, 'Bob')
  expect(noted).toEqual(['b listens', 'b has Ada'])
})

test('signals without a listener share one handler, which does nothing', async () => {
  const { signals } = noting()
  const handler = await signals.listen(ALSO_GONE, SCOPE, TX)
  await handler.handle('Ada')
  expect(await signals.listen(ALSO_GONE, SCOPE, TX)).toBe(handler)
  expect(await createSignals([]).listen(BORN, SCOPE, TX)).toBe(handler)
})
