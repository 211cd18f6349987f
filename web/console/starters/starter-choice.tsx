import { formatDuration } from '../words/format.ts'
import { useWords } from '../words/words.ts'
import { STARTERS, type StarterName } from './starters.ts'

/** The starters as cards, one of which is chosen. */
export function StarterChoice({ chosen, onChoose }: { chosen: StarterName; onChoose: (name: StarterName) => void }) {
  const words = useWords()
  return (
    <div className="starters" role="group" aria-label={words('starters:all')}>
      {STARTERS.map(({ name, questions, seconds }) => (
        <button
          key={name}
          type="button"
          className="starter"
          aria-pressed={name === chosen}
          onClick={() => onChoose(name)}
        >
          <b>{words(`starters:starter.${name}.title`)}</b>
          <span className="soft">{words(`starters:starter.${name}.text`)}</span>
          <span className="faint">
            {words('starters:questions', { count: questions })} · {formatDuration(seconds * 1000)}
          </span>
        </button>
      ))}
    </div>
  )
}
