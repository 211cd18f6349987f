import { lazy, Suspense, useState } from 'react'
import { Icon } from '../../../../ui/icon.tsx'
import { useWords } from '../../../words/words.ts'
import { useMayEdit } from '../use-builder.ts'

interface Props {
  id: string
  isFrozen: boolean
  isTaken: (id: string) => boolean
  onRename: (id: string) => void
}

const RenameQuestion = lazy(() => import('./rename-question.tsx').then((each) => ({ default: each.RenameQuestion })))

/** The name of a question in the API, in files and in rules. Once published it stays. */
export function QuestionId({ id, isFrozen, isTaken, onRename }: Props) {
  const words = useWords()
  const mayEdit = useMayEdit()
  const [isRenaming, setRenaming] = useState(false)
  if (isFrozen || !mayEdit)
    return (
      <span className="id faint" title={isFrozen ? words('build:frozen') : undefined}>
        <span className="mono">{id}</span>
        {isFrozen && (
          <>
            <Icon name="lock" isSmall />
            <span className="unseen">{words('build:frozen')}</span>
          </>
        )}
      </span>
    )
  return (
    <>
      <button
        type="button"
        className="id link"
        aria-label={words('build:idIs', { id })}
        onClick={() => setRenaming(true)}
      >
        <span className="mono">{id}</span>
      </button>
      {isRenaming && (
        <Suspense>
          <RenameQuestion id={id} isTaken={isTaken} onRename={onRename} onClose={() => setRenaming(false)} />
        </Suspense>
      )}
    </>
  )
}
