import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { drawBands } from '../../../charts/marks.ts'
import { bandsOf } from '../../figures/bands.ts'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Chart } from '../../../ui/chart.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { Filter } from '../../app/list-state.ts'
import { useMay } from '../../app/me.ts'
import { marginText, ScoreDot, scoreText } from '../../figures/metric.tsx'
import { momentsOf, stretchOf, type Days } from '../../figures/period.ts'
import { TrendChart, TrendLegend } from '../../figures/trend-chart.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { Loaded } from '../../frame/loaded.tsx'
import { Screen } from '../../frame/screen.tsx'
import { digitsFor, FEWEST, type Compared, type Metric } from '../../lede/figures.ts'
import { sayAll } from '../../lede/say.ts'
import { resultsLede } from '../../lede/results.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber, formatRate, formatSigned } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { AskedBar, AskedPeriod, FEWEST_FOR_PLACE, type Agent } from './agents.tsx'
import { parametersOf, useAsked, type Asked } from './state.ts'

const AgentDialog = lazy(() => import('./agent-dialog.tsx').then(({ AgentDialog }) => ({ default: AgentDialog })))

type Card = Schemas['AgentScorecard']
type Figure = Schemas['Figure']

/** What do people say after this agent helped them? */
export function AgentScreen() {
  const words = useWords()
  const { agentId = '' } = useParams({ strict: false })
  const asked = useAsked()
  const mayManage = useMay('agents.manage')
  const [isChanging, setChanging] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const card = useQuery({
    queryKey: ['agents', 'scorecard', agentId, parametersOf(asked)],
    queryFn: () =>
      answerOf(api.GET('/v1/agents/{id}/scorecard', { params: { path: { id: agentId }, query: parametersOf(asked) } })),
    placeholderData: keepPreviousData,
    enabled: asked.isKnown,
  })
  const figures = useFigures(agentId, asked)
  const agent = card.data?.agent
  return (
    <Screen
      title={agent?.name ?? words('agents:agent')}
      above={{ to: '/app/agents', label: words('frame:screens.agents') }}
      end={
        <>
          <AskedPeriod asked={asked} />
          {mayManage && agent && (
            <>
              <Button onClick={() => setChanging(true)}>
                <Icon name="pencil" isSmall />
                {words('agents:change')}
              </Button>
              <Button look="danger" onClick={() => setDeleting(true)}>
                {words('frame:delete')}
              </Button>
            </>
          )}
        </>
      }
    >
      {card.isFetching && card.data && <div className="refetching" />}
      <AskedBar asked={asked} />
      <Loaded query={card}>
        {(found) => (
          <Loaded query={figures}>
            {({ now, trend, until }) => (
              <Figured agentId={agentId} card={found} now={now} trend={trend} until={until} asked={asked} />
            )}
          </Loaded>
        )}
      </Loaded>
      {isChanging && agent && (
        <Suspense>
          <AgentDialog agent={agent} onClose={() => setChanging(false)} />
        </Suspense>
      )}
      {isDeleting && agent && <DeleteAgent agent={agent} onClose={() => setDeleting(false)} />}
    </Screen>
  )
}

function ofAgent(id: string, survey: string | undefined): Array<{ field: string; op: string; value: string }> {
  return [
    { field: 'agent_id', op: 'eq', value: id },
    ...(survey === undefined ? [] : [{ field: 'survey_id', op: 'eq', value: survey }]),
  ]
}

/** The score with that of the period before, and its course. They have the intervals that the scorecard lacks. */
function useFigures(id: string, asked: Asked) {
  const { metric, survey, days, timezone } = asked
  const { period, interval } = stretchOf(days)
  const filter = { all: ofAgent(id, survey) }
  return useQuery({
    queryKey: ['figures', 'agent', id, metric, survey, days, timezone],
    queryFn: async () => {
      const common = { source: 'responses', measure: metric } as const
      const answer = await answerOf(
        api.POST('/v1/figures', {
          body: {
            period: days,
            timezone,
            filter,
            queries: {
              now: { ...common, compare: 'previous' },
              trend: { ...common, interval, period },
            },
          },
        }),
      )
      const { now, trend } = answer.figures
      return { now: figureIn(now), trend: figureIn(trend), until: answer.period.to }
    },
    placeholderData: keepPreviousData,
    enabled: asked.isKnown,
  })
}

