import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiProblem, type Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../app/me.ts'
import { Missing, NotAllowed } from '../../frame/failure.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { Loaded } from '../../frame/loaded.tsx'
import { Screen } from '../../frame/screen.tsx'
import { answerOf, api } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'
import { NumberForm, type Draft } from './number-form.tsx'

const EMPTY: Draft = {
  number: '',
  label: '',
  capabilities: ['sms', 'voice'],
  keywords: [],
  default_survey_id: null,
  language: null,
  timezone: null,
  quiet_hours: null,
}

/** A number, and which survey it begins. */
export function NumberDetail() {
  const words = useWords()
  const { numberId = '' } = useParams({ strict: false })
  const mayManage = useMay('numbers.manage')
  const isNew = numberId === 'new'
  const number = useQuery({
    queryKey: ['numbers', numberId],
    queryFn: () => answerOf(api.GET('/v1/inbound-numbers/{id}', { params: { path: { id: numberId } } })),
    enabled: !isNew,
    refetchOnWindowFocus: false,
  })
  if (number.error instanceof ApiProblem && number.error.status === 404) return <Missing />
  if (isNew && mayManage) return <Edited id={null} before={EMPTY} />
  if (number.data) return <Edited key={number.data.updated_at} id={numberId} before={draftOf(number.data)} />
  return (
    <Screen title={words('numbers:number')} above={{ to: '/app/numbers', label: words('frame:screens.numbers') }}>
      {isNew ? <NotAllowed permission="numbers.manage" /> : <Loaded query={number}>{() => null}</Loaded>}
    </Screen>
  )
}

function draftOf({ id: _id, created_at: _created, updated_at: _updated, ...draft }: Schemas['InboundNumber']): Draft {
  return draft
}

function Edited({ id, before }: { id: string | null; before: Draft }) {
  const words = useWords()
  const navigate = useNavigate()
  const client = useQueryClient()
  const mayManage = useMay('numbers.manage')
  const [draft, setDraft] = useState(before)
  const [isDeleting, setDeleting] = useState(false)
  const leave = (text: string) => {
    toast({ text })
    void navigate({ to: '/app/numbers' })
    void client.invalidateQueries({ queryKey: ['numbers'] })
  }
  const save = useMutation({
    mutationFn: () => {
      const { number, ...rest } = { ...draft, keywords: draft.keywords.filter(({ keyword }) => keyword.trim() !== '') }
      return answerOf(
        id === null
          ? api.POST('/v1/inbound-numbers', { body: { number: number.trim(), ...rest } })
          : api.PATCH('/v1/inbound-numbers/{id}', { params: { path: { id } }, body: rest }),
      )
    },
    onSuccess: ({ number }) => leave(words('numbers:saved', { number })),
  })
  const remove = useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/inbound-numbers/{id}', { params: { path: { id: id ?? '' } } })),
    onSuccess: () => leave(words('numbers:deleted', { number: before.number })),
  })
  return (
    <Screen
      title={id === null ? words('numbers:new') : before.number}
      above={{ to: '/app/numbers', label: words('frame:screens.numbers') }}
      end={
        mayManage && (
          <>
            {id !== null && (
              <Button look="danger" onClick={() => setDeleting(true)}>
                {words('frame:delete')}
              </Button>
            )}
            <Button type="submit" form="number" look="primary" isBusy={save.isPending}>
              {words('frame:save')}
            </Button>
          </>
        )
      }
    >
      <NumberForm
        draft={draft}
        isNew={id === null}
        isReadOnly={!mayManage}
        error={save.error}
        onChange={(part) => setDraft((present) => ({ ...present, ...part }))}
        onSubmit={() => save.mutate()}
      />
      {isDeleting && (
        <Confirm
          title={words('numbers:deleteTitle', { number: before.number })}
          verb={words('frame:delete')}
          act={remove}
          onClose={() => setDeleting(false)}
        >
          <p>{words('numbers:deleteText')}</p>
        </Confirm>
      )}
    </Screen>
  )
}
