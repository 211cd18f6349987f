import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'

/** The events that an endpoint takes. None chosen means all. */
export function EventChoice({ chosen, onChange }: { chosen: string[]; onChange: (events: string[]) => void }) {
  const words = useWords()
  const { data } = useQuery({
    queryKey: ['webhook-events'],
    queryFn: () => answerOf(api.GET('/v1/webhook-events', { params: { query: { limit: 100 } } })),
    staleTime: Infinity,
  })
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0 }}>
      <legend className="strong">{words('webhooks:events')}</legend>
      <p className="soft">{words('webhooks:eventsHint')}</p>
      {(data?.data ?? []).map(({ name }) => (
        <label key={name} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={() =>
              onChange(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name])
            }
          />
          <span className="mono" dir="ltr">
            {name}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
