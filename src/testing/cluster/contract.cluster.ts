import { describe } from 'vitest'
import { contractSuite } from '../contract.ts'

describe('every route on a cluster', () => contractSuite({ engine: 'pg', fuzzRuns: 30 }))
