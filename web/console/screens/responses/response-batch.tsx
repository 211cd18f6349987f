import { useState } from 'react'
import { Field } from '../../../ui/field.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { BatchBar, useBatch, type Chosen } from '../../list/batch-bar.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { chipsOf, isTest } from '../../list/filter/conditions.ts'
import { useWords } from '../../words/words.ts'

type Act = 'tag' | 'quarantine' | 'release' | 'delete'

/** Tags the chosen responses, puts them into quarantine or takes them out, or deletes them. */
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
  const { count, run, act } = batch
  const isHeld = chipsOf(chosen.filter).some(
    (chip) => isTest(chip) && chip.field === 'state' && [chip.value].flat().join() === 'quarantined',
  )
  const acts: Act[] = ['tag', isHeld ? 'release' : 'quarantine', 'delete']
  const begin = (asking: 'tag' | 'delete') => {
    run.reset()
    ask(asking)
  }
  return (
    <>
      <BatchBar batch={batch} chosen={chosen}>
        {acts.map((each) => (
          <button
            key={each}
            type="button"
            onClick={() => (each === 'tag' || each === 'delete' ? begin(each) : act(each))}
          >
            {words(`responses:acts.${each}`)}
          </button>
        ))}
      </BatchBar>
      {asked === 'tag' && count > 0 && (
        <Confirm
          title={words('responses:tagTitle', { count, n: formatNumber(count) })}
          verb={words('list:tag')}
          isDanger={false}
          act={{ ...run, mutate: () => tag.trim() !== '' && run.mutate('tag') }}
          onClose={() => ask(null)}
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
          title={words('responses:deleteTitle', { count })}
          typed={words('responses:deleteTyped', { count })}
          verb={words('frame:delete')}
          act={{ ...run, mutate: () => run.mutate('delete') }}
          onClose={() => ask(null)}
        >
          <p>{words('responses:deleteText')}</p>
        </Confirm>
      )}
    </>
  )
}
