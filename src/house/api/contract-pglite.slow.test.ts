import { describe } from 'vitest'
import { contractSuite } from '../../testing/contract.ts'

describe('every route on the embedded database', () => contractSuite('pglite'))
