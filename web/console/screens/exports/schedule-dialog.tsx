import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiProblem } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Note } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { orgQuery } from '../../app/me.ts'
import { Problem } from '../../frame/failure.tsx'
import { ScheduleFields, type Schedule as When } from '../../schedules/schedule.tsx'
import { answerOf, api } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'
import type { Schemas } from '../../../api/client.ts'

type Schedule = Schemas['ExportSchedule']
type Template = Schemas['ExportTemplate']

/** A schedule to change, or one for a template. */
export function ScheduleDialog({ of, onClose }: { of: Schedule | Template; onClose: () => void }) {
  const words = useWords()
  const client = useQueryClient()
  const org = useQuery(orgQuery)
  const [when, setWhen] = useState<When>(() =>
    'cron' in of
      ? { cron: of.cron, timezone: of.timezone }
      : { cron: '0 6 * * 1', timezone: org.data?.timezone ?? 'UTC' },
  )
  const save = useMutation({
    mutationFn: () =>
      answerOf(
        'cron' in of
          ? api.PATCH('/v1/export-schedules/{id}', { params: { path: { id: of.id } }, body: when })
          : api.POST('/v1/export-schedules', { body: { template_id: of.id, ...when } }),
      ),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['export-schedules'] })
      toast({ text: words('exports:scheduleSaved') })
      onClose()
    },
  })
  const issues = save.error instanceof ApiProblem ? save.error.issues : []
  const ofCron = issues.find(({ path }) => path === 'cron')?.message
  return (
    <Dialog
      title={'name' in of ? of.name : words('exports:changeSchedule')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form="schedule" look="primary" isBusy={save.isPending}>
            {words('frame:save')}
          </Button>
        </>
      }
    >
      <form
        id="schedule"
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        {save.error && ofCron === undefined && <Problem error={save.error} />}
        <ScheduleFields schedule={when} error={ofCron} onChange={setWhen} />
        <Note>{words('exports:actsAsYou')}</Note>
      </form>
    </Dialog>
  )
}
