import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Labelled } from '../../../../ui/form.tsx'
import { Skeleton } from '../../../../ui/parts.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMemberName } from '../../../app/me.ts'
import { Problem } from '../../../frame/failure.tsx'
import { formatMoment } from '../../../words/format.ts'
import { useWords } from '../../../words/words.ts'
import { Changes } from './changes.tsx'
import { compare } from '../model/compare.ts'
import type { Draft } from '../model/draft.ts'
import { useBuilder, useDraft, useMayEdit, versionsQuery } from '../use-builder.ts'

const DRAFT = 'draft'

/** Two versions side by side, and a way back to an earlier one. */
export function Versions({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const builder = useBuilder()
  const draft = useDraft()
  const mayEdit = useMayEdit()
  const nameOf = useMemberName()
  const list = useQuery(versionsQuery(builder.id))
  const versions = list.data?.data ?? []
  const [from, setFrom] = useState<string | null>(null)
  const [to, setTo] = useState(DRAFT)
  const read = (name: string): Draft | null => {
    if (name === DRAFT) return draft
    const found = versions.find(({ version }) => String(version) === name)
    const { name: own, starts_at, closes_at, response_limit } = draft
    return found ? ({ name: own, starts_at, closes_at, response_limit, ...found.definition } as Draft) : null
  }
  const differs = (name: string) => {
    const [before, after] = [read(name), read(to)]
    return before !== null && after !== null && compare(before, after).length > 0
  }
  const names = versions.map(({ version }) => String(version))
  // The newest version with a difference.
  const present = from ?? names.find(differs) ?? names[0] ?? ''
  const [before, after] = [read(present), read(to)]
  const changes = before && after ? compare(before, after) : []
  const options = [
    <option key={DRAFT} value={DRAFT}>
      {words('build:theDraft')}
    </option>,
    ...versions.map(({ version, published_at, published_by }) => {
      const said = words('build:versionAt', { version, at: formatMoment(published_at) })
      const name = nameOf(published_by?.replace(/^user:/, '') ?? null)
      return (
        <option key={version} value={String(version)}>
          {name === undefined ? said : `${said} · ${name}`}
        </option>
      )
    }),
  ]
  return (
    <Dialog
      title={words('build:versions')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      className="publish"
      footer={
        <>
          {mayEdit && before && present !== DRAFT && (
            <Button
              onClick={() => {
                builder.edit(() => before)
                toast({
                  text: words('build:restored', { version: present }),
                  action: { label: words('frame:undo'), onPress: builder.undo },
                })
                onClose()
              }}
            >
              {words('build:restore', { version: present })}
            </Button>
          )}
          <Button look="primary" onClick={onClose}>
            {words('build:done')}
          </Button>
        </>
      }
    >
      {list.error ? (
        <Problem error={list.error} onRetry={() => void list.refetch()} />
      ) : list.isPending ? (
        <Skeleton label={words('frame:loading')} rows={3} />
      ) : versions.length === 0 ? (
        <p className="soft">{words('build:noVersions')}</p>
      ) : (
        <>
          <div className="pairs">
            <Labelled label={words('build:compareFrom')}>
              {(control) => (
                <select {...control} className="input" value={present} onChange={({ target }) => setFrom(target.value)}>
                  {options}
                </select>
              )}
            </Labelled>
            <Labelled label={words('build:compareTo')}>
              {(control) => (
                <select {...control} className="input" value={to} onChange={({ target }) => setTo(target.value)}>
                  {options}
                </select>
              )}
            </Labelled>
          </div>
          {before && after && changes.length > 0 ? (
            <Changes changes={changes} before={before} after={after} />
          ) : (
            <p className="faint">{words('build:noChanges')}</p>
          )}
        </>
      )}
    </Dialog>
  )
}
