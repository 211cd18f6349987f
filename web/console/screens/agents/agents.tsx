import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { drawPlace, drawScale, sharedScale } from '../../../charts/marks.ts'
import type { Schemas } from '../../../api/client.ts'
import { Mark } from '../../../ui/chart.tsx'
import { Empty } from '../../../ui/parts.tsx'
import { useMay } from '../../app/me.ts'
import { scoreText } from '../../figures/metric.tsx'
import { PeriodPicker } from '../../figures/period-picker.tsx'
import { Call } from '../../frame/call.tsx'
import { Screen, Lede, NewButton } from '../../frame/screen.tsx'
import { Loaded, Row } from '../../frame/loaded.tsx'
import { surveyNamesQuery } from '../../list/names.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber, formatSpan } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { agentsLede } from './lede.ts'
import { parametersOf, useAsked, type Asked } from './state.ts'
import { METRICS } from '../../../../src/survey-engine/model/definition.ts'

const AgentDialog = lazy(() => import('./agent-dialog.tsx').then(({ AgentDialog }) => ({ default: AgentDialog })))

export type Agent = Schemas['Agent']
type Board = Schemas['AgentLeaderboard']

/** The fewest answers for a place. */
export const FEWEST_FOR_PLACE = 10
const MOST = 500
const SCALE_WIDTH = 520