function figureIn(answer: Figure | { error: unknown } | undefined): Figure | null {
  return answer && !('error' in answer) ? answer : null
}

const SCORED = { field: 'score', op: 'is_set' }

interface FiguredProps {
  agentId: string
  card: Card
  now: Figure | null
  trend: Figure | null
  until: string
  asked: Asked
}

function Figured({ agentId, card, now: figure, trend, until, asked }: FiguredProps) {
  const words = useWords()
  const { metric, days, timezone, survey } = asked
  const now: Compared = { n: card.n, score: figure?.value ?? null, interval: figure?.interval ?? null, change: null }
  const before: Compared = {
    n: figure?.previous?.n ?? 0,
    score: figure?.previous?.value ?? null,
    interval: figure?.previous?.interval ?? null,
    change: figure?.change ?? null,
  }
  const told = resultsLede({
    metric,
    isFiltered: false,
    began: card.n,
    completed: card.n,
    now,
    before,
    beside: null,
    stopped: [],
    topics: [],
  }).lede
  const digits = digitsFor(now, before)
  const navigate = useNavigate()
  const moments = momentsOf(days, timezone)
  const rowsWithin = ({ from, to }: { from: string; to: string }): Filter[] => [
    ...ofAgent(agentId, survey),
    { field: 'completed_at', op: 'gte', value: from },
    { field: 'completed_at', op: 'lt', value: to },
  ]
  const rows = rowsWithin(moments)
  const searchOf = (of: Days) => ({ filter: { all: [...rowsWithin(momentsOf(of, timezone)), SCORED] } })
  const { interval, period } = stretchOf(days)
  return (
    <div className="in">
      <div role="status">
        <p className="lede">{sayAll(told, words)}</p>
        <p className="sub">
          {card.rank
            ? words('agents:rank', { place: formatNumber(card.rank.position), of: formatNumber(card.rank.of) })
            : words('agents:noRank', { least: formatNumber(FEWEST_FOR_PLACE) })}
        </p>
      </div>
      <dl className="figures">
        <div>
          <dt>{metric.toUpperCase()}</dt>
          <dd className="big">
            {now.score === null ? '–' : scoreText(metric, now.score, digits)}
            {marginText(now, digits) !== null && (
              <small>
                <bdi dir="ltr">{marginText(now, digits)}</bdi>
              </small>
            )}
          </dd>
          <dd>
            <ScoreDot metric={metric} now={now} was={before.score} digits={digits} />
          </dd>
        </div>
        <div>
          <dt>{words('figures:answers')}</dt>
          <dd className="big">
            <Link to="/app/responses" search={{ filter: { all: rows } }}>
              {formatNumber(card.n)}
            </Link>
          </dd>
          <dd className="was">{words('figures:before', { value: formatNumber(card.previous.n) })}</dd>
        </div>
        <div>
          <dt>{words('agents:responseRate')}</dt>
          <dd className="big">{card.response_rate === null ? '–' : formatRate(Math.round(card.response_rate))}</dd>
        </div>
        <div>
          <dt>{words('agents:place')}</dt>
          <dd className="big">
            {card.rank ? (
              <>
                {formatNumber(card.rank.position)}{' '}
                <small>{words('agents:of', { n: formatNumber(card.rank.of) })}</small>
              </>
            ) : (
              '–'
            )}
          </dd>
        </div>
      </dl>
      <div className="beside">
        <div className="main">
          {trend?.series?.some(({ enough }) => enough) && (
            <section className="section">
              <header>
                <h2>{words(`figures:by.${interval}`, { metric: metric.toUpperCase() })}</h2>
                <TrendLegend interval={interval} hasYearBefore={false} />
              </header>
              <TrendChart
                metric={metric}
                series={trend.series ?? []}
                yearBefore={undefined}
                spans={spansOf(moments, metric, now, before)}
                until={until}
                rows={{
                  period,
                  open: (of) => void navigate({ to: '/app/responses', search: searchOf(of) }),
                  link: (of, text) => (
                    <Link className="link" to="/app/responses" search={searchOf(of)}>
                      {text}
                    </Link>
                  ),
                }}
              />
            </section>
          )}
          <Bands card={card} metric={metric} rows={rows} />
        </div>
        {card.topics.length > 0 && (
          <div className="rail">
            <Topics card={card} />
          </div>
        )}
      </div>
    </div>
  )
}

