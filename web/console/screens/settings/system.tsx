import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../../api/client.ts'
import { Status } from '../../../ui/parts.tsx'
import { Loaded } from '../../frame/loaded.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatDuration, formatNumber } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords, type Words } from '../../words/words.ts'
import { Settings } from './layout.tsx'

type State = Schemas['System']

const LOOK_MS = 10_000
// A row that waits longer is late, and so is work that should have begun this long ago.
const LATE_S = 300
const SWEEP_LATE_S = 60

const timeOf = (seconds: number) => formatDuration(seconds * 1000)

/** Whether anything is late, and what this server can do. */
export function System() {
  const system = useQuery({
    queryKey: ['system'],
    queryFn: () => answerOf(api.GET('/v1/system')),
    refetchInterval: LOOK_MS,
  })
  return (
    <Settings name="system">
      <Loaded query={system}>
        {(state) => (
          <>
            <Lede state={state} />
            <Queues queues={state.queues} />
            <Features state={state} />
            <Sweeps sweeps={state.sweeps} />
          </>
        )}
      </Loaded>
    </Settings>
  )
}

function Lede({ state }: { state: State }) {
  const words = useWords()
  return (
    <p className="lede" role="status">
      {ledeOf(state, words)}
    </p>
  )
}

function ledeOf({ queues, queue_depth, sweep_lag_seconds }: State, words: Words): string {
  if (sweep_lag_seconds > SWEEP_LATE_S) return words('settings:sys.lede.sweep', { time: timeOf(sweep_lag_seconds) })
  const [late] = Object.entries(queues).toSorted(([, a], [, b]) => ageOf(b) - ageOf(a))
  if (late && ageOf(late[1]) > LATE_S)
    return words('settings:sys.lede.queue', {
      queue: words(`settings:sys.queueNames.${late[0]}`),
      time: timeOf(ageOf(late[1])),
    })
  if (queue_depth === 0) return words('settings:sys.lede.fine')
  return words('settings:sys.lede.waiting', { count: queue_depth, n: formatNumber(queue_depth) })
}

function ageOf({ oldest_pending_age_seconds }: State['queues'][string]): number {
  return oldest_pending_age_seconds ?? 0
}

function Queues({ queues }: { queues: State['queues'] }) {
  const words = useWords()
  return (
    <section className="section">
      <header>
        <h2>{words('settings:sys.queues')}</h2>
      </header>
      <table className="table keep" aria-label={words('settings:sys.queues')}>
        <thead>
          <tr>
            <th>{words('settings:sys.queue')}</th>
            <th className="end">{words('settings:sys.depth')}</th>
            <th className="end">{words('settings:sys.oldest')}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(queues).map(([name, { depth, oldest_pending_age_seconds: age }]) => (
            <tr key={name}>
              <td className="first">{words(`settings:sys.queueNames.${name}`)}</td>
              <td className="end figure">{formatNumber(depth)}</td>
              <td className="end figure soft">{age === null ? '–' : timeOf(age)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Sweeps({ sweeps }: { sweeps: State['sweeps'] }) {
  const words = useWords()
  if (sweeps.length === 0) return null
  // Faults stand first.
  const rows = sweeps.toSorted((a, b) => Number(b.failing) - Number(a.failing) || b.lag_seconds - a.lag_seconds)
  return (
    <section className="section">
      <header>
        <h2>{words('settings:sys.sweeps')}</h2>
      </header>
      <table className="table" aria-label={words('settings:sys.sweeps')}>
        <thead>
          <tr>
            <th>{words('settings:sys.sweep')}</th>
            <th>{words('settings:sys.state')}</th>
            <th className="end wide">{words('settings:sys.last')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, lag_seconds, last_finished_at, failing }) => (
            <tr key={name}>
              <td className="first">
                <span className="mono cut" dir="ltr">
                  {name}
                </span>
              </td>
              <td>
                {failing ? (
                  <Status tone="bad">{words('settings:sys.failing')}</Status>
                ) : lag_seconds > SWEEP_LATE_S ? (
                  <Status tone="warn">{words('settings:sys.late', { time: timeOf(lag_seconds) })}</Status>
                ) : (
                  <Status tone="ok">{words('settings:sys.onTime')}</Status>
                )}
              </td>
              <td className="end wide faint nowrap">
                {last_finished_at === null ? words('settings:never') : <TimeAgo at={last_finished_at} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Features({ state: { features, version } }: { state: State }) {
  const words = useWords()
  return (
    <section className="section">
      <header>
        <h2>{words('settings:sys.features')}</h2>
      </header>
      <dl className="facts" style={{ gridTemplateColumns: 'minmax(0, 280px) auto', justifyContent: 'start' }}>
        {Object.entries(features).map(([name, isOn]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{words(`settings:sys.can.${name}`)}</dt>
            <dd>
              <Status tone={isOn ? 'ok' : 'plain'}>{words(isOn ? 'settings:sys.on' : 'settings:sys.off')}</Status>
            </dd>
          </div>
        ))}
        <dt>{words('settings:sys.version')}</dt>
        <dd className="mono" dir="ltr">
          {version}
        </dd>
      </dl>
    </section>
  )
}
