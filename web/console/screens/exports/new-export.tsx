import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Skeleton } from '../../../ui/parts.tsx'
import type { Filter } from '../../app/list-state.ts'
import { Problem } from '../../frame/failure.tsx'
import { Screen } from '../../frame/screen.tsx'
import { FilterBar } from '../../list/filter/filter-bar.tsx'
import { surveyNamesQuery } from '../../list/names.ts'
import { fieldName, useFields } from '../../list/filter/fields.ts'
import { answerOf, api, afterPause } from '../../session/api.ts'
import { countText, formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { entityOf, OF_SURVEYS, SOURCES, type Run, type Source } from './runs.ts'

const TemplateDialog = lazy(() =>
  import('./template-dialog.tsx').then(({ TemplateDialog }) => ({ default: TemplateDialog })),
)

const FORMATS: Array<Run['format']> = ['csv', 'xlsx', 'jsonl', 'parquet']
interface Order {
  source: Source
  survey_id: string | null
  filter: Filter | null
  format: Run['format']
  /** Null: all columns. */
  columns: Array<{ field: string }> | null
  options: { answers: 'wide' | 'long'; labels: 'ids' | 'text' }
}

/** Chooses rows, columns and a file, and shows ten rows of it before it is made. */
export function NewExport() {
  const words = useWords()
  const navigate = useNavigate()
  const asked = useSearch({ strict: false }) as { filter?: Filter; columns?: string[]; source?: Source }
  const [order, setOrder] = useState<Order>({
    source: asked.source ?? 'responses',
    survey_id: null,
    filter: asked.filter ?? null,
    format: 'csv',
    columns: asked.columns?.map((field) => ({ field })) ?? null,
    options: { answers: 'wide', labels: 'ids' },
  })
  const [isKeeping, setKeeping] = useState(false)
  const change = (part: Partial<Order>) => setOrder((before) => ({ ...before, ...part }))
  const preview = useQuery({
    queryKey: ['export-preview', order],
    queryFn: async ({ signal }) => {
      await afterPause(signal)
      return answerOf(api.POST('/v1/export-runs/preview', { body: order as never }))
    },
    placeholderData: (before) => before,
    retry: false,
  })
  const start = useMutation({
    mutationFn: () => answerOf(api.POST('/v1/export-runs', { body: order as never })),
    onSuccess: ({ id }) => void navigate({ to: '/app/exports/$runId', params: { runId: id } }),
  })
  const count = preview.data?.count
  return (
    <Screen
      title={words('exports:new')}
      above={{ to: '/app/exports', label: words('frame:screens.exports') }}
      end={
        <>
          <Button disabled={!preview.data} onClick={() => setKeeping(true)}>
            {words('exports:saveTemplate')}
          </Button>
          <Button look="primary" isBusy={start.isPending} disabled={!preview.data} onClick={() => start.mutate()}>
            {count
              ? words('exports:startRows', { count: count.n, rows: countText(count, words) })
              : words('exports:start')}
          </Button>
        </>
      }
    >
      <div className="new-export">
        <form className="form" onSubmit={(event) => event.preventDefault()}>
          {start.error && <Problem error={start.error} />}
          <Rows order={order} onChange={change} />
          <FileKind order={order} onChange={change} />
          <Columns order={order} onChange={change} />
        </form>
        <section className="preview">
          <div className="tools">
            <h2>{words('exports:firstRows')}</h2>
            <div className="end">{words('exports:oneSnapshot')}</div>
          </div>
          {preview.error ? (
            <div className="in">
              <Problem error={preview.error} onRetry={() => void preview.refetch()} />
            </div>
          ) : preview.data ? (
            <Preview columns={preview.data.columns} rows={preview.data.rows} />
          ) : (
            <Skeleton label={words('frame:loading')} />
          )}
        </section>
      </div>
      {isKeeping && (
        <Suspense>
          <TemplateDialog order={order} onClose={() => setKeeping(false)} />
        </Suspense>
      )}
    </Screen>
  )
}

interface Part {
  order: Order
  onChange: (part: Partial<Order>) => void
}

function Rows({ order, onChange }: Part) {
  const words = useWords()
  const surveys = useQuery(surveyNamesQuery)
  const fields = useFields(entityOf(order.source), order.survey_id ?? undefined)
  return (
    <>
      <div className="field">
        <label htmlFor="export-source">{words('exports:what')}</label>
        <select
          id="export-source"
          className="input"
          value={order.source}
          onChange={({ target }) =>
            onChange({ source: target.value as Source, survey_id: null, filter: null, columns: null })
          }
        >
          {SOURCES.map((source) => (
            <option key={source} value={source}>
              {words(`exports:sources.${source}`)}
            </option>
          ))}
        </select>
      </div>
      {OF_SURVEYS.includes(order.source) && (
        <div className="field">
          <label htmlFor="export-survey">{words('list:fields.survey_id')}</label>
          <select
            id="export-survey"
            className="input"
            value={order.survey_id ?? ''}
            onChange={({ target }) => onChange({ survey_id: target.value || null, columns: null })}
          >
            <option value="">{words('exports:allSurveys')}</option>
            {(surveys.data?.data ?? []).map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </div>
      )}
      <div className="field">
        <span className="label">{words('exports:which')}</span>
        <FilterBar
          fields={fields}
          filter={order.filter ?? undefined}
          onChange={(filter) => onChange({ filter: filter ?? null })}
        />
      </div>
    </>
  )
}

function FileKind({ order, onChange }: Part) {
  const words = useWords()
  const { options } = order
  return (
    <>
      <fieldset className="field">
        <legend className="label">{words('exports:file')}</legend>
        <div className="segmented" style={{ justifySelf: 'start' }}>
          {FORMATS.map((format) => (
            <button
              key={format}
              type="button"
              aria-pressed={order.format === format}
              onClick={() => onChange({ format })}
            >
              {words(`exports:formats.${format}`)}
            </button>
          ))}
        </div>
        {(order.format === 'csv' || order.format === 'xlsx') && (
          <span className="hint">{words('exports:guarded')}</span>
        )}
      </fieldset>
      {order.source === 'responses' && (
        <>
          <fieldset className="field">
            <legend className="label">{words('exports:answers')}</legend>
            <div className="segmented" style={{ justifySelf: 'start' }}>
              {(['wide', 'long'] as const).map((answers) => (
                <button
                  key={answers}
                  type="button"
                  aria-pressed={options.answers === answers}
                  onClick={() => onChange({ options: { ...options, answers }, columns: null })}
                >
                  {words(`exports:answersAs.${answers}`)}
                </button>
              ))}
            </div>
          </fieldset>
          <label className="check">
            <input
              type="checkbox"
              checked={options.labels === 'text'}
              onChange={({ target }) =>
                onChange({ options: { ...options, labels: target.checked ? 'text' : 'ids' }, columns: null })
              }
            />
            {words('exports:labels')}
          </label>
        </>
      )}
    </>
  )
}

/** All columns, or some of them in an order. */
function Columns({ order, onChange }: Part) {
  const words = useWords()
  const fields = useFields(order.source, order.survey_id ?? undefined).filter((field) => field.export)
  const chosen = order.columns?.map(({ field }) => field) ?? null
  const left = fields.filter(({ field }) => !chosen?.includes(field))
  const nameOf = (name: string) => {
    const known = fields.find(({ field }) => field === name)
    return known ? fieldName(known, words) : name
  }
  const set = (names: string[]) => onChange({ columns: names.length === 0 ? null : names.map((field) => ({ field })) })
  const move = (at: number, by: number) => {
    const names = [...(chosen ?? [])]
    const [name = ''] = names.splice(at, 1)
    names.splice(at + by, 0, name)
    set(names)
  }
  return (
    <div className="field columns">
      <span className="label">
        {words('exports:columns')}
        <span className="faint">
          {chosen === null
            ? words('exports:allColumns')
            : words('list:of', { matching: formatNumber(chosen.length), all: formatNumber(fields.length) })}
        </span>
      </span>
      {chosen !== null && (
        <ul>
          {chosen.map((name, at) => (
            <li key={name}>
              <span className="cut" title={name}>
                <bdi>{nameOf(name)}</bdi>
              </span>
              <Button
                look="quiet"
                size="square"
                aria-label={words('exports:up', { name: nameOf(name) })}
                disabled={at === 0}
                onClick={() => move(at, -1)}
              >
                <Icon name="arrow-up" isSmall />
              </Button>
              <Button
                look="quiet"
                size="square"
                aria-label={words('exports:down', { name: nameOf(name) })}
                disabled={at === chosen.length - 1}
                onClick={() => move(at, 1)}
              >
                <Icon name="arrow-down" isSmall />
              </Button>
              <Button
                look="quiet"
                size="square"
                aria-label={words('exports:takeOut', { name: nameOf(name) })}
                onClick={() => set(chosen.filter((each) => each !== name))}
              >
                <Icon name="x" isSmall />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <select
        className="input"
        aria-label={words('exports:addColumn')}
        value=""
        onChange={({ target }) => target.value !== '' && set([...(chosen ?? []), target.value])}
      >
        <option value="">{words(chosen === null ? 'exports:someColumns' : 'exports:addColumn')}</option>
        {left.map((field) => (
          <option key={field.field} value={field.field}>
            {fieldName(field, words)}
          </option>
        ))}
      </select>
    </div>
  )
}

function Preview({ columns, rows }: { columns: Array<{ field: string; header: string }>; rows: string[][] }) {
  const words = useWords()
  if (rows.length === 0) return <p className="in sub">{words('exports:noRows')}</p>
  return (
    <div tabIndex={0} role="region" aria-label={words('exports:firstRows')}>
      <table className="table keep">
        <thead>
          <tr>
            {columns.map(({ field, header }) => (
              <th key={field} className="nowrap">
                <bdi>{header}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, at) => (
            <tr key={at}>
              {cells.map((cell, place) => (
                <td key={columns[place]?.field} className="cut" dir="auto" title={cell}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
