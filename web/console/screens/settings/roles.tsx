import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Skeleton } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../app/me.ts'
import type { Permission } from '../../app/screens.ts'
import { Problem, reasonOf } from '../../frame/failure.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { NewButton } from '../../frame/new-button.tsx'
import { answerOf, api } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'
import { Settings } from './layout.tsx'
import { rolesQuery } from './members.tsx'

type Role = Schemas['Role']

export const permissionsQuery = {
  queryKey: ['permissions'],
  queryFn: () => answerOf(api.GET('/v1/permissions')),
  staleTime: Infinity,
}

/** Roles and their permissions as a grid. Roles of one's own are changed in place. */
export function Roles() {
  const words = useWords()
  const mayManage = useMay('roles.manage')
  const [isAdding, setAdding] = useState(false)
  const roles = useQuery(rolesQuery)
  const permissions = useQuery(permissionsQuery)
  const failed = roles.error ?? permissions.error
  return (
    <Settings
      name="roles"
      end={mayManage && <NewButton label={words('settings:newRole')} onPress={() => setAdding(true)} />}
    >
      <p className="sub">{words('settings:rolesText')}</p>
      {failed ? (
        <Problem error={failed} />
      ) : roles.data && permissions.data ? (
        <Grid
          roles={roles.data.data}
          permissions={permissions.data.data.map(({ name }) => name)}
          mayManage={mayManage}
        />
      ) : (
        <Skeleton label={words('frame:loading')} />
      )}
      {isAdding && <AddRole onClose={() => setAdding(false)} />}
    </Settings>
  )
}

function Grid({ roles, permissions, mayManage }: { roles: Role[]; permissions: Permission[]; mayManage: boolean }) {
  const words = useWords()
  const client = useQueryClient()
  const [removing, setRemoving] = useState<Role | null>(null)
  const refresh = () => void client.invalidateQueries({ queryKey: ['roles'] })
  const change = useMutation({
    mutationFn: ({ id, permissions: next }: { id: string; permissions: Permission[] }) =>
      answerOf(api.PATCH('/v1/roles/{id}', { params: { path: { id } }, body: { permissions: next } })),
    // The check shows at once, and goes back if the server refuses it.
    onMutate: ({ id, permissions: next }) =>
      client.setQueryData(
        rolesQuery.queryKey,
        (before: Awaited<ReturnType<typeof rolesQuery.queryFn>> | undefined) =>
          before && {
            ...before,
            data: before.data.map((role) => (role.id === id ? { ...role, permissions: next } : role)),
          },
      ),
    onError: (error) => toast({ text: reasonOf(error, words) }),
    onSettled: refresh,
  })
  const remove = useMutation({
    mutationFn: (id: string) => answerOf(api.DELETE('/v1/roles/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      setRemoving(null)
      refresh()
    },
  })
  const toggle = (role: Role, permission: Permission, isOn: boolean) => {
    const next = isOn ? [...role.permissions, permission] : role.permissions.filter((each) => each !== permission)
    change.mutate({ id: role.id, permissions: next })
  }
  return (
    <div className="grid-of-roles" tabIndex={0} role="region" aria-label={words('settings:places.roles')}>
      <table className="table keep">
        <thead>
          <tr>
            <th>{words('settings:may')}</th>
            {roles.map((role) => (
              <th key={role.id}>
                <bdi>{role.name}</bdi>
                {mayManage && !role.built_in && (
                  <Button
                    look="quiet"
                    size="square"
                    aria-label={words('settings:deleteRole', { name: role.name })}
                    onClick={() => setRemoving(role)}
                  >
                    <Icon name="trash" isSmall />
                  </Button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {permissions.map((permission) => (
            <tr key={permission}>
              <td className="first">{words(`frame:permissions.${permission}`)}</td>
              {roles.map((role) => {
                const isOn = role.permissions.includes(permission)
                const label = words('settings:roleMay', {
                  role: role.name,
                  permission: words(`frame:permissions.${permission}`),
                })
                return (
                  <td key={role.id}>
                    {role.built_in || !mayManage ? (
                      <>
                        {isOn && <Icon name="check" isSmall />}
                        <span className="unseen">{words(isOn ? 'settings:yes' : 'settings:no')}</span>
                      </>
                    ) : (
                      <input
                        type="checkbox"
                        aria-label={label}
                        checked={isOn}
                        onChange={({ target }) => toggle(role, permission, target.checked)}
                      />
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {removing && (
        <Confirm
          title={words('settings:deleteRoleTitle', { name: removing.name })}
          verb={words('frame:delete')}
          act={{ ...remove, mutate: () => remove.mutate(removing.id) }}
          onClose={() => setRemoving(null)}
        >
          <p>{words('settings:deleteRoleText')}</p>
        </Confirm>
      )}
    </div>
  )
}

function AddRole({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: (name: string) => answerOf(api.POST('/v1/roles', { body: { name, permissions: [] } })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['roles'] })
      onClose()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    add.mutate(String(new FormData(event.currentTarget).get('name')).trim())
  }
  return (
    <Dialog
      title={words('settings:newRole')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form="add-role" look="primary" isBusy={add.isPending}>
            {words('settings:newRole')}
          </Button>
        </>
      }
    >
      <form id="add-role" className="form" onSubmit={submit}>
        {add.error && <Problem error={add.error} />}
        <Field
          label={words('settings:name')}
          name="name"
          maxLength={60}
          required
          autoFocus
          hint={words('settings:newRoleText')}
        />
      </form>
    </Dialog>
  )
}
