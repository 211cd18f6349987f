import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiProblem, type Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { Filter, ListState } from '../../app/list-state.ts'
import { useMay } from '../../app/me.ts'
import { Stale } from '../../list/stale.tsx'
import { Missing, NotAllowed } from '../../frame/failure.tsx'
import { Loaded } from '../../frame/loaded.tsx'
import { Screen } from '../../frame/screen.tsx'
import { answerOf, api, taggedAnswerOf } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'
import { DeleteSegment } from './delete-segment.tsx'
import { Members } from './members.tsx'
import { SegmentForm, type Draft } from './segment-form.tsx'

type Segment = Schemas['Segment']

/** Who is in it, and who is not? */
export function SegmentDetail() {
  const words = useWords()
  const { segmentId = '' } = useParams({ strict: false })
  const asked: ListState = useSearch({ strict: false })
  const mayManage = useMay('segments.manage')
  const isNew = segmentId === 'new'
  const segment = useQuery({
    queryKey: ['segments', segmentId],
    queryFn: () => taggedAnswerOf(api.GET('/v1/segments/{id}', { params: { path: { id: segmentId } } })),
    enabled: !isNew,
    refetchOnWindowFocus: false,
  })
  const above = { to: '/app/segments', label: words('frame:screens.segments') }
  if (segment.error instanceof ApiProblem && segment.error.status === 404) return <Missing />
  if (isNew && mayManage)
    return <Edited id={null} etag="" before={{ name: '', description: '', filter: asked.filter ?? { all: [] } }} />
  if (segment.data)
    return (
      <Edited key={segment.data.etag} id={segmentId} etag={segment.data.etag} before={draftOf(segment.data.thing)} />
    )
  return (
    <Screen title={words('segments:segment')} above={above}>
      {isNew ? <NotAllowed permission="segments.manage" /> : <Loaded query={segment}>{() => null}</Loaded>}
    </Screen>
  )
}

function draftOf({ name, description, filter }: Segment): Draft {
  return { name, description, filter: filter as Filter }
}

function Edited({ id, etag, before }: { id: string | null; etag: string; before: Draft }) {
  const words = useWords()
  const navigate = useNavigate()
  const client = useQueryClient()
  const mayManage = useMay('segments.manage')
  const maySend = useMay('dispatch.send')
  const [draft, setDraft] = useState(before)
  const [isDeleting, setDeleting] = useState(false)
  const read = () => client.invalidateQueries({ queryKey: ['segments'] })
  const save = useMutation({
    mutationFn: (tag: string) =>
      answerOf(
        id === null
          ? api.POST('/v1/segments', { body: draft as never })
          : api.PATCH('/v1/segments/{id}', {
              params: { path: { id }, header: { 'if-match': tag } },
              body: draft as never,
            }),
      ),
    onSuccess: (saved) => {
      toast({ text: words('segments:saved', { name: saved.name }) })
      if (id === null) void navigate({ to: '/app/segments/$segmentId', params: { segmentId: saved.id }, replace: true })
      // The next save needs the new tag.
      return read()
    },
  })
  const isStale = save.error instanceof ApiProblem && save.error.status === 412
  const isChanged = JSON.stringify(draft) !== JSON.stringify(before)
  return (
    <Screen
      title={id === null ? words('segments:new') : before.name}
      above={{ to: '/app/segments', label: words('frame:screens.segments') }}
      end={
        <>
          {id !== null && maySend && (
            <Link className="button" to="/app/invitations/new" search={{ segment: id }}>
              <Icon name="send" isSmall />
              <span className="only-wide">{words('segments:invite')}</span>
              <span className="unseen">{words('segments:inviteOf', { name: before.name })}</span>
            </Link>
          )}
          {id !== null && mayManage && (
            <Button look="danger" onClick={() => setDeleting(true)}>
              {words('frame:delete')}
            </Button>
          )}
          {mayManage && (
            <Button type="submit" form="segment" look="primary" isBusy={save.isPending} disabled={!isChanged}>
              {words('frame:save')}
            </Button>
          )}
        </>
      }
    >
      <div className="segment">
        <SegmentForm
          draft={draft}
          error={isStale ? null : save.error}
          isReadOnly={!mayManage || save.isPending}
          onChange={(part) => setDraft((present) => ({ ...present, ...part }))}
          onSubmit={() => save.mutate(etag)}
          note={isStale && <Stale onTheirs={() => void read()} onMine={() => save.mutate('*')} />}
        />
        <Members id={id} filter={draft.filter} />
      </div>
      {isDeleting && id !== null && <DeleteSegment id={id} name={before.name} onClose={() => setDeleting(false)} />}
    </Screen>
  )
}
