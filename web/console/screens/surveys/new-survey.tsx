import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useState, type FormEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Labelled } from '../../../ui/form.tsx'
import { Problem } from '../../frame/failure.tsx'
import { answerOf, api } from '../../session/api.ts'
import { loadStarter, type StarterName, StarterChoice } from '../../starters/starters.tsx'
import { useLanguage, useWords } from '../../words/words.ts'

const WAYS = ['starter', 'empty', 'paste'] as const
type Way = (typeof WAYS)[number]

/** Makes a draft from a starter, from nothing or from JSON, and opens it. */
export function NewSurvey({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const language = useLanguage()
  const navigate = useNavigate()
  const client = useQueryClient()
  const id = useId()
  const [way, setWay] = useState<Way>('starter')
  const [starter, setStarter] = useState<StarterName>('post-purchase-nps')
  const [usual, setUsual] = useState('')
  const [name, setName] = useState<string | null>(null)
  const [json, setJson] = useState('')
  const [isWrong, setWrong] = useState(false)
  useEffect(() => {
    let isCurrent = true
    void loadStarter(starter).then((loaded) => {
      if (isCurrent) setUsual(loaded.name[language])
    })
    return () => void (isCurrent = false)
  }, [starter, language])
  const create = useMutation({
    mutationFn: async (pasted: Record<string, unknown> | null) => {
      const own = name?.trim() ?? ''
      const body =
        pasted !== null
          ? { ...pasted, ...(own !== '' && { name: own }) }
          : way === 'starter'
            ? { ...(await loadStarter(starter)).definition, default_language: language, name: own || usual }
            : { name: own || words('surveys:newTitle'), default_language: language }
      return answerOf(api.POST('/v1/surveys', { body: body as never }))
    },
    onSuccess: (survey) => {
      void client.invalidateQueries({ queryKey: ['surveys'] })
      void navigate({ to: '/app/surveys/$surveyId/build', params: { surveyId: survey.id } })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (way !== 'paste') return create.mutate(null)
    const pasted = readJson(json)
    setWrong(pasted === null)
    if (pasted) create.mutate(pasted)
  }
  return (
    <Dialog
      title={words('surveys:newTitle')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form={id} look="primary" isBusy={create.isPending} busyText={words('surveys:creating')}>
            {words('surveys:create')}
          </Button>
        </>
      }
    >
      <form id={id} className="form" onSubmit={submit}>
        <div className="segmented" role="group" aria-label={words('surveys:newTitle')} style={{ justifySelf: 'start' }}>
          {WAYS.map((each) => (
            <button key={each} type="button" aria-pressed={each === way} onClick={() => setWay(each)}>
              {words(`surveys:from.${each}`)}
            </button>
          ))}
        </div>
        {way === 'starter' && <StarterChoice chosen={starter} onChoose={setStarter} />}
        {way === 'empty' && <p className="soft">{words('surveys:emptyNew')}</p>}
        {way === 'paste' && (
          <Labelled
            label={words('surveys:json')}
            hint={words('surveys:jsonHint')}
            error={isWrong ? words('surveys:jsonWrong') : undefined}
          >
            {(control) => (
              <textarea
                {...control}
                className="input mono"
                dir="ltr"
                rows={12}
                value={json}
                onChange={({ target }) => setJson(target.value)}
              />
            )}
          </Labelled>
        )}
        <Field
          label={words('surveys:name')}
          maxLength={200}
          placeholder={way === 'starter' ? usual : undefined}
          value={name ?? ''}
          onChange={({ target }) => setName(target.value)}
        />
        {create.error && <Problem error={create.error} />}
      </form>
    </Dialog>
  )
}

function readJson(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
