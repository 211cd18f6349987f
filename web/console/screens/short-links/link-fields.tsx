import { useQuery } from '@tanstack/react-query'
import { ApiProblem } from '../../../api/client.ts'
import { Field } from '../../../ui/field.tsx'
import { Labelled, NumberInput, Switch } from '../../../ui/form.tsx'
import { Problem } from '../../frame/failure.tsx'
import type { ShortUrl } from '../../links/short-urls.ts'
import { surveyNamesQuery } from '../../list/names.ts'
import { useWords } from '../../words/words.ts'

/** A short link as its form holds it. */
export interface Draft {
  /** Empty: `target`. */
  survey: string
  target: string
  slug: string
  /** A local date and time. Empty: it does not end. */
  until: string
  mostClicks: number | null
  keepsQuery: boolean
}

export const NEW: Draft = { survey: '', target: '', slug: '', until: '', mostClicks: null, keepsQuery: false }

export function draftOf(link: ShortUrl): Draft {
  return {
    survey: link.survey_id ?? '',
    target: link.survey_id === null ? link.target : '',
    slug: link.slug,
    until: link.expires_at === null ? '' : localOf(new Date(link.expires_at)),
    mostClicks: link.max_clicks,
    keepsQuery: link.forward_query,
  }
}

export function bodyOf({ survey, target, slug, until, mostClicks, keepsQuery }: Draft) {
  return {
    ...(survey === '' ? { target: target.trim() } : { survey_id: survey }),
    ...(slug.trim() !== '' && { slug: slug.trim() }),
    expires_at: until === '' ? null : new Date(until).toISOString(),
    max_clicks: mostClicks,
    forward_query: keepsQuery,
  }
}

/** As an input of a date and a time has it. */
function localOf(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

interface Props {
  draft: Draft
  error: Error | null
  onChange: (part: Partial<Draft>) => void
}

export function LinkFields({ draft, error, onChange }: Props) {
  const words = useWords()
  const surveys = useQuery(surveyNamesQuery)
  const issues = error instanceof ApiProblem ? error.issues : []
  const isTaken = error instanceof ApiProblem && error.code === 'slug_taken'
  const errorOf = (...paths: string[]) => issues.find(({ path }) => paths.includes(path))?.message
  const placed = ['target', 'survey_id', 'slug', 'expires_at', 'max_clicks']
  return (
    <>
      {error && !isTaken && !issues.some(({ path }) => placed.includes(path)) && <Problem error={error} />}
      <Labelled label={words('short-links:leadsTo')} error={errorOf('survey_id')}>
        {(control) => (
          <select
            {...control}
            className="input"
            value={draft.survey}
            onChange={({ target }) => onChange({ survey: target.value })}
          >
            <option value="">{words('short-links:anAddress')}</option>
            {(surveys.data?.data ?? []).map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      {draft.survey === '' && (
        <Field
          label={words('short-links:address')}
          type="url"
          dir="ltr"
          maxLength={2000}
          placeholder="https://"
          value={draft.target}
          error={errorOf('target')}
          onChange={({ target }) => onChange({ target: target.value })}
        />
      )}
      <Field
        label={words('short-links:slug')}
        hint={words('short-links:slugHint')}
        dir="ltr"
        maxLength={64}
        value={draft.slug}
        error={isTaken ? error.message : errorOf('slug')}
        onChange={({ target }) => onChange({ slug: target.value })}
      />
      <Field
        label={words('short-links:until')}
        hint={words('short-links:untilHint')}
        type="datetime-local"
        value={draft.until}
        error={errorOf('expires_at')}
        onChange={({ target }) => onChange({ until: target.value })}
      />
      <Labelled
        label={words('short-links:mostClicks')}
        hint={words('short-links:mostClicksHint')}
        error={errorOf('max_clicks')}
      >
        {(control) => (
          <NumberInput
            {...control}
            min={1}
            value={draft.mostClicks}
            onNumber={(mostClicks) => onChange({ mostClicks })}
          />
        )}
      </Labelled>
      <Switch
        label={words('short-links:keepsQuery')}
        isOn={draft.keepsQuery}
        onChange={(keepsQuery) => onChange({ keepsQuery })}
      />
    </>
  )
}