/** The two spans that the sentence compares. */
function spansOf(moments: { from: string; to: string }, metric: Metric, now: Compared, before: Compared) {
  const [from, to] = [Date.parse(moments.from), Date.parse(moments.to)]
  return [
    { from: from - (to - from), to: from, of: before },
    { from, to, of: now },
  ].flatMap(({ of: { score, interval, n }, ...span }) =>
    score === null || interval === null || n < FEWEST
      ? []
      : [{ ...span, value: score, low: interval.low, high: interval.high, text: scoreText(metric, score) }],
  )
}

function Bands({ card: { bands, n }, metric, rows }: { card: Card; metric: Metric; rows: Filter[] }) {
  const words = useWords()
  if (n === 0) return null
  const shown = bandsOf(metric).map(([level, band]) => ({
    level,
    band,
    name: words(`figures:bands.${band}`),
    count: bands[band] ?? 0,
    share: (100 * (bands[band] ?? 0)) / n,
  }))
  return (
    <section className="section">
      <header>
        <h2>{words('agents:bands')}</h2>
        <div className="end">{`n ${formatNumber(n)}`}</div>
      </header>
      <Chart
        draw={(look) => drawBands(shown, look)}
        label={shown.map(({ name, share }) => `${name} ${formatRate(Math.round(share))}`).join(', ')}
      />
      <div className="legend" style={{ marginBlockStart: 8 }}>
        {shown.map(({ level, band, name, count, share }) => (
          <Link
            key={band}
            to="/app/responses"
            search={{ filter: { all: [...rows, { field: 'band', op: 'eq', value: band }] } }}
          >
            <i className={`sign ${level}`} />
            {`${name} ${formatRate(Math.round(share))} (${formatNumber(count)})`}
          </Link>
        ))}
      </div>
    </section>
  )
}

function Topics({ card: { topics } }: { card: Card }) {
  const words = useWords()
  return (
    <section className="section">
      <header>
        <h2>{words('frame:screens.topics')}</h2>
      </header>
      <table className="table flush keep">
        <thead>
          <tr>
            <th>{words('figures:topic')}</th>
            <th className="end">{words('figures:texts')}</th>
            <th className="end">{words('list:fields.sentiment')}</th>
          </tr>
        </thead>
        <tbody>
          {topics.slice(0, 10).map(({ topic, n, sentiment }) => (
            <tr key={topic}>
              <td>
                <bdi>{topic}</bdi>
              </td>
              <td className="end figure">{formatNumber(n)}</td>
              <td className="end figure">{sentiment === null ? '–' : formatSigned(sentiment, 1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function DeleteAgent({ agent: { id, name }, onClose }: { agent: Agent; onClose: () => void }) {
  const words = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => answerOf<unknown>(api.DELETE('/v1/agents/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      toast({ text: words('agents:deleted', { name }) })
      void navigate({ to: '/app/agents' }).then(() => client.invalidateQueries({ queryKey: ['agents'] }))
    },
  })
  return (
    <Confirm
      title={words('agents:deleteTitle', { name })}
      verb={words('frame:delete')}
      typed={name}
      act={remove}
      onClose={onClose}
    >
      <p>{words('agents:deleteText')}</p>
    </Confirm>
  )
}
