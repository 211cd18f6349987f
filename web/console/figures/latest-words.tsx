import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Score } from '../../ui/parts.tsx'
import { TimeAgo } from '../words/time-ago.tsx'
import { useWords } from '../words/words.ts'
import { marked } from './marked.ts'
import { topicName } from './topic-names.ts'

type Text = Schemas['ListedVerbatim']

interface Props {
  rows: Text[]
  /** Its words are marked in the texts. */
  search?: string | undefined
  /** Names of surveys, where texts of several stand together. */
  surveys?: ReadonlyMap<string, string>
  actsOf?: (text: Text) => ReactNode
}

/** Texts of people, each beside the score that they gave. */
export function SaidRows({ rows, search = '', surveys, actsOf }: Props) {
  const words = useWords()
  return (
    <ul className="rows">
      {rows.map((row, at) => {
        const { response_id, question_id, text, language, score, band, completed_at, topics } = row
        const survey = surveys?.get(row.survey_id)
        const said = marked(text, search).map(({ text: part, isFound }, place) =>
          isFound ? <mark key={place}>{part}</mark> : part,
        )
        return (
          <li key={`${response_id ?? at} ${question_id}`}>
            {score !== null && (
              <Score value={score} band={band} label={band === null ? '' : words(`figures:bands.${band}`)} />
            )}
            <div className="grow">
              <blockquote className="words" dir="auto" lang={language}>
                {response_id === null ? (
                  said
                ) : (
                  <Link to="/app/responses/$responseId" params={{ responseId: response_id }}>
                    {said}
                  </Link>
                )}
              </blockquote>
              <p className="meta">
                {survey !== undefined && (
                  <span>
                    <bdi>{survey}</bdi>
                  </span>
                )}
                {completed_at !== null && <TimeAgo at={completed_at} />}
                {topics.slice(0, 3).map(({ topic_id, name }) => (
                  <span key={topic_id}>
                    <bdi>{topicName(name, words)}</bdi>
                  </span>
                ))}
              </p>
            </div>
            {actsOf?.(row)}
          </li>
        )
      })}
    </ul>
  )
}
