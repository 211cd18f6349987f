import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Score, Status, Tag } from '../../ui/parts.tsx'
import type { Tone } from '../../ui/status-tones.ts'
import { formatDuration, formatLanguage } from '../words/format.ts'
import { TimeAgo } from '../words/time-ago.tsx'
import { useLanguage, useWords, type Words } from '../words/words.ts'
import { surveyNamesQuery } from './names.ts'
import { PersonName } from './person-name.tsx'
import type { Column } from './table.tsx'

type Response = Schemas['Response']

export const STATE_TONES: Record<Response['state'], Tone> = {
  started: 'running',
  partial: 'running',
  completed: 'ok',
  screened_out: 'plain',
  over_quota: 'plain',
  quarantined: 'warn',
  deleted: 'plain',
}

export function bandName(band: string | null, words: Words): string {
  return band === null ? '' : words(`list:values.${band}`)
}

/** The first text that a person wrote, or null. */
export function firstWords({ text }: Response): string | null {
  for (const { value } of text) {
    const written = typeof value === 'string' ? value : Object.values(value as Record<string, unknown>).join(', ')
    if (written.trim() !== '') return written
  }
  return null
}

/** The columns that a list of responses can have. */
export function useResponseColumns(): Column<Response>[] {
  const words = useWords()
  const language = useLanguage()
  const { data } = useQuery(surveyNamesQuery)
  return useMemo(
    () => columnsOf(words, new Map((data?.data ?? []).map(({ id, name }) => [id, name]))),
    [language, data],
  )
}

function columnsOf(words: Words, names: ReadonlyMap<string, string>): Column<Response>[] {
  return [
    {
      id: 'score',
      copy: ({ score }) => score?.value,
      label: words('list:fields.score'),
      width: '64px',
      sort: 'score',
      className: 'first',
      render: ({ score }) =>
        score ? (
          <Score value={score.value} band={score.band} label={bandName(score.band, words)} />
        ) : (
          <span className="faint">–</span>
        ),
    },
    {
      id: 'text',
      copy: firstWords,
      label: words('list:fields.text'),
      className: 'said',
      render: (response) => {
        const said = firstWords(response)
        return (
          <a className="cut" style={{ display: 'block' }} href={`/app/responses/${response.id}`} onClick={open}>
            {said === null ? (
              <span className="faint">{words('list:noWords')}</span>
            ) : (
              <bdi lang={response.language}>{said}</bdi>
            )}
          </a>
        )
      },
    },
    {
      id: 'person_id',
      label: words('list:fields.person_id'),
      className: 'nowrap wide',
      render: ({ person_id }) => <PersonName id={person_id} none={words('list:noPerson')} />,
    },
    {
      id: 'survey_id',
      copy: ({ survey_id }) => names.get(survey_id) ?? survey_id,
      label: words('list:fields.survey_id'),
      className: 'nowrap who',
      render: ({ survey_id }) => <bdi className="faint">{names.get(survey_id) ?? survey_id}</bdi>,
    },
    {
      id: 'state',
      label: words('list:fields.state'),
      className: 'wide',
      render: ({ state }) => <Status tone={STATE_TONES[state]}>{words(`list:values.${state}`)}</Status>,
    },
    {
      id: 'channel',
      label: words('list:fields.channel'),
      className: 'faint nowrap wide',
      render: ({ channel }) => words(`list:values.${channel}`),
    },
    {
      id: 'language',
      label: words('list:fields.language'),
      className: 'faint nowrap wide',
      render: ({ language }) => formatLanguage(language),
    },
    {
      id: 'tags',
      label: words('list:fields.tag'),
      className: 'wide',
      render: ({ tags }) => (
        <span className="some-tags">
          {tags.slice(0, 3).map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
        </span>
      ),
    },
    {
      id: 'duration_ms',
      label: words('list:fields.duration_ms'),
      sort: 'duration_ms',
      isAtEnd: true,
      className: 'faint nowrap wide',
      render: ({ duration_ms }) => (duration_ms === null ? '–' : formatDuration(duration_ms)),
    },
    {
      id: 'started_at',
      label: words('list:fields.started_at'),
      sort: 'started_at',
      isAtEnd: true,
      className: 'faint nowrap when',
      render: ({ started_at }) => <TimeAgo at={started_at} />,
    },
  ]
}

// The row opens it without loading the page again. A middle click opens a tab.
function open(event: React.MouseEvent<HTMLAnchorElement>): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  event.currentTarget.closest('tr')?.click()
}
