import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Labelled, NumberInput } from '../../../ui/form.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Skeleton } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { orgQuery } from '../../app/me.ts'
import { Problem } from '../../frame/failure.tsx'
import { surveyNamesQuery } from '../../list/names.ts'
import { answerOf, api, afterPause, issuesOf } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { LIGHT } from '../../../../src/platform/look/tokens.ts'
import type { Schemas } from '../../../api/client.ts'
import { METRICS } from '../../../../src/survey-engine/model/definition.ts'

type Badge = Schemas['Badge']

type Draft = Pick<Badge, 'name' | 'survey_id' | 'metric' | 'period_days' | 'min_n' | 'label' | 'style' | 'color'>

const STYLES: Array<Badge['style']> = ['flat', 'card']
const PLACED = ['name', 'label', 'period_days', 'min_n', 'color']

interface Props {
  badge: Badge | null
  mayManage: boolean
  /** The other acts on the badge. */
  menu: ReactNode
  onMade: (id: string) => void
  onClose: () => void
}

/** A badge with its picture as it changes, and the line that a site takes. */
export function BadgeForm({ badge, mayManage, menu, onMade, onClose }: Props) {
  const words = useWords()
  const client = useQueryClient()
  const surveys = useQuery(surveyNamesQuery)
  const org = useQuery(orgQuery)
  const [draft, setDraft] = useState<Partial<Draft>>(() => (badge ? draftOf(badge) : { style: 'flat' }))
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const usualColor = org.data && (org.data.branding?.color ?? LIGHT.accent)
  // A stored badge always has a colour. Until the box is pressed, it says whether it is that of the workspace.
  const [isPressed, setPressed] = useState<boolean | null>(null)
  const isOwnColor = isPressed ?? (usualColor !== undefined && isOther(draft.color, usualColor))
  const color = isOwnColor || usualColor === undefined ? draft.color : badge === null ? undefined : usualColor
  const scored = (surveys.data?.data ?? []).filter(({ id, metric }) => metric !== null || id === badge?.survey_id)
  const surveyId = draft.survey_id ?? scored[0]?.id
  const own = scored.find(({ id }) => id === surveyId)?.metric
  // A stored badge keeps its metric after the survey has got another: it may show the answers from before.
  const metrics = METRICS.filter((each) => each === own || (surveyId === badge?.survey_id && each === badge?.metric))
  const metric = metrics.find((each) => each === draft.metric) ?? metrics[0] ?? 'nps'
  const { name = '', label, period_days: days = 90, min_n: fewest = 5, style = 'flat' } = draft
  const body = {
    survey_id: surveyId ?? '',
    metric,
    style,
    period_days: days,
    min_n: fewest,
    ...(label !== undefined && label.trim() !== '' && { label: label.trim() }),
    ...(color !== undefined && { color }),
  }
  const save = useMutation({
    mutationFn: () =>
      answerOf(
        badge
          ? api.PATCH('/v1/badges/{id}', { params: { path: { id: badge.id } }, body: { ...body, name: name.trim() } })
          : api.POST('/v1/badges', { body: { ...body, name: name.trim() } }),
      ),
    onSuccess: ({ id, name: saved, color: kept }) => {
      void client.invalidateQueries({ queryKey: ['badges'] })
      change({ color: kept })
      setPressed(null)
      toast({ text: words('badges:saved', { name: saved }) })
      onMade(id)
    },
  })
  const { errorOf } = issuesOf(save.error)
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Preview body={body} isAsked={surveyId !== undefined && mayManage} badge={badge} />
      {badge && <Snippet badge={badge} />}
      {save.error && !PLACED.some(errorOf) && <Problem error={save.error} />}
      <fieldset className="form" disabled={!mayManage}>
        <Field
          label={words('list:fields.name')}
          hint={words('badges:nameHint')}
          value={name}
          maxLength={200}
          required
          error={errorOf('name')}
          onChange={({ target }) => change({ name: target.value })}
        />
        <Labelled label={words('list:fields.survey_id')}>
          {(control) => (
            <select
              {...control}
              className="input"
              value={surveyId ?? ''}
              onChange={({ target }) => change({ survey_id: target.value })}
            >
              {scored.map(({ id, name: survey }) => (
                <option key={id} value={id}>
                  {survey}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        <Choices
          label={words('list:fields.metric')}
          values={metrics}
          value={metric}
          nameOf={(each) => words(`list:values.${each}`)}
          onChange={(next) => change({ metric: next })}
        />
        <Choices
          label={words('badges:style')}
          values={STYLES}
          value={style}
          nameOf={(each) => words(`badges:styles.${each}`)}
          onChange={(next) => change({ style: next })}
        />
        <Field
          label={words('badges:label')}
          hint={words('badges:labelHint')}
          value={label ?? ''}
          maxLength={60}
          dir="auto"
          error={errorOf('label')}
          onChange={({ target }) => change({ label: target.value })}
        />
        <Labelled label={words('badges:days')} error={errorOf('period_days')}>
          {(control) => (
            <NumberInput
              {...control}
              min={1}
              max={3_650}
              value={days}
              onNumber={(period_days) => period_days !== null && change({ period_days })}
            />
          )}
        </Labelled>
        <Labelled label={words('badges:fewest')} hint={words('badges:fewestHint')} error={errorOf('min_n')}>
          {(control) => (
            <NumberInput
              {...control}
              min={1}
              value={fewest}
              onNumber={(min_n) => min_n !== null && change({ min_n })}
            />
          )}
        </Labelled>
        <label className="check">
          <input
            type="checkbox"
            checked={isOwnColor}
            onChange={({ target }) => {
              setPressed(target.checked)
              if (target.checked) change({ color: draft.color ?? usualColor ?? LIGHT.accent })
            }}
          />
          {words('badges:ownColor')}
        </label>
        {isOwnColor && (
          <Field
            label={words('badges:color')}
            hint={words('badges:colorHint')}
            type="color"
            value={draft.color ?? LIGHT.accent}
            error={errorOf('color')}
            onChange={({ target }) => change({ color: target.value })}
          />
        )}
      </fieldset>
      <p className="actions">
        {mayManage && (
          <Button type="submit" look="primary" isBusy={save.isPending}>
            {words('frame:save')}
          </Button>
        )}
        <Button onClick={onClose}>{words('frame:close')}</Button>
        {menu}
      </p>
    </form>
  )
}

function isOther(color: string | undefined, usual: string): boolean {
  return color !== undefined && color.toLowerCase() !== usual.toLowerCase()
}

function draftOf({ name, survey_id, metric, period_days, min_n, label, style, color }: Badge): Draft {
  return { name, survey_id, metric, period_days, min_n, label, style, color }
}

interface PreviewProps {
  body: Omit<Draft, 'name' | 'label' | 'color'>
  isAsked: boolean
  badge: Badge | null
}

/** The picture as a site would show it. */
function Preview({ body, isAsked, badge }: PreviewProps) {
  const words = useWords()
  const preview = useQuery({
    queryKey: ['badge-preview', body],
    queryFn: async ({ signal }) => {
      await afterPause(signal)
      return answerOf(api.POST('/v1/badges/preview', { body: { ...body, name: '–' } }))
    },
    placeholderData: (before) => before,
    retry: false,
    enabled: isAsked,
  })
  const alt = words('badges:pictureOf')
  return (
    <div className="badge-stage" role="status">
      {isAsked ? (
        preview.error ? (
          <Problem error={preview.error} />
        ) : preview.data ? (
          <>
            <img src={`data:image/svg+xml,${encodeURIComponent(preview.data.svg)}`} alt={alt} />
            <span className="faint">{`n ${formatNumber(preview.data.n)}`}</span>
          </>
        ) : (
          <Skeleton rows={1} label={words('frame:loading')} />
        )
      ) : (
        badge?.enabled && <img src={new URL(badge.svg_url, location.origin).pathname} alt={alt} />
      )}
    </div>
  )
}

function Snippet({ badge: { svg_url: url, label, style } }: { badge: Badge }) {
  const words = useWords()
  const snippet = `<img src="${url}" alt="${label.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"${style === 'flat' ? ' height="20"' : ''} />`
  return (
    <div className="field">
      <span className="strong">{words('badges:snippet')}</span>
      <pre className="code" tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {snippet}
      </pre>
      <span>
        <Button
          onClick={() => {
            void navigator.clipboard.writeText(snippet)
            toast({ text: words('frame:copied') })
          }}
        >
          <Icon name="copy" isSmall />
          {words('frame:copy')}
        </Button>
      </span>
    </div>
  )
}

interface ChoicesProps<Value extends string> {
  label: string
  values: Value[]
  value: Value
  nameOf: (value: Value) => string
  onChange: (value: Value) => void
}

function Choices<Value extends string>({ label, values, value, nameOf, onChange }: ChoicesProps<Value>) {
  return (
    <fieldset className="field">
      <legend className="label">{label}</legend>
      <div className="segmented" style={{ justifySelf: 'start' }}>
        {values.map((each) => (
          <button key={each} type="button" aria-pressed={each === value} onClick={() => onChange(each)}>
            {nameOf(each)}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
