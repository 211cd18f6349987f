import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Papa from 'papaparse'
import { useId, useState, type ChangeEvent } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Note, Status } from '../../../ui/parts.tsx'
import { saveFile, answerOf, api } from '../../session/api.ts'
import { Problem } from '../../frame/failure.tsx'
import { Screen } from '../../frame/screen.tsx'
import { useFields } from '../../list/filter/fields.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { guessTargets, nameFaults, peopleOf, proposeNames, TARGETS, type Target } from './mapping.ts'

type Result = Schemas['PeopleImport']

const MOST_ROWS = 20_000
const SHOWN = 3

interface Sheet {
  name: string
  columns: string[]
  rows: string[][]
}

/** A file, its columns, what will happen, and what happened. */
export function ImportPeople() {
  const words = useWords()
  const client = useQueryClient()
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const [targets, setTargets] = useState<Target[]>([])
  const [names, setNames] = useState<string[]>([])
  const attributes = useFields('people').flatMap(({ field }) => /^attribute\.(.+)/.exec(field)?.[1] ?? [])
  const send = (dry_run: boolean) => {
    const rows = peopleOf(targets, names, sheet?.rows ?? [])
    return answerOf(api.POST('/v1/people/import', { body: { rows, dry_run } as never }))
  }
  const trial = useMutation({ mutationFn: () => send(true) })
  const run = useMutation({
    mutationFn: () => send(false),
    onSuccess: () => client.invalidateQueries({ queryKey: ['people'] }),
  })
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0]
    if (!file) return
    trial.reset()
    run.reset()
    Papa.parse<string[]>(file, {
      skipEmptyLines: 'greedy',
      complete: ({ data }) => {
        const [columns = [], ...rows] = data
        setSheet({ name: file.name, columns, rows })
        setTargets(guessTargets(columns))
        setNames(proposeNames(columns, attributes))
      },
    })
  }
  const change = (at: number, next: Target) => {
    trial.reset()
    setTargets(targets.with(at, next))
  }
  const rename = (at: number, next: string) => {
    trial.reset()
    setNames(names.with(at, next))
  }
  const faults = nameFaults(targets, names)
  const isTooLong = sheet !== null && sheet.rows.length > MOST_ROWS
  const failed = run.error ?? trial.error
  return (
    <Screen title={words('people:import')} above={{ to: '/app/people', label: words('frame:screens.people') }}>
      <div
        className="in"
        style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 20, alignContent: 'start' }}
      >
        <p className="lede" role="status">
          {run.data
            ? words('people:lede.done', figuresOf(run.data))
            : trial.data
              ? words('people:lede.trial', figuresOf(trial.data))
              : sheet
                ? words('people:lede.columns', { count: sheet.rows.length, n: formatNumber(sheet.rows.length) })
                : words('people:lede.file')}
        </p>
        {run.data ? (
          <p>
            <Link className="button primary" to="/app/people">
              {words('people:toList')}
            </Link>
          </p>
        ) : (
          <>
            <label className="field">
              <span className="label">{words('people:file')}</span>
              <input className="input" type="file" accept=".csv,text/csv,text/plain" onChange={choose} />
              <span className="hint">{words('people:fileHint')}</span>
            </label>
            {isTooLong && <Note tone="bad">{words('people:tooLong', { most: formatNumber(MOST_ROWS) })}</Note>}
            {failed && <Problem error={failed} />}
            {sheet && !isTooLong && (
              <Columns
                sheet={sheet}
                targets={targets}
                names={names}
                faults={faults}
                onChange={change}
                onRename={rename}
              />
            )}
            {sheet && !isTooLong && (
              <div className="filters">
                {trial.data ? (
                  <Button
                    look="primary"
                    isBusy={run.isPending}
                    busyText={words('people:importing')}
                    onClick={() => run.mutate()}
                  >
                    {words('people:start', {
                      count: trial.data.created + trial.data.updated,
                      n: formatNumber(trial.data.created + trial.data.updated),
                    })}
                  </Button>
                ) : (
                  <Button
                    look="primary"
                    isBusy={trial.isPending}
                    disabled={faults.size > 0}
                    busyText={words('people:trying')}
                    onClick={() => trial.mutate()}
                  >
                    {words('people:try')}
                  </Button>
                )}
              </div>
            )}
          </>
        )}
        {(run.data ?? trial.data) && sheet && <Rejected result={(run.data ?? trial.data) as Result} sheet={sheet} />}
      </div>
    </Screen>
  )
}

