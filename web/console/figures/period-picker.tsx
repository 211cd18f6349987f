import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { orgQuery } from '../app/me.ts'
import { useWords } from '../words/words.ts'
import { monthsOf, PRESETS, type Days, type PeriodState } from './period.ts'

interface Props {
  state: PeriodState
  days: Days
  /** The days in words. */
  text: string
  onChange: (next: PeriodState) => void
}

/** The period of a screen: the days up to today, or two days that somebody chooses. */
export function PeriodPicker({ state, days, text, onChange }: Props) {
  const words = useWords()
  const { timezone } = useSuspenseQuery(orgQuery).data
  const months = Object.entries(monthsOf(timezone, new Date()))
  const month = months.find(([, { from, to }]) => state.from === from && state.to === to)?.[0]
  const [isChoosing, setChoosing] = useState(state.from !== undefined && month === undefined)
  const preset = state.from === undefined ? (state.days ?? 30) : null
  return (
    <span className="filters">
      <Menu
        label={words('figures:period', { days: text })}
        groups={[
          {
            items: PRESETS.map((each) => ({
              label: words('figures:lastDays', { count: each, n: each }),
              isChosen: preset === each,
              onChoose: () => {
                setChoosing(false)
                onChange({ days: each })
              },
            })),
          },
          {
            items: months.map(([name, each]) => ({
              label: words(`figures:${name as 'thisMonth' | 'lastMonth'}`),
              isChosen: !isChoosing && month === name,
              onChoose: () => {
                setChoosing(false)
                onChange(each)
              },
            })),
          },
          {
            items: [
              {
                label: words('figures:chooseDays'),
                isChosen: preset === null && (isChoosing || month === undefined),
                onChoose: () => {
                  setChoosing(true)
                  onChange({ ...days })
                },
              },
            ],
          },
        ]}
      >
        <Icon name="calendar-days" isSmall />
        {text}
      </Menu>
      {isChoosing && state.from !== undefined && (
        <>
          <input
            className="input day"
            type="date"
            aria-label={words('figures:firstDay')}
            value={days.from}
            max={days.to}
            onChange={({ target }) => target.value !== '' && onChange({ from: target.value, to: days.to })}
          />
          <input
            className="input day"
            type="date"
            aria-label={words('figures:lastDay')}
            value={days.to}
            min={days.from}
            onChange={({ target }) => target.value !== '' && onChange({ from: days.from, to: target.value })}
          />
        </>
      )}
    </span>
  )
}
