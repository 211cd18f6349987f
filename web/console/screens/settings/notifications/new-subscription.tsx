import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { EVENT_TYPES, eventTitle } from '../../../../../src/features/delivery/events/event-types.ts'
import { ApiProblem, type Schemas } from '../../../../api/client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Labelled } from '../../../../ui/form.tsx'
import { toast } from '../../../../ui/toast.tsx'
import type { Filter } from '../../../app/list-state.ts'
import { Problem } from '../../../frame/failure.tsx'
import { useFields } from '../../../list/filter/fields.ts'
import { FilterBar } from '../../../list/filter/filter-bar.tsx'
import { surveyNamesQuery } from '../../../list/names.ts'
import { answerOf, api } from '../../../session/api.ts'
import { LANGUAGES, presentLanguage, useWords } from '../../../words/words.ts'

type Body = Schemas['CreateNotificationSubscription']

const CHANNELS: Array<Body['channel']> = ['console', 'email', 'slack', 'teams']
const DIGESTS: Array<NonNullable<Body['digest']>> = ['at_once', 'daily', 'weekly']
// A filter decides when the response comes in, and these are known later.
const LATER_FIELDS = new Set(['segment_id', 'topic', 'sentiment'])

/** Chooses an event, the place where it reaches one, and which of them. */
export function NewSubscription({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const client = useQueryClient()
  const [wish, setWish] = useState<Body>({
    event: 'response.completed',
    channel: 'console',
    survey_ids: [],
    digest: 'at_once',
    language: presentLanguage(),
  })
  const change = (part: Partial<Body>) => setWish((before) => ({ ...before, ...part }))
  const isChat = wish.channel === 'slack' || wish.channel === 'teams'
  const isOfResponses = wish.event.startsWith('response.')
  const add = useMutation({
    mutationFn: () => {
      const { url, filter, ...rest } = wish
      const body = { ...rest, ...(isChat && { url: url ?? '' }), ...(isOfResponses && filter && { filter }) }
      return answerOf(api.POST('/v1/notification-subscriptions', { body }))
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['notification-subscriptions'] })
      toast({ text: words('settings:notify.added') })
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate()
  }
  const problem = add.error instanceof ApiProblem ? add.error : null
  const urlIssue = problem?.issues.find(({ path }) => path === 'url')?.message
  return (
    <Dialog
      title={words('settings:notify.new')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form="subscribe" look="primary" isBusy={add.isPending}>
            {words('settings:notify.add')}
          </Button>
        </>
      }
    >
      <form id="subscribe" className="form" onSubmit={submit} noValidate>
        {add.error && urlIssue === undefined && <Problem error={add.error} />}
        <Labelled label={words('settings:notify.event')}>
          {(control) => (
            <select
              {...control}
              className="input"
              value={wish.event}
              onChange={({ target }) => change({ event: target.value as Body['event'] })}
            >
              {EVENT_TYPES.map((event) => (
                <option key={event} value={event}>
                  {eventTitle(event, presentLanguage())}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        <fieldset className="field">
          <legend className="label">{words('settings:notify.channel')}</legend>
          <div className="segmented" style={{ justifySelf: 'start' }}>
            {CHANNELS.map((channel) => (
              <button
                key={channel}
                type="button"
                aria-pressed={wish.channel === channel}
                onClick={() => change({ channel })}
              >
                {words(`settings:notify.channels.${channel}`)}
              </button>
            ))}
          </div>
        </fieldset>
        {isChat && (
          <Field
            label={words('settings:notify.url')}
            hint={words('settings:notify.urlHint')}
            type="url"
            dir="ltr"
            autoComplete="off"
            maxLength={2_000}
            value={wish.url ?? ''}
            error={urlIssue}
            onChange={({ target }) => change({ url: target.value })}
          />
        )}
        {wish.channel !== 'console' && <Message wish={wish} onChange={change} />}
        <Surveys chosen={wish.survey_ids ?? []} onChange={(survey_ids) => change({ survey_ids })} />
        {isOfResponses && <Which wish={wish} onChange={change} />}
      </form>
    </Dialog>
  )
}

interface Part {
  wish: Body
  onChange: (part: Partial<Body>) => void
}

/** When a message leaves, and in which language. */
function Message({ wish, onChange }: Part) {
  const words = useWords()
  return (
    <>
      <Labelled label={words('settings:notify.when')}>
        {(control) => (
          <select
            {...control}
            className="input"
            value={wish.digest}
            onChange={({ target }) => onChange({ digest: target.value as NonNullable<Body['digest']> })}
          >
            {DIGESTS.map((digest) => (
              <option key={digest} value={digest}>
                {words(`settings:notify.digests.${digest}`)}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <Labelled label={words('settings:notify.language')}>
        {(control) => (
          <select
            {...control}
            className="input"
            value={wish.language}
            onChange={({ target }) => onChange({ language: target.value as NonNullable<Body['language']> })}
          >
            {Object.entries(LANGUAGES).map(([tag, label]) => (
              <option key={tag} value={tag} lang={tag}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Labelled>
    </>
  )
}

function Surveys({ chosen, onChange }: { chosen: string[]; onChange: (ids: string[]) => void }) {
  const words = useWords()
  const surveys = useQuery(surveyNamesQuery)
  const rows = surveys.data?.data ?? []
  if (rows.length === 0) return null
  return (
    <fieldset className="field">
      <legend className="label">{words('settings:notify.surveys')}</legend>
      <span className="hint">{words('settings:notify.surveysHint')}</span>
      <div style={{ maxHeight: 168, overflowY: 'auto' }}>
        {rows.map(({ id, name }) => (
          <label key={id} className="check">
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
              }
            />
            <bdi className="cut">{name}</bdi>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Tests that a response must pass. */
function Which({ wish, onChange }: Part) {
  const words = useWords()
  const [only] = wish.survey_ids ?? []
  const fields = useFields('responses', wish.survey_ids?.length === 1 ? only : undefined)
  return (
    <div className="field">
      <span className="label">{words('settings:notify.which')}</span>
      <FilterBar
        fields={fields.filter(({ field }) => !LATER_FIELDS.has(field))}
        filter={(wish.filter ?? undefined) as Filter | undefined}
        label={words('settings:notify.which')}
        onChange={(filter) => onChange({ filter: filter ?? null })}
      />
    </div>
  )
}
