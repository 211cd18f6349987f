import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Labelled, NumberInput } from '../../ui/form.tsx'
import type { Filter } from '../app/list-state.ts'
import { fieldName, useFields } from '../list/filter/fields.ts'
import { FilterBar } from '../list/filter/filter-bar.tsx'
import { surveyNamesQuery } from '../list/names.ts'
import { formatNumber } from '../words/format.ts'
import { useWords } from '../words/words.ts'
import type { Frame } from './answers.ts'
import { LivePicture } from './edited-widget.tsx'
import {
  choicesOf,
  fitting,
  GROUPS,
  INTERVALS,
  KINDS,
  measuresOf,
  sourcesOf,
  type Answer,
  type Kind,
  type Measure,
  type Query,
  type Source,
  type Widget,
} from './queries.ts'

const DAYS = [7, 30, 90, 365]
const MOST_ROWS = 100

interface Props {
  widget: Widget
  frame: Frame
  saved: Answer
  until: string | undefined
  onChange: (part: Partial<Widget>) => void
  onClose: () => void
  onRemove: () => void
}

/** A widget's question, with its picture as it changes. */
export function WidgetForm({ widget, frame, saved, until, onChange, onClose, onRemove }: Props) {
  const words = useWords()
  const form = useRef<HTMLFormElement>(null)
  const { kind, title, query } = widget
  const choices = choicesOf(kind)
  const sources = sourcesOf(kind)
  const measures = measuresOf(kind, query.source)
  const ask = (part: Partial<Query>) => onChange({ query: fitting(kind, { ...query, ...part } as Query) })
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  return (
    <form
      className="form"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        if (event.target === event.currentTarget) onClose()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.stopPropagation()
        onClose()
      }}
    >
      <section className="widget picture" aria-label={words('dashboards:picture')}>
        <h2 className="cut">
          <bdi>{title}</bdi>
        </h2>
        <div className="body">
          <LivePicture widget={widget} frame={frame} saved={saved} until={until} />
        </div>
      </section>
      <Labelled label={words('dashboards:title')}>
        {(control) => (
          <input
            {...control}
            className="input"
            value={title}
            maxLength={200}
            onChange={({ target }) => onChange({ title: target.value })}
          />
        )}
      </Labelled>
      <Choice
        label={words('dashboards:kind')}
        value={kind}
        onChange={(next) => onChange({ kind: next as Kind, query: fitting(next as Kind, query) })}
      >
        {(KINDS.includes(kind) ? KINDS : [kind, ...KINDS]).map((each) => (
          <option key={each} value={each}>
            {words(`dashboards:kinds.${each}`)}
          </option>
        ))}
      </Choice>
      {sources.length > 1 && (
        <Choice
          label={words('dashboards:source')}
          value={query.source}
          onChange={(source) => ask({ source: source as Source })}
        >
          {sources.map((each) => (
            <option key={each} value={each}>
              {words(`dashboards:sources.${each}`)}
            </option>
          ))}
        </Choice>
      )}
      {choices.measure && measures.length > 1 && (
        <Choice
          label={words('dashboards:measure')}
          value={query.measure}
          onChange={(measure) => ask({ measure: measure as Measure })}
        >
          {measures.map((each) => (
            <option key={each} value={each}>
              {words(`dashboards:measures.${each}`)}
            </option>
          ))}
        </Choice>
      )}
      <SurveyChoice query={query} onChange={ask} />
      {(choices.group || choices.interval) && <Split kind={kind} query={query} onChange={ask} />}
      {choices.compare && (
        <Choice
          label={words('dashboards:compare')}
          value={typeof query.compare === 'string' ? query.compare : query.compare ? 'filter' : ''}
          onChange={(compare) => {
            const { compare: _before, ...rest } = query
            onChange({
              query: fitting(kind, {
                ...rest,
                ...((compare === 'previous' || compare === 'year') && { compare }),
              }),
            })
          }}
        >
          <option value="">{words('dashboards:compares.none')}</option>
          <option value="previous">{words('dashboards:compares.previous')}</option>
          <option value="year">{words('dashboards:compares.year')}</option>
          {typeof query.compare === 'object' && <option value="filter">{words('dashboards:compares.filter')}</option>}
        </Choice>
      )}
      <OwnPeriod query={query} onChange={(next) => onChange({ query: next })} />
      {choices.limit && (
        <Labelled label={words('dashboards:limit')}>
          {(control) => (
            <NumberInput
              {...control}
              min={1}
              max={MOST_ROWS}
              value={query.limit ?? null}
              onNumber={(limit) =>
                limit !== null && limit >= 1 && limit <= MOST_ROWS && ask({ limit: Math.round(limit) })
              }
            />
          )}
        </Labelled>
      )}
      <Only query={query} onChange={(next) => onChange({ query: next })} />
      <p className="actions">
        <Button type="submit">{words('dashboards:done')}</Button>
        <Button look="danger" onClick={onRemove}>
          <Icon name="trash" isSmall />
          {words('frame:delete')}
        </Button>
      </p>
    </form>
  )
}

