import { useState } from 'react'
import { Field } from '../../ui/field.tsx'
import { Labelled, NumberInput } from '../../ui/form.tsx'
import { formatWeekday } from '../words/format.ts'
import { useWords, type Words } from '../words/words.ts'
import { cronOf, timesOf, type Times } from './cron.ts'

export interface Schedule {
  cron: string
  timezone: string
}

interface Props {
  schedule: Schedule
  error?: string | undefined
  onChange: (schedule: Schedule) => void
}

const EVERY: Array<Times['every']> = ['day', 'week', 'month', 'other']
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0]

/** The times at which something happens by itself. */
export function ScheduleFields({ schedule: { cron, timezone }, error, onChange }: Props) {
  const words = useWords()
  const times = timesOf(cron)
  const [isOwn, setOwn] = useState(times.every === 'other')
  const every = isOwn ? 'other' : times.every
  const change = (part: Partial<Times>) => onChange({ cron: cronOf({ ...times, ...part }), timezone })
  const zones = [...new Set([timezone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
  return (
    <>
      <Labelled label={words('schedules:every')}>
        {(control) => (
          <select
            {...control}
            className="input"
            value={every}
            onChange={({ target }) => {
              setOwn(target.value === 'other')
              if (target.value !== 'other') change({ every: target.value as Times['every'] })
            }}
          >
            {EVERY.map((each) => (
              <option key={each} value={each}>
                {words(`schedules:each.${each}`)}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      {every === 'week' && (
        <Labelled label={words('schedules:weekday')}>
          {(control) => (
            <select
              {...control}
              className="input"
              value={times.weekday}
              onChange={({ target }) => change({ weekday: Number(target.value) })}
            >
              {WEEKDAYS.map((weekday) => (
                <option key={weekday} value={weekday}>
                  {formatWeekday(weekday, 'long')}
                </option>
              ))}
            </select>
          )}
        </Labelled>
      )}
      {every === 'month' && (
        <Labelled label={words('schedules:day')}>
          {(control) => (
            <NumberInput
              {...control}
              min={1}
              max={31}
              value={times.day}
              onNumber={(day) => day !== null && change({ day })}
            />
          )}
        </Labelled>
      )}
      {every === 'other' ? (
        <Field
          label={words('schedules:cron')}
          hint={words('schedules:cronHint')}
          className="mono"
          dir="ltr"
          value={cron}
          error={error}
          onChange={({ target }) => onChange({ cron: target.value, timezone })}
        />
      ) : (
        <Field
          label={words('schedules:at')}
          type="time"
          required
          value={times.at}
          error={error}
          onChange={({ target }) => target.value !== '' && change({ at: target.value })}
        />
      )}
      <Labelled label={words('list:fields.timezone')}>
        {(control) => (
          <select
            {...control}
            className="input"
            dir="ltr"
            value={timezone}
            onChange={({ target }) => onChange({ cron, timezone: target.value })}
          >
            {zones.map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </select>
        )}
      </Labelled>
    </>
  )
}

/** A schedule as a sentence without its end. */
export function scheduleText({ cron, timezone }: Schedule, words: Words): string {
  const { every, at, weekday, day } = timesOf(cron)
  const zone = timezone.replaceAll('_', ' ')
  if (every === 'other') return words('schedules:said.other', { cron: `\u2066${cron}\u2069`, zone })
  return words(`schedules:said.${every}`, { at, day, weekday: formatWeekday(weekday, 'long'), zone })
}
