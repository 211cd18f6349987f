import { describe } from 'vitest'
import { randomRequestSuite } from './testing/random-requests.ts'

describe('500 random requests on PostgreSQL', () => randomRequestSuite({ engine: 'pg', runs: 500, half: 1 }))
