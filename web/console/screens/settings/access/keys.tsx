import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import type { Schemas } from '../../../../api/client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Empty, Note } from '../../../../ui/parts.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMe } from '../../../app/me.ts'
import type { Permission } from '../../../app/screens.ts'
import { SecretOnce } from '../../../endpoints/secret-once.tsx'
import { Problem } from '../../../frame/failure.tsx'
import { Confirm } from '../../../frame/lazy-confirm.tsx'
import { LoadedRows, UnseenHead } from '../../../frame/loaded.tsx'
import { NewButton } from '../../../frame/screen.tsx'
import { answerOf, api } from '../../../session/api.ts'
import { formatNumber } from '../../../words/format.ts'
import { TimeAgo } from '../../../words/time-ago.tsx'
import { useWords } from '../../../words/words.ts'
import { Settings } from '../layout.tsx'

type Key = Schemas['ApiKey']

/** The keys of programs: what each may do, and when it was used last. */
export function Keys() {
  const words = useWords()
  const [isAdding, setAdding] = useState(false)
  const keys = useQuery({
    queryKey: ['api-keys'],
    queryFn: () => answerOf(api.GET('/v1/api-keys', { params: { query: { limit: 100 } } })),
  })
  const add = <NewButton label={words('settings:newKey')} onPress={() => setAdding(true)} />
  return (
    <Settings name="keys" end={add}>
      <LoadedRows
        query={keys}
        empty={
          <Empty title={words('settings:noKeys')} actions={add}>
            <p>{words('settings:noKeysText')}</p>
          </Empty>
        }
      >
        {(rows) => (
          <table className="table tall" aria-label={words('settings:places.keys')}>
            <thead>
              <tr>
                <th>{words('settings:name')}</th>
                <th className="wide">{words('settings:may')}</th>
                <th>{words('settings:lastUsed')}</th>
                <UnseenHead className="end">{words('list:menu')}</UnseenHead>
              </tr>
            </thead>
            <tbody>
              {rows.map((key) => (
                <KeyRow key={key.id} value={key} />
              ))}
            </tbody>
          </table>
        )}
      </LoadedRows>
      {isAdding && <AddKey onClose={() => setAdding(false)} />}
    </Settings>
  )
}

function KeyRow({ value }: { value: Key }) {
  const words = useWords()
  const client = useQueryClient()
  const [asking, setAsking] = useState<'revoke' | 'rotate' | null>(null)
  const path = { params: { path: { id: value.id } } }
  const refresh = () => void client.invalidateQueries({ queryKey: ['api-keys'] })
  const revoke = useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/api-keys/{id}', path)),
    onSuccess: () => {
      setAsking(null)
      toast({ text: words('settings:revoked', { name: value.name }) })
      refresh()
    },
  })
  const rotate = useMutation({
    mutationFn: () => answerOf(api.POST('/v1/api-keys/{id}/rotate', path)),
    onSuccess: () => {
      setAsking(null)
      refresh()
    },
  })
  const held = value.effective_permissions.length
  return (
    <tr>
      <td className="first">
        <span className="pair">
          <bdi className="strong cut">{value.name}</bdi>
          <small className="mono" dir="ltr">{`${value.prefix}…${value.last_four}`}</small>
        </span>
      </td>
      <td className="wide">
        <span title={value.effective_permissions.map((each) => words(`frame:permissions.${each}`)).join(', ')}>
          {words('settings:permissions', { count: held, n: formatNumber(held) })}
        </span>
      </td>
      <td className="faint nowrap">
        {value.last_used_at === null ? words('settings:never') : <TimeAgo at={value.last_used_at} />}
      </td>
      <td className="end nowrap">
        <Button look="quiet" onClick={() => setAsking('rotate')}>
          {words('settings:rotate')}
        </Button>
        <Button look="quiet" onClick={() => setAsking('revoke')}>
          {words('settings:revoke')}
        </Button>
        {asking === 'revoke' && (
          <Confirm
            title={words('settings:revokeTitle', { name: value.name })}
            verb={words('settings:revoke')}
            act={revoke}
            onClose={() => setAsking(null)}
          >
            <p>{words('settings:revokeText')}</p>
          </Confirm>
        )}
        {asking === 'rotate' && (
          <Confirm
            title={words('settings:rotateTitle', { name: value.name })}
            verb={words('settings:rotate')}
            act={rotate}
            onClose={() => setAsking(null)}
          >
            <p>{words('settings:rotateText')}</p>
          </Confirm>
        )}
        {rotate.data && (
          <SecretOnce title={words('settings:keyTitle')} secret={rotate.data.key} onCopied={() => rotate.reset()} />
        )}
      </td>
    </tr>
  )
}

function AddKey({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const me = useMe()
  const client = useQueryClient()
  const [chosen, setChosen] = useState<Permission[]>([])
  const add = useMutation({
    mutationFn: (name: string) => answerOf(api.POST('/v1/api-keys', { body: { name, permissions: chosen } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['api-keys'] }),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    add.mutate(String(new FormData(event.currentTarget).get('name')).trim())
  }
  if (add.data) return <SecretOnce title={words('settings:keyTitle')} secret={add.data.key} onCopied={onClose} />
  return (
    <Dialog
      title={words('settings:newKey')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form="add-key" look="primary" isBusy={add.isPending}>
            {words('settings:newKey')}
          </Button>
        </>
      }
    >
      <form id="add-key" className="form" onSubmit={submit}>
        {add.error && <Problem error={add.error} />}
        <Field label={words('settings:name')} name="name" maxLength={120} required autoFocus />
        <fieldset className="field">
          <legend className="label">{words('settings:may')}</legend>
          <Note>{words('settings:readsAnyway')}</Note>
          {me.permissions.map((permission) => (
            <label key={permission} className="check">
              <input
                type="checkbox"
                checked={chosen.includes(permission)}
                onChange={({ target }) =>
                  setChosen(target.checked ? [...chosen, permission] : chosen.filter((each) => each !== permission))
                }
              />
              {words(`frame:permissions.${permission}`)}
            </label>
          ))}
        </fieldset>
      </form>
    </Dialog>
  )
}
