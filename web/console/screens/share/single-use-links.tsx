import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Note } from '../../../ui/parts.tsx'
import { saveFile, answerOf, api } from '../../session/api.ts'
import { useMay } from '../../app/me.ts'
import { Problem } from '../../frame/failure.tsx'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { Way } from './way.tsx'

type Survey = Schemas['Survey']

const MOST = 10_000
const USUAL = 100

/** Links for letters and own mails. Each can be answered once. */
export function SingleUseLinks({ survey }: { survey: Survey }) {
  const words = useWords()
  const maySend = useMay('dispatch.send')
  const mayManage = useMay('surveys.manage')
  const [isMaking, setMaking] = useState(false)
  const isSingleUse = survey.dedupe === 'single_use'
  const action =
    isSingleUse && maySend ? (
      <Button onClick={() => setMaking(true)}>{words('share:makeLinks')}</Button>
    ) : !isSingleUse && mayManage ? (
      <Link
        className="button quiet"
        to="/app/surveys/$surveyId/build"
        params={{ surveyId: survey.id }}
        search={{ view: 'rules' }}
      >
        {words('share:rules')}
      </Link>
    ) : undefined
  return (
    <Way icon="hash" title={words('share:singleUse')} {...(action && { action })}>
      <p>{words('share:singleUseText')}</p>
      {!isSingleUse && <p>{words('share:notSingleUse')}</p>}
      {isMaking && <MakeLinks survey={survey} onClose={() => setMaking(false)} />}
    </Way>
  )
}

function MakeLinks({ survey, onClose }: { survey: Survey; onClose: () => void }) {
  const words = useWords()
  const make = useMutation({
    mutationFn: (form: FormData) =>
      answerOf(
        api.POST('/v1/surveys/{id}/links', {
          params: { path: { id: survey.id } },
          body: { count: Number(form.get('count')), expires_at: String(form.get('until')) || null },
        }),
      ),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    make.mutate(new FormData(event.currentTarget))
  }
  const made = make.data
  return (
    <Dialog
      title={words('share:singleUse')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      // Nothing keeps the links: a stray key must not lose them.
      closes={!made}
      footer={
        made ? (
          <>
            <Button onClick={onClose}>{words('frame:close')}</Button>
            <Button look="primary" onClick={() => saveFile(`links-${survey.id}.csv`, csvOf(made))}>
              <Icon name="download" isSmall />
              {words('share:saveCsv')}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>{words('frame:cancel')}</Button>
            <Button type="submit" form="single-use" look="primary" isBusy={make.isPending}>
              {words('share:makeLinks')}
            </Button>
          </>
        )
      }
    >
      {made ? (
        <>
          <p role="status">{words('share:made', { count: made.tokens.length, n: formatNumber(made.tokens.length) })}</p>
          <Note icon="lock">{words('share:madeOnce')}</Note>
        </>
      ) : (
        <form id="single-use" className="form" onSubmit={submit}>
          {make.error && <Problem error={make.error} />}
          <Field
            label={words('share:howMany')}
            name="count"
            type="number"
            min={1}
            max={MOST}
            required
            defaultValue={USUAL}
            hint={words('share:mostLinks', { n: formatNumber(MOST) })}
          />
          <Field label={words('share:untilDay')} name="until" type="date" hint={words('share:untilDayHint')} />
        </form>
      )}
    </Dialog>
  )
}

function csvOf({ url, tokens }: Schemas['SurveyLinks']): Blob {
  const lines = tokens.map((token) => url.replace('{token}', token))
  return new Blob([['link', ...lines, ''].join('\r\n')], { type: 'text/csv' })
}
