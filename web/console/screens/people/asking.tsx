import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../../api/client.ts'
import { Status } from '../../../ui/parts.tsx'
import type { Tone } from '../../../ui/status-tones.ts'
import { orgQuery } from '../../app/me.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatDay, formatDays } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'

type Asking = Schemas['PersonAsking']['data'][number]

const TONES: Record<Asking['may'], Tone> = { now: 'ok', later: 'warn', suppressed: 'bad', no_address: 'plain' }

/** On which channels this person may be asked, from when, and why not. */
export function MayBeAsked({ person }: { person: Schemas['Person'] }) {
  const words = useWords()
  const { data: org } = useQuery(orgQuery)
  const { data: asking } = useQuery({
    queryKey: ['person', person.id, 'asking'],
    queryFn: () => answerOf(api.GET('/v1/people/{id}/asking', { params: { path: { id: person.id } } })),
  })
  if (!org || !asking) return null
  return (
    <section className="section" style={{ marginBlockStart: 20 }}>
      <header>
        <h2>{words('people:mayBeAsked')}</h2>
      </header>
      <dl className="facts">
        {asking.data.map(({ channel, may, from }) => (
          <div key={channel} style={{ display: 'contents' }}>
            <dt>{words(`list:values.${channel}`)}</dt>
            <dd>
              <Status tone={TONES[may]}>
                {words(
                  may === 'no_address' && channel !== 'email' ? 'people:may.no_number' : `people:may.${may}`,
                  from === null ? undefined : { day: formatDay(from) },
                )}
              </Status>
            </dd>
          </div>
        ))}
      </dl>
      {org.contact_frequency && (
        <p className="faint" style={{ marginBlockStart: 8 }}>
          {words('people:frequency', {
            count: org.contact_frequency.max_contacts,
            n: org.contact_frequency.max_contacts,
            days: formatDays(org.contact_frequency.per_days),
          })}
        </p>
      )}
      {org.quiet_hours && <p className="faint">{words('people:quiet', { ...org.quiet_hours })}</p>}
    </section>
  )
}
