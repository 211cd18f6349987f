import { describe } from 'vitest'
import { contractSuite } from '../../testing/contract.ts'

describe('every route on PostgreSQL', () => contractSuite('pg'))
