import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Status } from '../../../ui/parts.tsx'
import { formatRate } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'

type Outcome = 'whole' | 'other' | 'unreadable'

/** Compares downloaded files with the digests of a manifest. The files stay on the device. */
export function CheckFiles({ digests }: { digests: string[] }) {
  const words = useWords()
  const [now, setNow] = useState<{ name: string; share: number } | null>(null)
  const [checked, setChecked] = useState<Array<{ name: string; outcome: Outcome }>>([])
  const check = useMutation({
    mutationFn: async (files: File[]) => {
      const { digestOf } = await import('./digest.ts')
      setChecked([])
      for (const file of files) {
        const { name } = file
        const outcome = await digestOf(file, (share) => setNow({ name, share })).then(
          (digest): Outcome => (digests.includes(digest) ? 'whole' : 'other'),
          (): Outcome => 'unreadable',
        )
        setChecked((before) => [...before, { name, outcome }])
      }
    },
    onSettled: () => setNow(null),
  })
  return (
    <div style={{ display: 'grid', gap: 8, marginBlockStart: 12 }}>
      <label className="field">
        <span className="label">{words('exports:checkHere')}</span>
        <input
          className="input"
          type="file"
          multiple
          disabled={check.isPending}
          onChange={({ target }) => check.mutate([...(target.files ?? [])])}
        />
        <span className="hint">{words('exports:checkHereHint')}</span>
      </label>
      <div role="status">
        <ul style={{ display: 'grid', gap: 4 }}>
          {checked.map(({ name, outcome }, at) => (
            <li key={at}>
              <Status tone={outcome === 'whole' ? 'ok' : 'bad'}>
                {words(`exports:outcomes.${outcome}`, { name })}
              </Status>
            </li>
          ))}
        </ul>
      </div>
      {now && (
        <p className="sub">
          {words('exports:checking', { name: now.name, share: formatRate(Math.round(now.share * 100)) })}
        </p>
      )}
    </div>
  )
}
