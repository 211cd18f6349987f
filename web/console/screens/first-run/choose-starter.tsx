import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState, type FormEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { useMay } from '../../app/me.ts'
import { NotAllowed, Problem } from '../../frame/failure.tsx'
import { answerOf, api } from '../../session/api.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import { loadStarter, type Starter, type StarterName, StarterChoice } from '../../starters/starters.tsx'

/** Publishes one of six surveys, and gives it a test receiver that shows what a server would get. */
export function ChooseStarter({ mayReceive }: { mayReceive: boolean }) {
  const words = useWords()
  const language = useLanguage()
  const navigate = useNavigate()
  const client = useQueryClient()
  const mayManage = useMay('surveys.manage')
  const [chosen, choose] = useState<StarterName>('post-purchase-nps')
  const [name, setName] = useState<string | null>(null)
  const [starter, setStarter] = useState<Starter | null>(null)
  useEffect(() => {
    let isCurrent = true
    void loadStarter(chosen).then((loaded) => {
      if (isCurrent) setStarter(loaded)
    })
    return () => void (isCurrent = false)
  }, [chosen])
  const usualName = starter?.name[language] ?? ''
  const publish = useMutation({
    mutationFn: async () => {
      const { definition } = await loadStarter(chosen)
      const body = { ...definition, default_language: language, name: name?.trim() || usualName }
      const survey = await answerOf(api.POST('/v1/surveys', { body: body as never }))
      await answerOf(api.POST('/v1/surveys/{id}/publish', { params: { path: { id: survey.id } } }))
      return {
        survey: survey.id,
        receiver: mayReceive ? await receiverFor(survey.id, words('first-run:receiver')) : undefined,
      }
    },
    onSuccess: ({ survey, receiver }) => {
      void client.invalidateQueries({ queryKey: ['surveys'] })
      void navigate({
        to: '/app/welcome',
        search: { step: 'answer', survey, ...(receiver !== undefined && { receiver }) } as never,
      })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    publish.mutate()
  }
  if (!mayManage) return <NotAllowed permission="surveys.manage" />
  return (
    <>
      <h1 className="lede" tabIndex={-1} style={{ marginTop: 24 }}>
        {words('first-run:what')}
      </h1>
      <p className="sub">{words('first-run:whatText')}</p>
      <div className="choosing">
        <form onSubmit={submit}>
          <StarterChoice chosen={chosen} onChoose={choose} />
          <div style={{ maxWidth: 420 }}>
            <Field
              label={words('first-run:name')}
              className="big"
              value={name ?? usualName}
              maxLength={200}
              required
              onChange={({ target }) => setName(target.value)}
            />
          </div>
          {publish.error && <Problem error={publish.error} />}
          <div>
            <Button
              type="submit"
              look="primary"
              size="big"
              isBusy={publish.isPending}
              busyText={words('first-run:publishing')}
            >
              {words('first-run:publish')}
            </Button>
          </div>
        </form>
        {starter && <Questions starter={starter} />}
      </div>
    </>
  )
}

function Questions({ starter }: { starter: Starter }) {
  const words = useWords()
  const language = useLanguage()
  return (
    <section className="asked" aria-labelledby="asked">
      <h2 id="asked">{words('first-run:asks')}</h2>
      <ol>
        {starter.definition.questions.map(({ id, title, choices = [] }) => (
          <li key={id}>
            <b className="strong">{title[language]}</b>
            {choices.length > 0 && <p className="soft">{choices.map(({ label }) => label[language]).join(' · ')}</p>}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Makes a receiver and an endpoint of this survey that sends to it. */
async function receiverFor(surveyId: string, description: string): Promise<string> {
  const receiver = await answerOf(api.POST('/v1/test-receivers', { body: {} }))
  await answerOf(
    api.POST('/v1/webhooks', {
      body: { url: receiver.url, description, survey_ids: [surveyId], events: ['response.completed'] },
    }),
  )
  return receiver.id
}
