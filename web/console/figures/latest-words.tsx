import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { Score } from '../../ui/parts.tsx'
import { TimeAgo } from '../words/time-ago.tsx'
import { useWords } from '../words/words.ts'

/** What people wrote, each beside the score that they gave. */
export function SaidRows({ rows }: { rows: Schemas['ListedVerbatim'][] }) {
  const words = useWords()
  return (
    <ul className="rows">
      {rows.map(({ response_id, question_id, text, language, score, band, completed_at, topics }, at) => (
        <li key={`${response_id ?? at} ${question_id}`}>
          {score !== null && (
            <Score value={score} band={band} label={band === null ? '' : words(`list:values.${band}`)} />
          )}
          <div className="grow">
            <blockquote className="words" dir="auto" lang={language}>
              {response_id === null ? (
                text
              ) : (
                <Link to="/app/responses/$responseId" params={{ responseId: response_id }}>
                  {text}
                </Link>
              )}
            </blockquote>
            <p className="meta">
              {completed_at !== null && <TimeAgo at={completed_at} />}
              {topics.slice(0, 3).map(({ topic_id, name }) => (
                <bdi key={topic_id}>{name}</bdi>
              ))}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}
