import { useState } from 'react'
import { Field } from '../../../ui/field.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { BatchBar, useBatch, type Chosen } from '../../list/batch-bar.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'

type Act = 'tag' | 'quarantine' | 'release' | 'delete'
const ACTS: Act[] = ['tag', 'quarantine', 'delete']

/** Tags the chosen responses, puts them into quarantine, or deletes them. */
export function ResponseBatch(chosen: Chosen) {
  const words = useWords()
  const [asked, ask] = useState<Act | null>(null)
  const [tag, setTag] = useState('')
  const batch = useBatch<Act>(chosen, {
    list: 'responses',
    send: (rows, act) => {
      const what = act === 'tag' ? { add_tags: [tag.trim()] } : { [act]: true }
      return answerOf(api.POST('/v1/responses/batch', { body: { ...rows, do: what } as never }))
    },
    say: (act, changed) => {
      ask(null)
      setTag('')
      return words(`responses:done.${act}`, { count: changed })
    },
    undoes: (act) => act !== 'delete',
  })
  const { count, run } = batch
  const asking = { isBusy: run.isPending, error: run.error, onClose: () => ask(null) }
  return (
    <>
      <BatchBar batch={batch} chosen={chosen}>
        {ACTS.map((act) => (
          <button key={act} type="button" onClick={() => (act === 'quarantine' ? run.mutate(act) : ask(act))}>
            {words(`responses:acts.${act}`)}
          </button>
        ))}
      </BatchBar>
      {asked === 'tag' && count > 0 && (
        <Confirm
          {...asking}
          title={words('responses:tagTitle', { count, n: formatNumber(count) })}
          verb={words('list:tag')}
          isDanger={false}
          onConfirm={() => {
            if (tag.trim() !== '') run.mutate('tag')
          }}
        >
          <Field
            label={words('responses:tagName')}
            value={tag}
            maxLength={64}
            required
            autoFocus
            onChange={({ target }) => setTag(target.value)}
          />
        </Confirm>
      )}
      {asked === 'delete' && count > 0 && (
        <Confirm
          {...asking}
          title={words('responses:deleteTitle', { count })}
          typed={words('responses:deleteTyped', { count })}
          verb={words('frame:delete')}
          onConfirm={() => run.mutate('delete')}
        >
          <p>{words('responses:deleteText')}</p>
        </Confirm>
      )}
    </>
  )
}
