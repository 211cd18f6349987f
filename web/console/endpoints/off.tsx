import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Note } from '../../ui/parts.tsx'
import { answerOf, api } from '../session/api.ts'
import { formatNumber } from '../words/format.ts'
import { useWords } from '../words/words.ts'

/** An endpoint that is off, and how many deliveries would wait for it. */
export interface Off {
  id: string
  name: string
  count: number
}

/** Says which endpoints are off, and that what is sent to them waits. */
export function OffNote({ off }: { off: Off[] }) {
  const words = useWords()
  if (off.length === 0) return null
  return (
    <Note tone="warn" icon="pause">
      {off.map(({ id, name, count }) => (
        <p key={id}>{words('endpoints:off.waits', { name, count, n: formatNumber(count) })}</p>
      ))}
    </Note>
  )
}

/** Turns endpoints on, and then does what waited for it. */
export function useTurnOn(off: Off[], then: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      for (const { id } of off)
        client.setQueryData(
          ['webhook', id],
          await answerOf(api.PATCH('/v1/webhooks/{id}', { params: { path: { id } }, body: { enabled: true } })),
        )
      await client.invalidateQueries({ queryKey: ['webhooks'] })
    },
    onSuccess: then,
  })
}
