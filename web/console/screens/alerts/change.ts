import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiProblem, type Schemas } from '../../../api/client.ts'
import { toast } from '../../../ui/toast.tsx'
import { useMemberName, useMe } from '../../app/me.ts'
import { reasonOf } from '../../frame/failure.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatTimeAgo } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { isDone, lastMove, stepsFrom, type Status } from './steps.ts'

export type Alert = Schemas['Alert']

/** An alert with the tag of what was read, so that nobody writes over a change of somebody else. */
export interface ReadAlert {
  alert: Schemas['AlertDetail']
  etag: string
}

export function alertQuery(id: string) {
  return { queryKey: ['alert', id], queryFn: () => readAlert(id) }
}

const readAlert = (id: string) => tagged(api.GET('/v1/alerts/{id}', { params: { path: { id } } }))

async function tagged(
  call: Promise<{ data?: ReadAlert['alert']; error?: unknown; response: Response }>,
): Promise<ReadAlert> {
  const { response } = await call
  return { alert: await answerOf(call), etag: response.headers.get('etag') ?? '' }
}

/** Somebody was first. */
class Taken extends Error {
  readonly present: ReadAlert
  constructor(present: ReadAlert) {
    super('taken')
    this.present = present
  }
}

interface Change {
  /** The alert as the caller sees it. */
  seen: Pick<Alert, 'id' | 'status' | 'owner_id'>
  /** The tag of what is seen. A card of the board has none. */
  etag?: string | undefined
  body: Schemas['UpdateAlert']
  /** Said when it is done. */
  text: string
  undo?: Schemas['UpdateAlert'] | undefined
}

/** Changes an alert. If somebody else was first, it says who, and shows the alert as it is now. */
export function useChangeAlert() {
  const words = useWords()
  const me = useMe()
  const nameOf = useMemberName()
  const client = useQueryClient()
  const keep = (read: ReadAlert) => {
    client.setQueryData(['alert', read.alert.id], read)
    void client.invalidateQueries({ queryKey: ['alerts'] })
  }
  const change = useMutation({
    mutationFn: apply,
    onSuccess(read, { text, undo }) {
      keep(read)
      toast({
        text,
        ...(undo && {
          action: {
            label: words('frame:undo'),
            onPress: () =>
              change.mutate({ seen: read.alert, etag: read.etag, body: undo, text: words('alerts:undone') }),
          },
        }),
      })
    },
    onError(error) {
      if (!(error instanceof Taken)) return toast({ text: reasonOf(error, words) })
      const { alert } = error.present
      keep(error.present)
      const move = lastMove(alert.timeline)
      const isMine = move !== undefined && move.actor === me.user?.id
      toast({
        text: words(isMine ? 'alerts:firstYou' : 'alerts:first', {
          name: nameOf(move?.actor ?? null) ?? words('alerts:somebody'),
          when: formatTimeAgo(move?.at ?? alert.opened_at, Date.now()),
          status: words(`list:values.${alert.status}`),
        }),
      })
    },
  })
  return change
}

async function apply({ seen, etag, body }: Change): Promise<ReadAlert> {
  const { id } = seen
  let tag = etag
  if (tag === undefined) {
    const present = await readAlert(id)
    if (present.alert.status !== seen.status || present.alert.owner_id !== seen.owner_id) throw new Taken(present)
    tag = present.etag
  }
  try {
    return await tagged(api.PATCH('/v1/alerts/{id}', { params: { path: { id }, header: { 'if-match': tag } }, body }))
  } catch (error) {
    if (error instanceof ApiProblem && (error.code === 'taken' || error.status === 412))
      throw new Taken(await readAlert(id))
    throw error
  }
}

/** The change that makes the caller the owner. Null: there is nothing to take. */
export function takeOf({ status, owner_id }: Pick<Alert, 'status' | 'owner_id'>, userId: string | undefined) {
  const isFresh = stepsFrom(status).includes('acknowledged')
  if (userId === undefined || isDone(status) || (owner_id === userId && !isFresh)) return null
  return { owner_id: userId, ...(isFresh && { status: 'acknowledged' as Status }) }
}
