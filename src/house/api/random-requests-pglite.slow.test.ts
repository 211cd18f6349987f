import { describe } from 'vitest'
import { randomRequestSuite } from '../../testing/random-requests.ts'

describe('random requests on the embedded database', () => randomRequestSuite({ engine: 'pglite', runs: 5 }))
