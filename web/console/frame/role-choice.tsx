import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Labelled } from '../../ui/form.tsx'
import { useWords, type Words } from '../words/words.ts'

type Role = Pick<Schemas['Role'], 'id' | 'name' | 'built_in' | 'permissions'>

/** The role of somebody who is invited, as the field `role_id` of a form, with what it may do. */
export function RoleChoice({ roles, className = '' }: { roles: Role[]; className?: string }) {
  const words = useWords()
  // The role that may least comes first.
  const least = roles.toSorted((a, b) => a.permissions.length - b.permissions.length)
  const [id, setId] = useState(least[0]?.id ?? '')
  const chosen = roles.find((role) => role.id === id) ?? least[0]
  return (
    <Labelled label={words('frame:role')} hint={chosen && roleText(chosen, words)}>
      {(control) => (
        <select
          {...control}
          name="role_id"
          className={`input ${className}`}
          value={chosen?.id ?? ''}
          onChange={({ target }) => setId(target.value)}
        >
          {least.map((role) => (
            <option key={role.id} value={role.id}>
              {roleName(role.name, words)}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}

const BUILT_IN = new Set(['owner', 'admin', 'manager', 'analyst', 'agent', 'viewer'])

/** The name of a role. A workspace names its own ones, and none of them as a built-in role is named. */
export function roleName(name: string, words: Words): string {
  return BUILT_IN.has(name) ? words(`frame:roleNames.${name}`) : name
}

/** The rights of a role, in a line. */
export function roleText({ name, built_in, permissions }: Omit<Role, 'id'>, words: Words): string {
  if (built_in) return words(`frame:roleTexts.${name}`)
  return permissions.length === 0
    ? words('frame:roleReads')
    : permissions.map((permission) => words(`frame:permissions.${permission}`)).join(' · ')
}
