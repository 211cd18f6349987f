import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment, useState, type FormEvent } from 'react'
import type { Schemas } from '../../../../api/client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { Skeleton } from '../../../../ui/parts.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMay, membersQuery, rolesQuery } from '../../../app/me.ts'
import type { Permission } from '../../../app/screens.ts'
import { Problem } from '../../../frame/failure.tsx'
import { Confirm } from '../../../frame/lazy-confirm.tsx'
import { roleName } from '../../../frame/role-choice.tsx'
import { NewButton } from '../../../frame/screen.tsx'
import { answerOf, api } from '../../../session/api.ts'
import { formatList, formatNumber } from '../../../words/format.ts'
import { useWords } from '../../../words/words.ts'
import { Settings } from '../layout.tsx'
import { groupPermissions, changedRoles, type RoleDraft } from './permission-groups.ts'
import { SaveBar } from '../workspace/save-bar.tsx'

type Role = Schemas['Role']
type Member = Schemas['Member']

export const permissionsQuery = {
  queryKey: ['permissions'],
  queryFn: () => answerOf(api.GET('/v1/permissions')),
  staleTime: Infinity,
}

/** Roles and their permissions as a grid. Roles of one's own are changed in place, and saved together. */
export function Roles() {
  const words = useWords()
  const mayManage = useMay('roles.manage')
  const [isAdding, setAdding] = useState(false)
  const roles = useQuery(rolesQuery)
  const permissions = useQuery(permissionsQuery)
  // Those who may most stand first, and roles of the workspace after the built-in ones.
  const ordered = (roles.data?.data ?? []).toSorted(
    (a, b) => Number(b.built_in) - Number(a.built_in) || b.permissions.length - a.permissions.length,
  )
  const failed = roles.error ?? permissions.error
  return (
    <Settings
      name="roles"
      end={mayManage && <NewButton label={words('settings:newRole')} onPress={() => setAdding(true)} />}
    >
      {failed ? (
        <Problem error={failed} />
      ) : roles.data && permissions.data ? (
        <>
          <div>
            <Lede roles={ordered} />
            <p className="sub">{words('settings:rolesText')}</p>
          </div>
          <Editor roles={ordered} permissions={permissions.data.data.map(({ name }) => name)} mayManage={mayManage} />
        </>
      ) : (
        <Skeleton label={words('frame:loading')} />
      )}
      {isAdding && <AddRole onClose={() => setAdding(false)} />}
    </Settings>
  )
}

function Lede({ roles }: { roles: Role[] }) {
  const words = useWords()
  const builtIn = roles.filter(({ built_in }) => built_in).length
  const own = roles.length - builtIn
  return (
    <p className="lede" role="status">
      {words(own === 0 ? 'settings:lede.builtInRoles' : 'settings:lede.roles', {
        builtIn: formatNumber(builtIn),
        count: own,
        n: formatNumber(own),
      })}
    </p>
  )
}

/** The members with each role, by its id. Undefined until all of them are known. */
function useMembersByRole(): ((roleId: string) => Member[]) | undefined {
  const { data } = useQuery(membersQuery)
  if (data === undefined || data.next_cursor !== null) return undefined
  return (roleId) => data.data.filter(({ role }) => role.id === roleId)
}

/** The purpose of each role, and who has it. */
function Described({ roles }: { roles: Role[] }) {
  const words = useWords()
  const membersOf = useMembersByRole()
  return (
    <section className="section">
      <header>
        <h2>{words('settings:rolesDescribed')}</h2>
      </header>
      <dl className="facts">
        {roles.map((role) => {
          const names = membersOf?.(role.id).map(({ name }) => name)
          const { length } = role.permissions
          return (
            <Fragment key={role.id}>
              <dt>
                <bdi className="strong">{roleName(role.name, words)}</bdi>
              </dt>
              <dd>
                {role.built_in
                  ? words(`frame:roleTexts.${role.name}`)
                  : words('settings:ownRole', { count: length, n: formatNumber(length) })}
                {names !== undefined && (
                  <p className="faint">
                    {names.length === 0
                      ? words('settings:nobodyHas')
                      : words('settings:whoHas', { names: formatList(names) })}
                  </p>
                )}
              </dd>
            </Fragment>
          )
        })}
      </dl>
    </section>
  )
}

interface Parts {
  roles: Role[]
  permissions: Permission[]
  mayManage: boolean
}

