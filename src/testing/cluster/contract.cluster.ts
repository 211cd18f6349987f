import { describe } from 'vitest'
import { contractSuite } from '../contract.ts'
import { randomRequestSuite } from '../random-requests.ts'

describe('every route on a cluster', () => contractSuite('pg'))
describe('30 random requests on a cluster', () => randomRequestSuite({ engine: 'pg', runs: 30 }))
