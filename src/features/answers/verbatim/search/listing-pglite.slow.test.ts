import { describe } from 'vitest'
import { listingSuite } from './listing.fixture.ts'

describe('lists of rare values and words on pglite', () => listingSuite('pglite'))
