import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../app/me.ts'
import { NotAllowed, Problem } from '../../frame/failure.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { Screen } from '../../frame/screen.tsx'
import { answerOf, api, afterPause } from '../../session/api.ts'
import { formatMoment, formatNumber } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import { DETRACTORS } from './rule-means.ts'
import { RuleForm, type Draft, type Trigger } from './rule-form.tsx'

type Shown = Schemas['AlertRule']

const DAYS = 30
const DAY_MS = 86_400_000

// A score alone means another thing on each scale, so the metric is chosen too.
const UNHAPPY: Draft = {
  name: '',
  enabled: true,
  survey_ids: [],
  trigger: { on: 'response', filter: DETRACTORS },
  priority: 'normal',
  owner_id: null,
  due_in_minutes: 2_880,
  business_hours: false,
  escalate_after_minutes: null,
  escalate_to: null,
  notify: { email: [], owner: true },
}

/** A rule to change, or another one. */
export function Rule() {
  const words = useWords()
  const { ruleId = '' } = useParams({ strict: false })
  const isNew = ruleId === 'new'
  const mayManage = useMay('alerts.manage')
  const rule = useQuery({
    queryKey: ['alert-rule', ruleId],
    queryFn: () => answerOf(api.GET('/v1/alert-rules/{id}', { params: { path: { id: ruleId } } })),
    enabled: !isNew && mayManage,
  })
  if (mayManage && isNew) return <Edited id={null} before={UNHAPPY} />
  if (mayManage && rule.data) return <Edited key={ruleId} id={ruleId} before={draftOf(rule.data)} />
  return (
    <Screen title={words('alerts:rule')} above={{ to: '/app/alerts/rules', label: words('alerts:rules') }}>
      {!mayManage ? (
        <NotAllowed permission="alerts.manage" />
      ) : rule.error ? (
        <div className="in">
          <Problem error={rule.error} onRetry={() => void rule.refetch()} />
        </div>
      ) : (
        <Skeleton label={words('frame:loading')} />
      )}
    </Screen>
  )
}

function draftOf({ id: _id, created_at: _created, updated_at: _updated, trigger, ...rule }: Shown): Draft {
  return { ...rule, trigger: trigger as unknown as Trigger }
}

function Edited({ id, before }: { id: string | null; before: Draft }) {
  const words = useWords()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [draft, setDraft] = useState(before)
  const [isDeleting, setDeleting] = useState(false)
  const leave = (text: string) => {
    toast({ text })
    void client.invalidateQueries({ queryKey: ['alert-rules'] })
    void client.invalidateQueries({ queryKey: ['alert-rule'] })
    void navigate({ to: '/app/alerts/rules' })
  }
  const save = useMutation({
    mutationFn: () =>
      answerOf(
        id === null
          ? api.POST('/v1/alert-rules', { body: draft as never })
          : api.PATCH('/v1/alert-rules/{id}', { params: { path: { id } }, body: draft as never }),
      ),
    onSuccess: ({ name }) => leave(words('alerts:saved', { name })),
  })
  const remove = useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/alert-rules/{id}', { params: { path: { id: id ?? '' } } })),
    onSuccess: () => leave(words('alerts:deleted', { name: before.name })),
  })
  return (
    <Screen
      title={id === null ? words('alerts:newRule') : before.name}
      above={{ to: '/app/alerts/rules', label: words('alerts:rules') }}
      end={
        <>
          {id !== null && (
            <Button look="danger" onClick={() => setDeleting(true)}>
              {words('frame:delete')}
            </Button>
          )}
          <Button type="submit" form="alert-rule" look="primary" isBusy={save.isPending}>
            {words('frame:save')}
          </Button>
        </>
      }
    >
      <div className="rule">
        <RuleForm
          draft={draft}
          error={save.error}
          onChange={(part) => setDraft((present) => ({ ...present, ...part }))}
          onSubmit={() => save.mutate()}
        />
        <Preview trigger={draft.trigger} surveyIds={draft.survey_ids} />
      </div>
      {isDeleting && (
        <Confirm
          title={words('alerts:deleteTitle', { name: before.name })}
          verb={words('frame:delete')}
          act={remove}
          onClose={() => setDeleting(false)}
        >
          <p>{words('alerts:deleteText')}</p>
        </Confirm>
      )}
    </Screen>
  )
}

/** The alerts that the rule would have opened. */
function Preview({ trigger, surveyIds }: { trigger: Trigger; surveyIds: string[] }) {
  const words = useWords()
  const preview = useQuery({
    queryKey: ['alert-preview', trigger, surveyIds],
    queryFn: async ({ signal }) => {
      await afterPause(signal)
      return answerOf(
        api.POST('/v1/alert-rules/preview', { body: { trigger: trigger as never, survey_ids: surveyIds, days: DAYS } }),
      )
    },
    placeholderData: (last) => last,
    retry: false,
  })
  if (preview.error)
    return (
      <section className="in">
        <Problem error={preview.error} onRetry={() => void preview.refetch()} />
      </section>
    )
  if (!preview.data) return <Skeleton label={words('frame:loading')} />
  const { count, sample } = preview.data
  return (
    <section className="in" aria-label={words('alerts:preview')}>
      <p className="lede" role="status">
        {words(trigger.on === 'response' ? 'alerts:wouldOpen' : 'alerts:wouldDrop', { count, n: formatNumber(count) })}
      </p>
      {trigger.on === 'response' && (
        <p className="sub">
          {words('alerts:counted', {
            since: formatMoment(new Date(preview.dataUpdatedAt - DAYS * DAY_MS).toISOString()),
          })}
        </p>
      )}
      <ul className="sample">
        {sample.map(({ response_id: responseId, survey_id: surveyId, completed_at: at, score, excerpt }) => (
          <li key={responseId ?? surveyId}>
            {score !== null && <span className="score mid">{formatNumber(score, 1)}</span>}
            <span className="words grow">
              <bdi dir="auto">{excerpt ?? <span className="faint">{words('alerts:noWords')}</span>}</bdi>
            </span>
            <span className="faint nowrap">
              <TimeAgo at={at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
