import { Popover } from '@base-ui/react/popover'
import { useQuery } from '@tanstack/react-query'
import { useId, useState, type FormEvent, type RefObject } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { answerOf, api, afterPause } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'
import type { Filter } from '../../app/list-state.ts'
import {
  lacksOpposite,
  needsValue,
  offeredOp,
  offeredOps,
  readValue,
  takesMany,
  testOf,
  textsOf,
  writtenOp,
} from './conditions.ts'
import { fieldName, useValueName, type Field } from './fields.ts'
import { useNames } from '../names.ts'
import { reasonOf } from '../../frame/failure.tsx'
import { usePeopleFields, useSegmentOf } from './people-fields.ts'

interface Props {
  fields: Field[]
  /** The condition to change. Undefined for another one. */
  chip: Filter | undefined
  hasPeople: boolean
  anchor: RefObject<HTMLElement | null>
  onClose: () => void
  onChoose: (chip: Filter) => void
}

/** Chooses a field, an operator and a value. */
export function FilterEditor({ fields, chip, hasPeople, anchor, onClose, onChoose }: Props) {
  const words = useWords()
  const id = useId()
  const own = fields.filter(({ ops }) => ops.length > 0)
  const people = usePeopleFields(hasPeople)
  const usable = [...own, ...people]
  const segment = useSegmentOf()
  const before = chip && testOf(chip)
  const test = before?.test
  const [isNot, setNot] = useState(before?.isNot ?? false)
  const [name, setName] = useState(test?.field ?? '')
  const field = usable.find((each) => each.field === name)
  const [op, setOp] = useState(test?.op ?? '')
  const [texts, setTexts] = useState(test ? textsOf(test) : [])
  const [isWrong, setWrong] = useState(false)
  const ops: readonly string[] = field?.ops ?? []
  const present = ops.includes(op) ? offeredOp(op, ops) : (offeredOps(ops)[0] ?? '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form around the filter bar is not sent by this one.
    event.stopPropagation()
    if (!field) return
    const given = takesMany(present, ops) ? texts.filter((text) => text.trim() !== '') : texts
    const written = writtenOp(present, ops, given.length)
    const value = readValue(field.type, written, given)
    if (value === null) return setWrong(true)
    const chosen = { field: field.field, op: written, ...(value !== undefined && { value }) }
    const condition = isNot && lacksOpposite(present) ? { not: chosen } : chosen
    if (people.includes(field)) segment.mutate(condition, { onSuccess: onChoose })
    else onChoose(condition)
  }
  return (
    <Popover.Root open onOpenChange={onClose}>
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} sideOffset={4} align="start" style={{ zIndex: 45 }}>
          <Popover.Popup className="menu" aria-label={words('list:filter')} style={{ padding: 12, width: 300 }}>
            <form className="form" onSubmit={submit}>
              <div className="field">
                <label htmlFor={`${id}-field`}>{words('list:field')}</label>
                <select
                  id={`${id}-field`}
                  className="input"
                  value={name}
                  onChange={({ target }) => {
                    setName(target.value)
                    setTexts([])
                    setWrong(false)
                  }}
                >
                  <option value="" disabled>
                    {words('list:choose')}
                  </option>
                  <FieldOptions fields={own} />
                  {people.length > 0 && (
                    <optgroup label={words('list:people')}>
                      <FieldOptions fields={people} />
                    </optgroup>
                  )}
                </select>
              </div>
              {field && (
                <>
                  <div className="field">
                    <label htmlFor={`${id}-op`}>{words('list:operator')}</label>
                    <select
                      id={`${id}-op`}
                      className="input"
                      value={present}
                      onChange={({ target }) => {
                        setOp(target.value)
                        // An operator with one value keeps the first.
                        if (!takesMany(target.value, ops) && target.value !== 'between') setTexts(texts.slice(0, 1))
                      }}
                    >
                      {offeredOps(ops).map((each) => (
                        <option key={each} value={each}>
                          {words(`list:ops.${each}`)}
                        </option>
                      ))}
                    </select>
                  </div>
                  {needsValue(present) && (
                    <Values key={field.field} field={field} op={present} texts={texts} onChange={setTexts} />
                  )}
                </>
              )}
              {field && lacksOpposite(present) && (
                <label className="check">
                  <input type="checkbox" checked={isNot} onChange={({ target }) => setNot(target.checked)} />
                  {words('list:opposite')}
                </label>
              )}
              {isWrong && (
                <p className="error" role="alert" style={{ color: 'var(--bad)' }}>
                  {words('list:wrongValue')}
                </p>
              )}
              {field && people.includes(field) && <p className="faint">{words('list:becomesSegment')}</p>}
              {segment.error && (
                <p className="error" role="alert" style={{ color: 'var(--bad)' }}>
                  {reasonOf(segment.error, words)}
                </p>
              )}
              <div className="actions">
                <Button type="submit" look="primary" disabled={!field} isBusy={segment.isPending}>
                  {words('list:apply')}
                </Button>
                <Button look="quiet" onClick={onClose}>
                  {words('frame:cancel')}
                </Button>
              </div>
            </form>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

function FieldOptions({ fields }: { fields: Field[] }) {
  const words = useWords()
  return fields.map((each) => (
    <option key={each.field} value={each.field}>
      {fieldName(each, words)}
    </option>
  ))
}

interface ValuesProps {
  field: Field
  op: string
  texts: string[]
  onChange: (texts: string[]) => void
}

function Values({ field, op, texts, onChange }: ValuesProps) {
  const words = useWords()
  const id = useId()
  const valueName = useValueName()
  const names = useNames(field.refers)
  const choices =
    field.values?.map(({ value }) => value) ?? (field.type === 'boolean' ? ['true', 'false'] : [...names.keys()])
  if (choices.length > 0) {
    const isMany = takesMany(op, field.ops)
    const toggle = (value: string) =>
      onChange(!isMany ? [value] : texts.includes(value) ? texts.filter((each) => each !== value) : [...texts, value])
    return (
      <fieldset style={{ border: 0, margin: 0, padding: 0, maxHeight: 200, overflowY: 'auto' }}>
        <legend className="strong">{words('list:value')}</legend>
        {choices.map((value) => (
          <label key={value} className="check">
            <input
              type={isMany ? 'checkbox' : 'radio'}
              name={id}
              checked={texts.includes(value)}
              onChange={() => toggle(value)}
            />
            <bdi>{names.get(value) ?? valueName(field, value)}</bdi>
          </label>
        ))}
      </fieldset>
    )
  }
  const isMany = takesMany(op, field.ops)
  const type = op === 'within_days' || field.type === 'number' ? 'number' : field.type === 'date' ? 'date' : 'text'
  const count = op === 'between' ? 2 : isMany ? Math.max(1, texts.length) : 1
  const inputs = Array.from({ length: count }, (_, at) => at)
  return (
    <div className="field">
      <label htmlFor={`${id}-0`}>{words(op === 'within_days' ? 'list:days' : 'list:value')}</label>
      {inputs.map((at) => (
        <input
          key={at}
          id={`${id}-${at}`}
          className="input"
          type={type}
          step="any"
          aria-label={at === 0 ? undefined : words(isMany ? 'list:orValue' : 'list:to')}
          list={field.suggests ? `${id}-values` : undefined}
          value={texts[at] ?? ''}
          onChange={({ target }) => onChange(inputs.map((each) => (each === at ? target.value : (texts[each] ?? ''))))}
        />
      ))}
      {isMany && (
        <div>
          <Button look="quiet" onClick={() => onChange([...inputs.map((each) => texts[each] ?? ''), ''])}>
            <Icon name="plus" isSmall />
            {words('list:another')}
          </Button>
        </div>
      )}
      {field.suggests && <Suggestions id={`${id}-values`} field={field} prefix={texts.at(-1) ?? ''} />}
    </div>
  )
}

function Suggestions({ id, field, prefix }: { id: string; field: Field; prefix: string }) {
  const valueName = useValueName()
  const { data } = useQuery({
    queryKey: ['values', field.entity, field.surveyId ?? null, field.field, prefix],
    queryFn: async ({ signal }) => {
      if (prefix !== '') await afterPause(signal)
      const { entity, surveyId, field: name } = field
      const query = { entity, field: name, ...(surveyId && { survey_id: surveyId }), ...(prefix !== '' && { prefix }) }
      return answerOf(api.GET('/v1/values', { params: { query } }))
    },
    staleTime: 60_000,
  })
  return (
    <datalist id={id}>
      {(data?.data ?? []).map(({ value, label }) => (
        <option key={value} value={value} label={label ?? valueName(field, value)} />
      ))}
    </datalist>
  )
}
