import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { Note, Status } from '../../../../ui/parts.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { orgQuery, useMay, useMe } from '../../../app/me.ts'
import { Problem } from '../../../frame/failure.tsx'
import { Loaded, UnseenHead } from '../../../frame/loaded.tsx'
import { answerOf, api } from '../../../session/api.ts'
import { useWords } from '../../../words/words.ts'
import { isInRange, rangeOf } from './address-range.ts'
import { Settings } from '../layout.tsx'

/** The addresses that may call, and whether one's own is among them. */
export function Allowlist() {
  const org = useQuery(orgQuery)
  return (
    <Settings name="allowlist">
      <Loaded query={org}>{(shown) => <Ranges key={shown.updated_at} saved={shown.ip_allowlist} />}</Loaded>
    </Settings>
  )
}

function Ranges({ saved }: { saved: string[] }) {
  const words = useWords()
  const me = useMe()
  const client = useQueryClient()
  const mayManage = useMay('org.manage')
  const [ranges, setRanges] = useState(saved)
  const own = me.client_ip
  const locksOut = ranges.length > 0 && own !== null && !ranges.some((range) => isInRange(own, range))
  const isChanged = ranges.join() !== saved.join()
  const save = useMutation({
    mutationFn: () => answerOf(api.PATCH('/v1/org', { body: { ip_allowlist: ranges } })),
    onSuccess: (next) => {
      client.setQueryData(orgQuery.queryKey, next)
      toast({ text: words('settings:saved') })
    },
  })
  const change = (next: string[]) => {
    save.reset()
    setRanges([...new Set(next)])
  }
  return (
    <>
      <div role="status">
        <p className={`lede ${locksOut ? 'refused' : ''}`}>
          {ranges.length === 0
            ? words('settings:allow.lede.everybody')
            : locksOut
              ? words('settings:allow.lede.outside', { address: own })
              : words('settings:allow.lede.inside')}
        </p>
        <p className="sub">{words('settings:allow.text')}</p>
      </div>
      {own !== null && (
        <dl className="facts">
          <dt>{words('settings:allow.yours')}</dt>
          <dd className="mono" dir="ltr" style={{ justifySelf: 'start' }}>
            {own}
          </dd>
        </dl>
      )}
      {ranges.length === 0 ? (
        <p className="soft">{words('settings:allow.none')}</p>
      ) : (
        <table className="table keep" aria-label={words('settings:places.allowlist')}>
          <thead>
            <tr>
              <th>{words('settings:allow.range')}</th>
              <UnseenHead className="end">{words('list:menu')}</UnseenHead>
            </tr>
          </thead>
          <tbody>
            {ranges.map((range) => (
              <tr key={range}>
                <td className="first">
                  <span className="filters">
                    <bdi className="mono" dir="ltr">
                      {range}
                    </bdi>
                    {own !== null && isInRange(own, range) && <Status tone="ok">{words('settings:allow.has')}</Status>}
                  </span>
                </td>
                <td className="end">
                  {mayManage && (
                    <Button
                      look="quiet"
                      size="square"
                      aria-label={words('settings:allow.remove', { range })}
                      onClick={() => change(ranges.filter((each) => each !== range))}
                    >
                      <Icon name="x" isSmall />
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {mayManage ? (
        <>
          <Add
            own={own}
            isOwnIn={own !== null && ranges.some((range) => isInRange(own, range))}
            onAdd={(range) => change([...ranges, range])}
          />
          {save.error && <Problem error={save.error} />}
          <div className="filters">
            <Button
              look="primary"
              isBusy={save.isPending}
              disabled={!isChanged || locksOut}
              onClick={() => save.mutate()}
            >
              {words('frame:save')}
            </Button>
            {isChanged && <Button onClick={() => change(saved)}>{words('frame:undo')}</Button>}
          </div>
        </>
      ) : (
        <Note icon="lock">{words('frame:forbidden.needs', { permission: words('frame:permissions.org.manage') })}</Note>
      )}
    </>
  )
}

function Add({ own, isOwnIn, onAdd }: { own: string | null; isOwnIn: boolean; onAdd: (range: string) => void }) {
  const words = useWords()
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const range = rangeOf(text)
    setWrong(range === null)
    if (range === null) return
    onAdd(range)
    setText('')
  }
  return (
    <form className="adding" onSubmit={submit} noValidate>
      <Field
        label={words('settings:allow.range')}
        hint={words('settings:allow.hint')}
        error={isWrong ? words('settings:allow.wrong') : undefined}
        className="mono"
        dir="ltr"
        autoComplete="off"
        maxLength={64}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setWrong(false)
        }}
      />
      <Button type="submit" disabled={text.trim() === ''}>
        {words('settings:allow.add')}
      </Button>
      {own !== null && !isOwnIn && (
        <Button look="quiet" onClick={() => onAdd(rangeOf(own) ?? own)}>
          {words('settings:allow.addYours', { address: own })}
        </Button>
      )}
    </form>
  )
}
