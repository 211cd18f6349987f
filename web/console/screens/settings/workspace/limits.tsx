import { Labelled, NumberInput } from '../../../../ui/form.tsx'
import { Note } from '../../../../ui/parts.tsx'
import { formatDays, formatNumber } from '../../../words/format.ts'
import { useWords } from '../../../words/words.ts'
import { HoursOfDay, OptionalSection, Section, type Part } from './section.tsx'

const NIGHT = { start: '21:00', end: '08:00' }
const SELDOM = { max_contacts: 1, per_days: 30 }
const KEPT = ['responses_days', 'deliveries_days', 'exports_days'] as const

/** When nothing is sent. */
export function QuietHours({ draft: { quiet_hours, timezone }, set, errorOf }: Part) {
  const words = useWords()
  return (
    <OptionalSection
      title={words('settings:quiet.title')}
      says={
        quiet_hours === null
          ? words('settings:quiet.none')
          : words('settings:quiet.says', { start: quiet_hours.start, end: quiet_hours.end, zone: timezone })
      }
      label={words('settings:quiet.keep')}
      isOn={quiet_hours !== null}
      onSwitch={(isOn) => set('quiet_hours', isOn ? NIGHT : null)}
    >
      {quiet_hours !== null && (
        <HoursOfDay
          value={quiet_hours}
          errorOf={(name) => errorOf(`quiet_hours.${name}`)}
          onChange={(hours) => set('quiet_hours', hours)}
        />
      )}
    </OptionalSection>
  )
}

/** How often one person is asked. */
export function ContactFrequency({ draft: { contact_frequency: limit }, set, errorOf }: Part) {
  const words = useWords()
  return (
    <OptionalSection
      title={words('settings:frequency.title')}
      says={
        limit === null
          ? words('settings:frequency.none')
          : words('settings:frequency.says', {
              count: limit.max_contacts,
              n: formatNumber(limit.max_contacts),
              days: formatDays(limit.per_days),
            })
      }
      label={words('settings:frequency.keep')}
      isOn={limit !== null}
      onSwitch={(isOn) => set('contact_frequency', isOn ? SELDOM : null)}
    >
      {limit !== null && (
        <div className="side-by-side">
          {(['max_contacts', 'per_days'] as const).map((name) => (
            <Labelled
              key={name}
              label={words(`settings:frequency.${name}`)}
              error={errorOf(`contact_frequency.${name}`)}
            >
              {(control) => (
                <NumberInput
                  {...control}
                  required
                  value={limit[name]}
                  onNumber={(n) => n !== null && set('contact_frequency', { ...limit, [name]: n })}
                />
              )}
            </Labelled>
          ))}
        </div>
      )}
    </OptionalSection>
  )
}

/** How long rows stay. The server may keep them for a shorter time, never for longer. */
export function Retention({ draft: { retention }, saved, set, errorOf }: Part) {
  const words = useWords()
  const { responses_days: days } = retention
  const before = saved.retention.responses_days
  return (
    <Section
      title={words('settings:retention.title')}
      says={
        days === null ? words('settings:retention.none') : words('settings:retention.says', { days: formatDays(days) })
      }
    >
      <div className="side-by-side">
        {KEPT.map((name) => (
          <Labelled key={name} label={words(`settings:retention.${name}`)} error={errorOf(`retention.${name}`)}>
            {(control) => (
              <NumberInput
                {...control}
                placeholder={words('settings:retention.server')}
                value={retention[name]}
                onNumber={(n) => set('retention', { ...retention, [name]: n })}
              />
            )}
          </Labelled>
        ))}
      </div>
      <p className="soft">{words('settings:retention.most')}</p>
      {days !== null && (before === null || days < before) && (
        <Note tone="warn">{words('settings:retention.warn')}</Note>
      )}
    </Section>
  )
}
