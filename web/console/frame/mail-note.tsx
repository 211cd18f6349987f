import { useQuery } from '@tanstack/react-query'
import { Note } from '../../ui/parts.tsx'
import { answerOf, api } from '../session/api.ts'
import { useWords } from '../words/words.ts'

const A_DAY_MS = 86_400_000

/** Whether the mails of this server go nowhere but to its own files. False until it is known. */
export function useMailInFiles(): boolean {
  const { data } = useQuery({
    queryKey: ['system', 'mail'],
    queryFn: () => answerOf(api.GET('/v1/system')),
    select: ({ features }) => !features.email,
    // It changes with a restart of the server.
    staleTime: A_DAY_MS,
    retry: false,
  })
  return data ?? false
}

/** Says that a mail will not reach anybody, and what to do, where mails are sent. */
export function MailNote() {
  const words = useWords()
  if (!useMailInFiles()) return null
  return <Note tone="warn">{words('frame:mailInFiles', { setting: 'EMAIL_PROVIDER', page: 'docs/email.md' })}</Note>
}
