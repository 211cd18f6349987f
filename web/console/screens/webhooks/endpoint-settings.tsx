import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'
import { Problem } from '../../frame/failure.tsx'
import { surveyNamesQuery } from '../../list/names.ts'
import { answerOf, api, issuesOf } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'
import { DeleteEndpoint } from './delete-endpoint.tsx'
import type { Webhook } from './endpoints.ts'
import { EventChoice } from './event-choice.tsx'

/** Name, address, events and surveys of an endpoint, and its end. */
export function EndpointSettings({ webhook }: { webhook: Webhook }) {
  const words = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const surveys = useQuery(surveyNamesQuery)
  const [events, setEvents] = useState<string[]>(webhook.events)
  const [surveyIds, setSurveyIds] = useState(webhook.survey_ids)
  const [isDeleting, setDeleting] = useState(false)
  const path = { params: { path: { id: webhook.id } } }
  const save = useMutation({
    mutationFn: (form: FormData) =>
      answerOf(
        api.PATCH('/v1/webhooks/{id}', {
          ...path,
          body: {
            url: String(form.get('url')).trim(),
            description: String(form.get('description')).trim(),
            events,
            survey_ids: surveyIds,
          },
        }),
      ),
    onSuccess: (next) => {
      client.setQueryData(['webhook', webhook.id], next)
      void client.invalidateQueries({ queryKey: ['webhooks'] })
      toast({ text: words('webhooks:saved') })
    },
  })
  const { issues, errorOf } = issuesOf(save.error)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate(new FormData(event.currentTarget))
  }
  const toggle = (id: string) =>
    setSurveyIds(surveyIds.includes(id) ? surveyIds.filter((each) => each !== id) : [...surveyIds, id])
  return (
    <>
      <form className="form" onSubmit={submit} style={{ maxWidth: 560 }} noValidate>
        {save.error && issues.length === 0 && <Problem error={save.error} />}
        <Field
          label={words('webhooks:url')}
          name="url"
          type="url"
          dir="ltr"
          defaultValue={webhook.url}
          error={errorOf('url')}
        />
        <Field
          label={words('webhooks:name')}
          name="description"
          maxLength={200}
          defaultValue={webhook.description}
          error={errorOf('description')}
        />
        <EventChoice chosen={events} onChange={setEvents} />
        <fieldset style={{ border: 0, margin: 0, padding: 0 }}>
          <legend className="strong">{words('frame:screens.surveys')}</legend>
          <p className="soft">{words('webhooks:surveysHint')}</p>
          {(surveys.data?.data ?? []).map(({ id, name }) => (
            <label key={id} className="check">
              <input type="checkbox" checked={surveyIds.includes(id)} onChange={() => toggle(id)} />
              <bdi>{name}</bdi>
            </label>
          ))}
        </fieldset>
        <div className="actions">
          <Button type="submit" look="primary" isBusy={save.isPending}>
            {words('frame:save')}
          </Button>
          <Button look="danger" onClick={() => setDeleting(true)}>
            {words('frame:delete')}
          </Button>
        </div>
      </form>
      {isDeleting && (
        <DeleteEndpoint
          webhook={webhook}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate({ to: '/app/webhooks' })}
        />
      )}
    </>
  )
}
