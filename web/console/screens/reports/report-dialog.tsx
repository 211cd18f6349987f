import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiProblem } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Labelled } from '../../../ui/form.tsx'
import { Note } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { membersQuery, orgQuery } from '../../app/me.ts'
import { Problem } from '../../frame/failure.tsx'
import { ScheduleFields } from '../../schedules/schedule.tsx'
import { answerOf, api, issuesOf } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'
import { dashboardNamesQuery, reportQuery, type Report } from './change.ts'

type Draft = Pick<Report, 'name' | 'dashboard_id' | 'schedule' | 'recipients' | 'format'>

function draftOf({ name, dashboard_id, schedule, recipients, format }: Report): Draft {
  return { name, dashboard_id, schedule, recipients, format }
}

const FORMATS: Array<Report['format']> = ['html', 'pdf']

interface Props {
  report: Report | null
  /** The tag of the report as it was read. */
  etag?: string
  onClose: () => void
}

/** A new report, or one to change. */
export function ReportDialog({ report, etag, onClose }: Props) {
  const words = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const members = useQuery(membersQuery)
  const org = useQuery(orgQuery)
  const dashboards = useQuery(dashboardNamesQuery)
  const [draft, setDraft] = useState<Draft>(() => {
    if (report) return draftOf(report)
    return { name: '', dashboard_id: '', schedule: null, recipients: [], format: 'html' }
  })
  const [tag, setTag] = useState(etag ?? '')
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const all = dashboards.data?.data ?? []
  const dashboardId = draft.dashboard_id || (all[0]?.id ?? '')
  const save = useMutation({
    mutationFn: () => {
      const body = { ...draft, name: draft.name.trim(), dashboard_id: dashboardId }
      return answerOf(
        report
          ? api.PATCH('/v1/reports/{id}', {
              params: { path: { id: report.id }, header: { 'if-match': tag } },
              body: body as never,
            })
          : api.POST('/v1/reports', { body: body as never }),
      )
    },
    onSuccess: ({ id, name }) => {
      void client.invalidateQueries({ queryKey: ['reports'] })
      void client.invalidateQueries({ queryKey: ['report', id] })
      toast({ text: words('reports:saved', { name }) })
      onClose()
      if (!report) void navigate({ to: '/app/reports/$reportId', params: { reportId: id } })
    },
  })
  const readAgain = useMutation({
    mutationFn: async (choice: 'takeTheirs' | 'writeMine') => ({
      choice,
      read: await client.fetchQuery({ ...reportQuery(report?.id ?? ''), staleTime: 0 }),
    }),
    onSuccess: ({ choice, read }) => {
      setTag(read.etag)
      if (choice === 'takeTheirs') setDraft(draftOf(read.report))
      save.reset()
    },
  })
  const isTaken = save.error instanceof ApiProblem && save.error.status === 412
  const { errorOf } = issuesOf(save.error)
  const hasPlace = ['name', 'schedule', 'dashboard_id'].some((field) => errorOf(field) !== undefined)
  return (
    <Dialog
      title={report ? report.name : words('reports:new')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form="report" look="primary" isBusy={save.isPending}>
            {words('frame:save')}
          </Button>
        </>
      }
    >
      <form
        id="report"
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        {isTaken && report && (
          <Note tone="warn">
            <p>{words('reports:taken')}</p>
            <p className="filters">
              {(['takeTheirs', 'writeMine'] as const).map((choice) => (
                <button key={choice} type="button" className="link" onClick={() => readAgain.mutate(choice)}>
                  {words(`reports:${choice}`)}
                </button>
              ))}
            </p>
          </Note>
        )}
        {save.error && !isTaken && !hasPlace && <Problem error={save.error} />}
        <Field
          label={words('list:fields.name')}
          value={draft.name}
          maxLength={200}
          required
          autoFocus
          error={errorOf('name')}
          onChange={({ target }) => change({ name: target.value })}
        />
        <Labelled label={words('reports:dashboard')} error={errorOf('dashboard_id')}>
          {(control) => (
            <select
              {...control}
              className="input"
              value={dashboardId}
              onChange={({ target }) => change({ dashboard_id: target.value })}
            >
              {all.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        <label className="check">
          <input
            type="checkbox"
            checked={draft.schedule !== null}
            onChange={({ target }) =>
              change({
                schedule: target.checked ? { cron: '0 8 * * 1', timezone: org.data?.timezone ?? 'UTC' } : null,
              })
            }
          />
          {words('reports:byItself')}
        </label>
        {draft.schedule && (
          <ScheduleFields
            schedule={draft.schedule}
            error={errorOf('schedule')}
            onChange={(schedule) => change({ schedule })}
          />
        )}
        <fieldset className="field">
          <legend className="label">{words('reports:recipients')}</legend>
          {(members.data?.data ?? []).map(({ id, name, email }) => (
            <label key={id} className="check">
              <input
                type="checkbox"
                checked={draft.recipients.includes(id)}
                onChange={({ target }) =>
                  change({
                    recipients: target.checked
                      ? [...draft.recipients, id]
                      : draft.recipients.filter((each) => each !== id),
                  })
                }
              />
              <bdi>{name || email}</bdi>
            </label>
          ))}
          <span className="hint">{words('reports:recipientsHint')}</span>
        </fieldset>
        <fieldset className="field">
          <legend className="label">{words('reports:format')}</legend>
          <div className="segmented" style={{ justifySelf: 'start' }}>
            {FORMATS.map((format) => (
              <button
                key={format}
                type="button"
                aria-pressed={draft.format === format}
                onClick={() => change({ format })}
              >
                {words(`reports:formats.${format}`)}
              </button>
            ))}
          </div>
        </fieldset>
      </form>
    </Dialog>
  )
}
