import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Status } from '../../../../ui/parts.tsx'
import { Problem } from '../../../frame/failure.tsx'
import { useMay } from '../../../app/me.ts'
import { answerOf, api } from '../../../session/api.ts'
import { useWords } from '../../../words/words.ts'
import { SEND_CHANNELS } from '../../../../../src/platform/ports/provider.ts'

/** Whether one address gets messages. It stays in this page. */
export function CheckAddress() {
  const words = useWords()
  const may = [useMay('dispatch.send'), useMay('people.manage'), useMay('compliance.manage')]
  const [channel, setChannel] = useState(SEND_CHANNELS[0])
  const [address, setAddress] = useState('')
  const check = useMutation({
    mutationFn: () => answerOf(api.POST('/v1/suppression/check', { body: { channel, addresses: [address.trim()] } })),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    check.mutate()
  }
  const found = check.data?.data[0]
  if (!may.includes(true)) return null
  return (
    <form className="adding" onSubmit={submit} aria-label={words('settings:sup.check')} noValidate>
      <Field
        label={words('settings:sup.check')}
        dir="ltr"
        autoComplete="off"
        maxLength={320}
        value={address}
        onChange={({ target }) => {
          setAddress(target.value)
          check.reset()
        }}
      />
      <select
        className="input"
        style={{ width: 'auto', marginBlockStart: 24 }}
        aria-label={words('list:fields.channel')}
        value={channel}
        onChange={({ target }) => {
          setChannel(target.value as typeof channel)
          check.reset()
        }}
      >
        {SEND_CHANNELS.map((each) => (
          <option key={each} value={each}>
            {words(`list:values.${each}`)}
          </option>
        ))}
      </select>
      <Button type="submit" isBusy={check.isPending} disabled={address.trim() === ''}>
        {words('settings:sup.checkNow')}
      </Button>
      <div role="status" style={{ flexBasis: '100%' }}>
        {check.error && <Problem error={check.error} />}
        {found &&
          (found.suppressed ? (
            <Status tone="warn">
              {words('settings:sup.held', { reason: words(`settings:sup.reasons.${found.reason}`) })}
            </Status>
          ) : (
            <Status tone={found.valid ? 'ok' : 'bad'}>
              {words(found.valid ? 'settings:sup.free' : 'settings:sup.invalid')}
            </Status>
          ))}
      </div>
    </form>
  )
}