interface Part {
  query: Query
  onChange: (part: Partial<Query>) => void
}

function SurveyChoice({ query, onChange }: Part) {
  const words = useWords()
  const surveys = useQuery(surveyNamesQuery)
  const ids = query.survey_ids ?? []
  return (
    <Choice
      label={words('list:fields.survey_id')}
      value={ids.length > 1 ? 'several' : (ids[0] ?? '')}
      onChange={(id) => id !== 'several' && onChange({ survey_ids: id === '' ? [] : [id] })}
    >
      <option value="">{words('dashboards:allSurveys')}</option>
      {ids.length > 1 && (
        <option value="several">
          {words('dashboards:surveys', { count: ids.length, n: formatNumber(ids.length) })}
        </option>
      )}
      {(surveys.data?.data ?? []).map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Choice>
  )
}

const OVER_TIME = 'time'

/** The kind of the rows: groups, or intervals of time. */
function Split({ kind, query, onChange }: Part & { kind: Kind }) {
  const words = useWords()
  const choices = choicesOf(kind)
  const only = query.survey_ids?.length === 1 ? query.survey_ids[0] : undefined
  const fields = useFields('responses', only)
  const own = query.source === 'responses' ? fields.filter(({ field }) => /^(?:custom|answer)\./.test(field)) : []
  const [by] = query.by ?? []
  return (
    <>
      {choices.group && (
        <Choice
          label={words('dashboards:by')}
          value={query.interval && !by ? OVER_TIME : (by ?? '')}
          onChange={(next) => onChange(next === OVER_TIME ? { by: [], interval: 'week' } : { by: [next] })}
        >
          {choices.interval && <option value={OVER_TIME}>{words('dashboards:time')}</option>}
          {GROUPS[query.source].map((group) => (
            <option key={group} value={group}>
              {words(`dashboards:groups.${group}`)}
            </option>
          ))}
          {own.map((field) => (
            <option key={field.field} value={field.field}>
              {fieldName(field, words)}
            </option>
          ))}
          {by?.includes('.') && !own.some(({ field }) => field === by) && <option value={by}>{by}</option>}
        </Choice>
      )}
      {query.interval && (
        <Choice
          label={words('dashboards:interval')}
          value={query.interval}
          onChange={(interval) => onChange({ interval: interval as (typeof INTERVALS)[number] })}
        >
          {INTERVALS.map((each) => (
            <option key={each} value={each}>
              {words(`dashboards:intervals.${each}`)}
            </option>
          ))}
        </Choice>
      )}
    </>
  )
}

/** Another period than that of the dashboard. */
function OwnPeriod({ query, onChange }: { query: Query; onChange: (query: Query) => void }) {
  const words = useWords()
  const { period, ...rest } = query
  const days = period && 'days' in period ? period.days : null
  return (
    <Choice
      label={words('dashboards:period')}
      value={period === undefined ? '' : days === null ? 'own' : String(days)}
      onChange={(next) => next !== 'own' && onChange(next === '' ? rest : { ...rest, period: { days: Number(next) } })}
    >
      <option value="">{words('dashboards:asDashboard')}</option>
      {period && 'from' in period && (
        <option value="own">{`${period.from.slice(0, 10)} – ${period.to.slice(0, 10)}`}</option>
      )}
      {[...new Set([...DAYS, ...(days === null ? [] : [days])])]
        .toSorted((a, b) => a - b)
        .map((each) => (
          <option key={each} value={each}>
            {words('dashboards:lastDays', { count: each, n: formatNumber(each) })}
          </option>
        ))}
    </Choice>
  )
}

/** The rows that count. */
function Only({ query, onChange }: { query: Query; onChange: (query: Query) => void }) {
  const words = useWords()
  const only = query.survey_ids?.length === 1 ? query.survey_ids[0] : undefined
  const fields = useFields(query.source, only)
  const { filter, ...rest } = query
  return (
    <div className="field">
      <span className="strong">{words('dashboards:only')}</span>
      <FilterBar
        fields={fields}
        filter={filter as unknown as Filter}
        label={words('dashboards:only')}
        onChange={(next) => onChange(next ? { ...rest, filter: next as never } : rest)}
      />
    </div>
  )
}

function Choice({
  label,
  value,
  onChange,
  children,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  children: ReactNode
}) {
  return (
    <Labelled label={label}>
      {(control) => (
        <select {...control} className="input" value={value} onChange={({ target }) => onChange(target.value)}>
          {children}
        </select>
      )}
    </Labelled>
  )
}
