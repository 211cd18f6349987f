import { expect, test } from 'vitest'
import { changedRoles } from './permission-groups.ts'

const ROLES = [
  { id: 'role_1', name: 'Support', permissions: ['alerts.manage' as const, 'leads.manage' as const] },
  { id: 'role_2', name: 'Store', permissions: [] },
]

test('a role has as many changes as permissions are given and taken', () => {
  expect(changedRoles(ROLES, { role_1: ['alerts.manage', 'people.manage'] })).toEqual([
    { id: 'role_1', name: 'Support', permissions: ['alerts.manage', 'people.manage'], changes: 2 },
  ])
})

test('a check that was taken back is no change, in whichever order', () => {
  expect(changedRoles(ROLES, { role_1: ['leads.manage', 'alerts.manage'], role_2: [] })).toEqual([])
})
