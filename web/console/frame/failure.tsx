import { useQuery } from '@tanstack/react-query'
import { ApiProblem } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Note } from '../../ui/parts.tsx'
import { toast } from '../../ui/toast.tsx'
import { meQuery } from '../app/me.ts'
import { answerOf, api, switchWorkspace } from '../session/api.ts'
import { useWords, type Words } from '../words/words.ts'
import { Screen } from './screen.tsx'

/** The reason of a failure in words: the API's own, or ours for a network that failed. */
export function reasonOf(error: unknown, words: Words): string {
  if (!(error instanceof ApiProblem)) return words('frame:failure.page')
  if (error.code === 'network') return words('frame:failure.network')
  if (error.status === 429) return words('frame:failure.busy', { seconds: error.retryAfterS ?? 60 })
  if (error.status >= 500) return words('frame:failure.server')
  // The message of a request with wrong members says less than its issues.
  return error.issues[0]?.message ?? error.message
}

/** A block that failed. Other blocks of the screen stay. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const words = useWords()
  if (error instanceof ApiProblem && error.status === 403 && error.permission !== null)
    return <NotAllowed permission={error.permission} />
  const requestId = error instanceof ApiProblem ? error.requestId : null
  return (
    <Note tone="bad">
      <p>{reasonOf(error, words)}</p>
      {error instanceof ApiProblem && error.status === 404 && <Elsewhere />}
      <p className="filters">
        {onRetry && (
          <button type="button" className="link" onClick={onRetry}>
            {words('frame:failure.retry')}
          </button>
        )}
        {requestId !== null && (
          <button
            type="button"
            className="link"
            onClick={() => {
              void navigator.clipboard.writeText(requestId)
              toast({ text: words('frame:copied') })
            }}
          >
            {words('frame:failure.copy', { id: requestId })}
          </button>
        )}
      </p>
    </Note>
  )
}

/** Reached by a link only: names the permission, and who can give it. */
export function NotAllowed({ permission }: { permission: string }) {
  const words = useWords()
  const givers = useQuery({ queryKey: ['givers'], queryFn: findGivers, staleTime: 60_000 })
  const names = givers.data ?? []
  return (
    <Empty title={words('frame:forbidden.title')}>
      <p>{words('frame:forbidden.needs', { permission: words(`frame:permissions.${permission}`) })}</p>
      {names.length > 0 && <p>{words('frame:forbidden.givers', { names: names.join(', '), count: names.length })}</p>}
    </Empty>
  )
}

export function Missing() {
  const words = useWords()
  return (
    <Screen title={words('frame:missing.title')}>
      <Empty
        title={words('frame:missing.title')}
        actions={
          <a className="button plain usual" href="/app">
            {words('frame:missing.home')}
          </a>
        }
      >
        <p>{words('frame:missing.text')}</p>
        <Elsewhere />
      </Empty>
    </Screen>
  )
}

/** A link of a mail may lead to a thing of another workspace of the caller. */
function Elsewhere() {
  const words = useWords()
  const { data: me } = useQuery(meQuery)
  const others = (me?.workspaces ?? []).filter(({ id }) => id !== me?.workspace.id)
  if (others.length === 0) return null
  return (
    <p className="filters">
      {words('frame:missing.elsewhere')}
      {others.map(({ id, name }) => (
        <button key={id} type="button" className="link" onClick={() => void switchWorkspace(id)}>
          <bdi>{name}</bdi>
        </button>
      ))}
    </p>
  )
}

export function Failure({ error, reset }: { error: unknown; reset: () => void }) {
  const words = useWords()
  if (error instanceof ApiProblem && error.status === 404) return <Missing />
  return (
    <Screen title={words('frame:failure.title')}>
      <div className="in">
        <Problem error={error} />
        <p style={{ marginTop: 16 }}>
          <Button onClick={reset}>{words('frame:failure.retry')}</Button>
        </p>
      </div>
    </Screen>
  )
}

async function findGivers(): Promise<string[]> {
  const [members, roles] = await Promise.all([
    answerOf(api.GET('/v1/members', { params: { query: { limit: 100 } } })),
    answerOf(api.GET('/v1/roles', { params: { query: { limit: 100 } } })),
  ])
  const giving = new Set(
    roles.data.filter(({ permissions }) => permissions.includes('members.manage')).map(({ id }) => id),
  )
  return members.data.filter(({ role }) => giving.has(role.id)).map(({ name, email }) => name || email)
}
