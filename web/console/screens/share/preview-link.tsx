import { useMutation } from '@tanstack/react-query'
import { Button } from '../../../ui/button.tsx'
import { CopyText } from '../../../ui/copy-text.tsx'
import { useMay } from '../../app/me.ts'
import { Problem } from '../../frame/failure.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatMoment } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { Way } from './way.tsx'

/** A link to the draft, for colleagues. */
export function PreviewLink({ surveyId }: { surveyId: string }) {
  const words = useWords()
  const mayMake = useMay('surveys.manage')
  const make = useMutation({
    mutationFn: () => answerOf(api.POST('/v1/surveys/{id}/preview-links', { params: { path: { id: surveyId } } })),
  })
  if (!mayMake) return null
  return (
    <Way
      icon="eye"
      title={words('share:preview')}
      {...(!make.data && {
        action: (
          <Button isBusy={make.isPending} onClick={() => make.mutate()}>
            {words('share:makePreview')}
          </Button>
        ),
      })}
    >
      <p>{words('share:previewText')}</p>
      {make.error && <Problem error={make.error} />}
      {make.data && (
        <>
          <CopyText text={make.data.url} copy={words('frame:copy')} copied={words('frame:copied')} />
          <p>{words('share:until', { at: formatMoment(make.data.expires_at) })}</p>
        </>
      )}
    </Way>
  )
}