function figuresOf({ created, updated, rejected }: Result) {
  return {
    created: formatNumber(created),
    updated: formatNumber(updated),
    rejected: formatNumber(rejected.length),
  }
}

interface ColumnsProps {
  sheet: Sheet
  targets: Target[]
  names: string[]
  faults: ReturnType<typeof nameFaults>
  onChange: (at: number, target: Target) => void
  onRename: (at: number, name: string) => void
}

/** Each column with its first values, and the field that it becomes. */
function Columns({ sheet, targets, names, faults, onChange, onRename }: ColumnsProps) {
  const words = useWords()
  return (
    <table className="table tall" aria-label={words('people:columns')}>
      <thead>
        <tr>
          <th>{words('people:column')}</th>
          <th className="wide">{words('people:values')}</th>
          <th>{words('people:becomes')}</th>
        </tr>
      </thead>
      <tbody>
        {sheet.columns.map((column, at) => (
          <tr key={at}>
            <td className="first strong cut">
              <bdi>{column}</bdi>
            </td>
            <td className="soft cut wide">
              <bdi>
                {sheet.rows
                  .slice(0, SHOWN)
                  .map((cells) => cells[at] ?? '')
                  .filter((text) => text !== '')
                  .join(' · ')}
              </bdi>
            </td>
            <td style={{ paddingBlock: 8 }}>
              <select
                className="input"
                aria-label={words('people:becomesOf', { column })}
                value={targets[at]}
                onChange={({ target }) => onChange(at, target.value as Target)}
              >
                {TARGETS.map((target) => (
                  <option key={target} value={target}>
                    {words(`people:targets.${target}`)}
                  </option>
                ))}
              </select>
              {targets[at] === 'attribute' && (
                <AttributeName
                  column={column}
                  name={names[at] ?? ''}
                  fault={faults.get(at)}
                  onRename={(name) => onRename(at, name)}
                />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface AttributeNameProps {
  column: string
  name: string
  fault: 'form' | 'twice' | undefined
  onRename: (name: string) => void
}

function AttributeName({ column, name, fault, onRename }: AttributeNameProps) {
  const words = useWords()
  const id = useId()
  return (
    <div className="field" style={{ marginBlockStart: 6 }}>
      <input
        className="input"
        dir="ltr"
        aria-label={words('people:attributeOf', { column })}
        aria-invalid={fault !== undefined}
        aria-describedby={fault && id}
        maxLength={64}
        value={name}
        onChange={({ target }) => onRename(target.value)}
      />
      {fault && (
        <span id={id} className="error">
          <Icon name="circle-alert" isSmall />
          {words(`people:nameFaults.${fault}`)}
        </span>
      )}
    </div>
  )
}

const MOST_SHOWN = 20

function Rejected({ result, sheet }: { result: Result; sheet: Sheet }) {
  const words = useWords()
  const { rejected } = result
  if (rejected.length === 0) return <Status tone="ok">{words('people:noneRejected')}</Status>
  const save = () => {
    const rows = rejected.map(({ index, reason }) => [...(sheet.rows[index] ?? []), reason])
    const text = Papa.unparse({ fields: [...sheet.columns, 'reason'], data: rows }, { escapeFormulae: true })
    saveFile(`rejected-${sheet.name}`, new Blob([text], { type: 'text/csv' }))
  }
  return (
    <section className="section">
      <header>
        <h2>{words('people:rejected', { count: rejected.length, n: formatNumber(rejected.length) })}</h2>
        <div className="end">
          <Button look="quiet" onClick={save}>
            <Icon name="download" isSmall />
            {words('people:saveRejected')}
          </Button>
        </div>
      </header>
      <ul>
        {rejected.slice(0, MOST_SHOWN).map(({ index, reason }) => (
          <li key={index} className="cut" style={{ minHeight: 28 }}>
            <b className="strong">{words('people:line', { n: formatNumber(index + 2) })}</b>{' '}
            {words(`people:reasons.${reason}`)} <bdi className="faint">{(sheet.rows[index] ?? []).join(' · ')}</bdi>
          </li>
        ))}
      </ul>
    </section>
  )
}
