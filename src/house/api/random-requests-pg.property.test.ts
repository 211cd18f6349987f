import { describe } from 'vitest'
import { randomRequestSuite } from '../../testing/random-requests.ts'

describe('random requests on PostgreSQL', () => randomRequestSuite({ engine: 'pg', runs: 25, fast: 8 }))