/** The roles and the changes of them that are not saved. */
function Editor({ roles, permissions, mayManage }: Parts) {
  const words = useWords()
  const client = useQueryClient()
  const membersOf = useMembersByRole()
  const [draft, setDraft] = useState<RoleDraft>({})
  const changed = changedRoles(roles, draft)
  const save = useMutation({
    mutationFn: async () => {
      for (const { id, permissions: next } of changed)
        await answerOf(api.PATCH('/v1/roles/{id}', { params: { path: { id } }, body: { permissions: next } }))
    },
    onSuccess: () => toast({ text: words('settings:saved') }),
    // Where one role is refused, those before it are saved.
    onSettled: async (_saved, error) => {
      await client.invalidateQueries({ queryKey: ['roles'] })
      if (error === null) setDraft({})
    },
  })
  const count = changed.reduce((sum, { changes }) => sum + changes, 0)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (count > 0) save.mutate()
  }
  const holders = membersOf && changed.reduce((sum, { id }) => sum + membersOf(id).length, 0)
  const says = [
    words('settings:changesTo', {
      changes: words('settings:changes', { count, n: formatNumber(count) }),
      roles: formatList(changed.map(({ name }) => name)),
    }),
    ...(holders === undefined
      ? []
      : [
          holders === 0
            ? words('settings:nobodyHas')
            : words('settings:holdersGet', { count: holders, n: formatNumber(holders) }),
        ]),
  ].join(' ')
  return (
    <>
      <form onSubmit={submit}>
        <Grid
          roles={roles.map((role) => ({ ...role, permissions: draft[role.id] ?? role.permissions }))}
          permissions={permissions}
          mayManage={mayManage}
          onToggle={({ id, permissions: before }, permission, isOn) => {
            save.reset()
            const next = isOn ? [...before, permission] : before.filter((each) => each !== permission)
            setDraft((present) => ({ ...present, [id]: next }))
          }}
        />
        {save.error && <Problem error={save.error} />}
        {mayManage && (
          <SaveBar
            count={count}
            says={says}
            isBusy={save.isPending}
            onUndo={() => {
              save.reset()
              setDraft({})
            }}
          />
        )}
      </form>
      <Described roles={roles} />
    </>
  )
}

interface GridProps extends Parts {
  onToggle: (role: Role, permission: Permission, isOn: boolean) => void
}

function Grid({ roles, permissions, mayManage, onToggle }: GridProps) {
  const words = useWords()
  const client = useQueryClient()
  const [removing, setRemoving] = useState<Role | null>(null)
  const membersOf = useMembersByRole()
  const remove = useMutation({
    mutationFn: (id: string) => answerOf(api.DELETE('/v1/roles/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      setRemoving(null)
      void client.invalidateQueries({ queryKey: ['roles'] })
    },
  })
  return (
    <div className="grid-of-roles" tabIndex={0} role="region" aria-label={words('settings:places.roles')}>
      <table className="table keep">
        <thead>
          <tr>
            <th>{words('settings:may')}</th>
            {roles.map((role) => (
              <th key={role.id}>
                <span className="pair">
                  <bdi>{roleName(role.name, words)}</bdi>
                  {membersOf && <Holders members={membersOf(role.id)} />}
                </span>
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
          {groupPermissions(permissions).map(({ group, own }) => (
            <Fragment key={group}>
              <tr className="group">
                <th scope="rowgroup" colSpan={roles.length + 1}>
                  <span>{words(`settings:permissionGroups.${group}`)}</span>
                </th>
              </tr>
              {own.map((permission) => (
                <tr key={permission}>
                  <td className="first">
                    <span className="pair">
                      {words(`frame:permissions.${permission}`)}
                      <small className="mono">
                        <bdi dir="ltr">{permission}</bdi>
                      </small>
                    </span>
                  </td>
                  {roles.map((role) => {
                    const isOn = role.permissions.includes(permission)
                    const label = words('settings:roleMay', {
                      role: roleName(role.name, words),
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
                            onChange={({ target }) => onToggle(role, permission, target.checked)}
                          />
                        )}
                      </td>
                    )
                  })}
                </tr>
              ))}
            </Fragment>
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

/** How many members have a role. Their names are listed below the grid. */
function Holders({ members }: { members: Member[] }) {
  const words = useWords()
  const { length } = members
  return (
    <small className="faint" title={formatList(members.map(({ name }) => name))}>
      {length === 0 ? words('settings:nobody') : words('settings:holders', { count: length, n: formatNumber(length) })}
    </small>
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
