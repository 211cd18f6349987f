import { useId, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { Tag } from '../../../../ui/parts.tsx'
import { formatDate, formatList, formatWeekday } from '../../../words/format.ts'
import { useWords } from '../../../words/words.ts'
import { HoursOfDay, OptionalSection, type Part } from './section.tsx'

const OFFICE = { weekdays: [1, 2, 3, 4, 5], start: '09:00', end: '17:00', holidays: [] }
const WEEK = [1, 2, 3, 4, 5, 6, 7]

/** When alerts are worked on. */
export function BusinessHours({ draft: { business_hours: hours, timezone }, set, errorOf }: Part) {
  const words = useWords()
  const daysId = useId()
  const daysError = errorOf('business_hours.weekdays')
  return (
    <OptionalSection
      title={words('settings:business.title')}
      says={
        hours === null
          ? words('settings:business.none')
          : words('settings:business.says', {
              days: formatList(hours.weekdays.map((day) => formatWeekday(day, 'long'))),
              start: hours.start,
              end: hours.end,
              zone: timezone,
            })
      }
      label={words('settings:business.keep')}
      isOn={hours !== null}
      onSwitch={(isOn) => set('business_hours', isOn ? OFFICE : null)}
    >
      {hours !== null && (
        <>
          <div className="field" role="group" aria-labelledby={daysId}>
            <span className="strong" id={daysId}>
              {words('settings:business.weekdays')}
            </span>
            <span className="filters days">
              {WEEK.map((day) => (
                <label key={day} className="check">
                  <input
                    type="checkbox"
                    aria-label={formatWeekday(day, 'long')}
                    checked={hours.weekdays.includes(day)}
                    onChange={({ target }) =>
                      set('business_hours', {
                        ...hours,
                        weekdays: WEEK.filter((each) =>
                          each === day ? target.checked : hours.weekdays.includes(each),
                        ),
                      })
                    }
                  />
                  {formatWeekday(day, 'short')}
                </label>
              ))}
            </span>
            {daysError !== undefined && <span className="error">{daysError}</span>}
          </div>
          <HoursOfDay
            value={hours}
            errorOf={(name) => errorOf(`business_hours.${name}`)}
            onChange={(next) => set('business_hours', { ...hours, ...next })}
          />
          <Holidays
            days={hours.holidays}
            error={errorOf('business_hours.holidays')}
            onChange={(holidays) => set('business_hours', { ...hours, holidays })}
          />
        </>
      )}
    </OptionalSection>
  )
}

interface HolidaysProps {
  days: string[]
  error: string | undefined
  onChange: (days: string[]) => void
}

function Holidays({ days, error, onChange }: HolidaysProps) {
  const words = useWords()
  const [day, setDay] = useState('')
  return (
    <>
      <div className="adding">
        <Field
          type="date"
          label={words('settings:business.holidays')}
          hint={words('settings:business.holidaysHint')}
          error={error}
          value={day}
          onChange={({ target }) => setDay(target.value)}
        />
        <Button
          disabled={day === ''}
          onClick={() => {
            onChange([...new Set([...days, day])].toSorted())
            setDay('')
          }}
        >
          <Icon name="plus" isSmall />
          {words('settings:business.addHoliday')}
        </Button>
      </div>
      {days.length > 0 && (
        <span className="filters">
          {days.map((each) => (
            <Tag
              key={each}
              removeLabel={words('settings:business.removeHoliday', { day: formatDate(each) })}
              onRemove={() => onChange(days.filter((other) => other !== each))}
            >
              {formatDate(each)}
            </Tag>
          ))}
        </span>
      )}
    </>
  )
}
