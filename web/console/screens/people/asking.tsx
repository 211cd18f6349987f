import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../../api/client.ts'
import { Status } from '../../../ui/parts.tsx'
import type { Tone } from '../../../ui/tone.ts'
import { orgQuery } from '../../app/me.ts'
import { formatDay } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { mayBeAsked, type Asking } from './may-be-asked.ts'
import { useStory } from './story-query.ts'

const TONES: Record<Asking['may'], Tone> = {
  now: 'ok',
  later: 'warn',
  suppressed: 'bad',
  no_address: 'plain',
  no_number: 'plain',
}

/** On which channels this person may be asked, from when, and why not. */
export function MayBeAsked({ person }: { person: Schemas['Person'] }) {
  const words = useWords()
  const { data: org } = useQuery(orgQuery)
  const { data: story } = useStory(person.id)
  if (!org || !story) return null
  const entries = story.pages.flatMap(({ data }) => data)
  return (
    <section className="section" style={{ marginBlockStart: 20 }}>
      <header>
        <h2>{words('people:mayBeAsked')}</h2>
      </header>
      <dl className="facts">
        {mayBeAsked(person, org.contact_frequency, entries, new Date()).map(({ channel, may, from }) => (
          <div key={channel} style={{ display: 'contents' }}>
            <dt>{words(`list:values.${channel}`)}</dt>
            <dd>
              <Status tone={TONES[may]}>
                {words(`people:may.${may}`, from && { day: formatDay(from.toISOString()) })}
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
            days: org.contact_frequency.per_days,
          })}
        </p>
      )}
      {org.quiet_hours && <p className="faint">{words('people:quiet', { ...org.quiet_hours })}</p>}
    </section>
  )
}
