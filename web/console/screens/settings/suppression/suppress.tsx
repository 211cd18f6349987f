import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { ApiProblem, type Schemas } from '../../../../api/client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Labelled } from '../../../../ui/form.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { Problem } from '../../../frame/failure.tsx'
import { answerOf, api } from '../../../session/api.ts'
import { formatNumber } from '../../../words/format.ts'
import { useWords } from '../../../words/words.ts'
import { SEND_CHANNELS } from '../../../../../src/platform/ports/provider.ts'

type Channel = Schemas['SendChannel']

interface FormProps {
  title: string
  verb: string
  isBusy: boolean
  /** Nothing to send yet. */
  isEmpty?: boolean
  onSubmit: () => void
  onClose: () => void
  children: React.ReactNode
}

function FormDialog({ title, verb, isBusy, isEmpty = false, onSubmit, onClose, children }: FormProps) {
  const words = useWords()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isEmpty) onSubmit()
  }
  return (
    <Dialog
      title={title}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form="suppress" look="primary" isBusy={isBusy} disabled={isEmpty}>
            {verb}
          </Button>
        </>
      }
    >
      <form id="suppress" className="form" onSubmit={submit} noValidate>
        {children}
      </form>
    </Dialog>
  )
}

/** Never contacts an address again. */
export function Suppress({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const client = useQueryClient()
  const [channel, setChannel] = useState<Channel>('email')
  const [address, setAddress] = useState('')
  const add = useMutation({
    mutationFn: () =>
      answerOf(api.POST('/v1/suppression', { body: { channel, address: address.trim(), reason: 'manual' } })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['suppression'] })
      toast({ text: words('settings:sup.added') })
      onClose()
    },
  })
  const issue = add.error instanceof ApiProblem ? add.error.issues[0]?.message : undefined
  return (
    <FormDialog
      title={words('settings:sup.add')}
      verb={words('settings:sup.add')}
      isBusy={add.isPending}
      isEmpty={address.trim() === ''}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      {add.error && issue === undefined && <Problem error={add.error} />}
      <Labelled label={words('list:fields.channel')}>
        {(control) => (
          <select
            {...control}
            className="input"
            value={channel}
            onChange={({ target }) => setChannel(target.value as Channel)}
          >
            {SEND_CHANNELS.map((each) => (
              <option key={each} value={each}>
                {words(`list:values.${each}`)}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <Field
        label={words('settings:sup.address')}
        dir="ltr"
        autoComplete="off"
        maxLength={320}
        value={address}
        error={issue}
        onChange={({ target }) => setAddress(target.value)}
      />
    </FormDialog>
  )
}

/** Takes a list of another tool over. */
export function ImportSuppressions({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const client = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const run = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/v1/suppression/import', {
          body: file as never,
          bodySerializer: (body) => body as unknown as Blob,
          headers: { 'content-type': 'text/csv' },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['suppression'] }),
  })
  const result = run.data
  return (
    <FormDialog
      title={words('settings:sup.import')}
      verb={words('settings:sup.import')}
      isBusy={run.isPending}
      isEmpty={file === null || result !== undefined}
      onSubmit={() => run.mutate()}
      onClose={onClose}
    >
      {run.error && <Problem error={run.error} />}
      <Field
        label={words('settings:sup.file')}
        hint={words('settings:sup.importHint')}
        type="file"
        accept=".csv,text/csv"
        onChange={({ target }) => {
          run.reset()
          setFile(target.files?.[0] ?? null)
        }}
      />
      {result && (
        <div role="status">
          <p>
            {words('settings:sup.imported', {
              suppressed: formatNumber(result.suppressed),
              unchanged: formatNumber(result.unchanged),
              rejected: formatNumber(result.rejected.length),
            })}
          </p>
          <ul>
            {result.rejected.slice(0, 20).map(({ index, reason }) => (
              <li key={index} className="soft">
                {words('settings:sup.line', { n: formatNumber(index + 2) })}: {words(`settings:sup.rejects.${reason}`)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </FormDialog>
  )
}

const NEEDS_EVIDENCE = new Set<Schemas['SuppressionReason']>(['complaint', 'stop_keyword'])

/** Lets an address get messages again. Some reasons need evidence. */
export function LiftSuppression({ held, onClose }: { held: Schemas['Suppression']; onClose: () => void }) {
  const words = useWords()
  const client = useQueryClient()
  const [evidence, setEvidence] = useState('')
  const given = evidence.trim()
  const lift = useMutation({
    mutationFn: () =>
      answerOf(
        api.DELETE('/v1/suppression/{id}', {
          params: { path: { id: held.id } },
          body: given === '' ? {} : { evidence: given },
        }),
      ),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['suppression'] })
      toast({ text: words('settings:sup.lifted', { address: held.address }) })
      onClose()
    },
  })
  return (
    <FormDialog
      title={words('settings:sup.liftTitle', { address: held.address })}
      verb={words('settings:sup.lift')}
      isBusy={lift.isPending}
      isEmpty={NEEDS_EVIDENCE.has(held.reason) && given === ''}
      onSubmit={() => lift.mutate()}
      onClose={onClose}
    >
      {lift.error && <Problem error={lift.error} />}
      <p>{words('settings:sup.liftText')}</p>
      <Labelled label={words('settings:sup.evidence')}>
        {(control) => (
          <textarea
            {...control}
            className="input"
            rows={3}
            maxLength={2_000}
            value={evidence}
            onChange={({ target }) => setEvidence(target.value)}
          />
        )}
      </Labelled>
    </FormDialog>
  )
}
