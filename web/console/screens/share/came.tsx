import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import type { Schemas } from '../../../api/client.ts'

type Survey = Schemas['Survey']

interface Row {
  key: string
  n: number
}

const DAYS = 30
const MOST_CHANNELS = 20

/** How many answered in the last 30 days, by channel, the most first. */
export function useCame(surveyId: string): { total: number | undefined; rows: Row[] } {
  const { data } = useQuery({
    queryKey: ['figures', 'share', surveyId],
    queryFn: () => {
      const common = { source: 'responses' as const, measure: 'count' as const, survey_ids: [surveyId] }
      return answerOf(
        api.POST('/v1/figures', {
          body: {
            period: { days: DAYS },
            timezone: 'UTC',
            queries: { all: common, channels: { ...common, by: ['channel'], limit: MOST_CHANNELS } },
          },
        }),
      )
    },
    staleTime: 60_000,
  })
  const [all, channels] = [data?.figures['all'], data?.figures['channels']]
  return {
    total: all && 'n' in all ? all.n : undefined,
    rows: channels && 'rows' in channels ? (channels.rows as unknown as Row[]).filter(({ n }) => n > 0) : [],
  }
}

/** A count leads to the rows that it counts. An anonymous survey has no single responses to show. */
export function Came({ rows, survey }: { rows: Row[]; survey: Survey }) {
  const words = useWords()
  if (rows.length === 0) return null
  const filterOf = (channel: string) => ({
    all: [
      { field: 'survey_id', op: 'eq', value: survey.id },
      { field: 'channel', op: 'eq', value: channel },
    ],
  })
  return (
    <section className="section" style={{ marginBlockStart: 20 }}>
      <header>
        <h2>{words('share:came')}</h2>
      </header>
      <dl className="came">
        {rows.map(({ key, n }) => (
          <div key={key}>
            <dt className="soft">{words(`list:values.${key}`)}</dt>
            <dd className="figure">
              {survey.privacy === 'anonymous' ? (
                formatNumber(n)
              ) : (
                <Link className="link" to="/app/responses" search={{ filter: filterOf(key) }}>
                  {formatNumber(n)}
                </Link>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
