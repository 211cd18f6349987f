import { expect, test } from 'vitest'
import { endpointName } from './endpoint-name.ts'

test('an endpoint without a name is called by its host', () => {
  expect(endpointName({ description: 'CRM', url: 'https://crm.example/hooks' })).toBe('CRM')
  expect(endpointName({ description: ' ', url: 'https://crm.example/hooks' })).toBe('crm.example')
})
