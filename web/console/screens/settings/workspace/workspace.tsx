import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { ApiProblem } from '../../../../api/client.ts'
import { Note } from '../../../../ui/parts.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { orgQuery, useMay } from '../../../app/me.ts'
import { Stale } from '../../../list/stale.tsx'
import { Problem } from '../../../frame/failure.tsx'
import { Loaded } from '../../../frame/loaded.tsx'
import { api, taggedAnswerOf, issuesOf } from '../../../session/api.ts'
import { useWords } from '../../../words/words.ts'
import { Settings } from '../layout.tsx'
import { BusinessHours } from './business-hours.tsx'
import { changesOf, draftOf, type Draft, type Org, type Set } from './draft.ts'
import { General } from './general.tsx'
import { ContactFrequency, QuietHours, Retention } from './limits.tsx'
import { SaveBar } from './save-bar.tsx'

const KEY = [...orgQuery.queryKey, 'settings']

/** Name, zone, websites, and the rules for messages, alerts and old rows. */
export function Workspace() {
  const org = useQuery({
    queryKey: KEY,
    queryFn: () => taggedAnswerOf(api.GET('/v1/org')),
    refetchOnWindowFocus: false,
    // Another screen may have changed it since.
    gcTime: 0,
  })
  return (
    <Settings name="workspace">
      <Loaded query={org}>{({ thing, etag }) => <Form key={etag} org={thing} etag={etag} />}</Loaded>
    </Settings>
  )
}

function Form({ org, etag }: { org: Org; etag: string }) {
  const words = useWords()
  const client = useQueryClient()
  const mayManage = useMay('org.manage')
  const [draft, setDraft] = useState(() => draftOf(org))
  const changes = changesOf(org, draft)
  const save = useMutation({
    mutationFn: (tag: string) =>
      taggedAnswerOf(api.PATCH('/v1/org', { params: { header: { 'if-match': tag } }, body: changes as Draft })),
    onSuccess: (saved) => {
      client.setQueryData(orgQuery.queryKey, saved.thing)
      client.setQueryData(KEY, saved)
      void client.invalidateQueries({ queryKey: ['me'] })
      toast({ text: words('settings:saved') })
    },
  })
  const set: Set = (name, value) => {
    save.reset()
    setDraft((present) => ({ ...present, [name]: value }))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(etag)
  }
  const isStale = save.error instanceof ApiProblem && save.error.status === 412
  const { issues, errorOf } = issuesOf(save.error)
  const part = { draft, saved: org, set, errorOf }
  return (
    <form className="workspace-form" onSubmit={submit}>
      <fieldset disabled={!mayManage || save.isPending}>
        <General {...part} />
        <QuietHours {...part} />
        <ContactFrequency {...part} />
        <BusinessHours {...part} />
        <Retention {...part} />
      </fieldset>
      {isStale && (
        <Stale onTheirs={() => void client.invalidateQueries({ queryKey: KEY })} onMine={() => save.mutate('*')} />
      )}
      {save.error && !isStale && issues.length === 0 && <Problem error={save.error} />}
      {mayManage ? (
        <SaveBar
          count={Object.keys(changes).length}
          isBusy={save.isPending}
          onUndo={() => {
            save.reset()
            setDraft(draftOf(org))
          }}
        />
      ) : (
        <Note icon="lock">{words('frame:forbidden.needs', { permission: words('frame:permissions.org.manage') })}</Note>
      )}
    </form>
  )
}