/** Who is good, and is the difference real? */
export function Agents() {
  const words = useWords()
  const asked = useAsked()
  const mayManage = useMay('agents.manage')
  const [isAdding, setAdding] = useState(false)
  const board = useQuery({
    queryKey: ['agents', 'leaderboard', parametersOf(asked)],
    queryFn: () => answerOf(api.GET('/v1/agents/leaderboard', { params: { query: parametersOf(asked) } })),
    placeholderData: keepPreviousData,
    enabled: asked.isKnown,
  })
  const all = useQuery({
    queryKey: ['agents', 'all'],
    queryFn: () => answerOf(api.GET('/v1/agents', { params: { query: { limit: MOST } } })),
  })
  const add = mayManage && <NewButton label={words('agents:new')} onPress={() => setAdding(true)} />
  return (
    <Screen
      title={words('frame:screens.agents')}
      end={
        <>
          <AskedPeriod asked={asked} />
          {add}
        </>
      }
    >
      {board.isFetching && board.data && <div className="refetching" />}
      <Loaded query={all}>
        {({ data: agents }) =>
          agents.length === 0 ? (
            <Empty title={words('agents:empty')} actions={add}>
              <p>{words('agents:emptyText')}</p>
              <Call path="/v1/agents" body={'{"name": "Nadia", "external_id": "crm-17"}'} />
            </Empty>
          ) : (
            <Loaded query={board}>
              {(found) => (
                <>
                  <Summary board={found} />
                  <AskedBar asked={asked} />
                  <Ranked board={found} asked={asked} />
                  <Others agents={agents} board={found} asked={asked} />
                </>
              )}
            </Loaded>
          )
        }
      </Loaded>
      {isAdding && (
        <Suspense>
          <AgentDialog agent={null} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </Screen>
  )
}

export function AskedPeriod({ asked: { period, days, present, go } }: { asked: Asked }) {
  return (
    <PeriodPicker
      state={period}
      days={days}
      text={formatSpan(days.from, days.to)}
      onChange={(next) => {
        const { days: _days, from: _from, to: _to, ...rest } = present
        go({ ...rest, ...next })
      }}
    />
  )
}

/** The score and the survey that agents are judged by. */
export function AskedBar({ asked: { metric, survey, present, go } }: { asked: Asked }) {
  const words = useWords()
  const surveys = useQuery(surveyNamesQuery)
  return (
    <div className="tools">
      <div className="segmented" role="group" aria-label={words('list:fields.metric')}>
        {METRICS.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={metric === each}
            onClick={() => go({ ...present, metric: each })}
          >
            {words(`list:values.${each}`)}
          </button>
        ))}
      </div>
      <select
        className="input"
        style={{ width: 'auto', maxWidth: '100%' }}
        aria-label={words('list:fields.survey_id')}
        value={survey ?? ''}
        onChange={({ target }) => go({ ...present, survey: target.value })}
      >
        <option value="">{words('agents:allSurveys')}</option>
        {(surveys.data?.data ?? []).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}

function Summary({ board: { data, below_minimum: below } }: { board: Board }) {
  const words = useWords()
  const { key, values } = agentsLede(data)
  return (
    <Lede
      sub={
        <>
          {data.length > 1 && words('agents:tiesAre')}{' '}
          {below > 0 &&
            words('agents:below', { count: below, n: formatNumber(below), least: formatNumber(FEWEST_FOR_PLACE) })}
        </>
      }
    >
      {words(key, { ...values, ...('count' in values && { n: formatNumber(Number(values.count)) }) })}
    </Lede>
  )
}

/** One scale for all, so that the dots can be compared. */
function scaleOf({ data }: Board) {
  return sharedScale(
    data.flatMap(({ score, interval }) => (score === null ? [] : [interval?.low ?? score, interval?.high ?? score])),
  )
}

function Ranked({ board, asked: { metric, present } }: { board: Board; asked: Asked }) {
  const words = useWords()
  const navigate = useNavigate()
  const { data } = board
  if (data.length === 0) return null
  const { range, ticks } = scaleOf(board)
  return (
    <table className="table tall agents" aria-label={words('agents:leaderboard')}>
      <thead>
        <tr>
          <th className="wide" style={{ width: 110 }}>
            {words('agents:place')}
          </th>
          <th>{words('list:fields.name')}</th>
          <th className="end">{metric.toUpperCase()}</th>
          <th className="wide">
            {words('agents:interval')}
            <Mark
              isFluid
              width={SCALE_WIDTH}
              label={words('agents:scale', {
                low: scoreText(metric, range[0]),
                high: scoreText(metric, range[1]),
              })}
              draw={(look) => drawScale({ range, ticks, format: (value) => scoreText(metric, value) }, look)}
            />
          </th>
          <th className="end wide">{words('figures:answers')}</th>
        </tr>
      </thead>
      <tbody>
        {data.map(({ agent, n, score, interval, position }) => {
          const isTied = data.filter((each) => each.position === position).length > 1
          return (
            <Row
              key={agent.id}
              onOpen={() =>
                void navigate({ to: '/app/agents/$agentId', params: { agentId: agent.id }, search: present })
              }
            >
              <td className="wide nowrap">
                <span className="figure strong">{formatNumber(position)}</span>
                {isTied && <span className="faint"> {words('agents:tied')}</span>}
              </td>
              <td className="first">
                <Link className="pair" to="/app/agents/$agentId" params={{ agentId: agent.id }} search={present}>
                  <bdi className="strong cut">{agent.name}</bdi>
                  <small className="cut">
                    <span className="narrow">
                      {words('agents:placeIs', { place: formatNumber(position) })}
                      {isTied && ` · ${words('agents:tied')}`}
                      {agent.team !== null && ' · '}
                    </span>
                    <bdi>{agent.team ?? ''}</bdi>
                  </small>
                </Link>
              </td>
              <td className="end figure strong when">{score === null ? '–' : scoreText(metric, score)}</td>
              <td className="wide" style={{ width: '45%' }}>
                {score !== null && (
                  <Mark
                    isFluid
                    width={SCALE_WIDTH}
                    label={
                      interval
                        ? words('figures:between', {
                            score: scoreText(metric, score),
                            low: scoreText(metric, interval.low),
                            high: scoreText(metric, interval.high),
                          })
                        : scoreText(metric, score)
                    }
                    draw={(look) =>
                      drawPlace(
                        {
                          value: score,
                          low: interval?.low ?? null,
                          high: interval?.high ?? null,
                          was: null,
                          range,
                          ticks,
                          line: metric === 'nps' && range[0] < 0 && range[1] > 0 ? 0 : null,
                        },
                        look,
                      )
                    }
                  />
                )}
              </td>
              <td className="end figure wide">{formatNumber(n)}</td>
            </Row>
          )
        })}
      </tbody>
    </table>
  )
}

/** Agents without a place. */
function Others({ agents, board, asked: { present } }: { agents: Agent[]; board: Board; asked: Asked }) {
  const words = useWords()
  const placed = new Set(board.data.map(({ agent }) => agent.id))
  const others = agents.filter(({ id }) => !placed.has(id))
  if (others.length === 0) return null
  return (
    <section className="in" style={{ flex: 'none' }}>
      <h2>{words('agents:without')}</h2>
      <p className="sub">{words('agents:withoutText', { least: formatNumber(FEWEST_FOR_PLACE) })}</p>
      <ul className="rows">
        {others.map(({ id, name, team, active }) => (
          <li key={id}>
            <Link className="grow" to="/app/agents/$agentId" params={{ agentId: id }} search={present}>
              <bdi className="strong">{name}</bdi>
              {team !== null && (
                <span className="faint">
                  {' '}
                  <bdi>{team}</bdi>
                </span>
              )}
            </Link>
            {!active && <span className="faint">{words('agents:inactive')}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
