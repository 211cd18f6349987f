import { useQueries, useQuery } from '@tanstack/react-query'
import { Empty } from '../../../../ui/parts.tsx'
import { answerOf, api } from '../../../session/api.ts'
import { formatNumber, formatRate } from '../../../words/format.ts'
import { useLanguage, useWords } from '../../../words/words.ts'
import { filterOf, mapOf, type MapEdge, type MapNode } from '../model/map.ts'
import { shown } from '../model/texts.ts'
import { useSay } from '../sayings.ts'
import { useBuild, useBuilder, useBuildState, useDraft } from '../use-builder.ts'

const [WIDTH, ROW, BOX, HEIGHT] = [860, 76, 230, 44]
const MIDDLE = 250
const ASIDE = 560
/** Counting for more rules than this would ask too much of the server at once. */
const MOST_COUNTED = 60

/** Every way through the survey, with the share of people who took it. Ways that nobody took are dashed. */
export function LogicMap() {
  const words = useWords()
  const draft = useDraft()
  const say = useSay()
  const isRtl = useLanguage() === 'ar'
  const [, go] = useBuildState()
  const shares = useShares()
  const { nodes, edges } = mapOf(draft)
  if (draft.questions.length === 0)
    return (
      <Empty title={words('build:empty')}>
        <p>{words('build:emptyText')}</p>
      </Empty>
    )
  const places = new Map(nodes.map((node) => [node.id, node]))
  const x = (value: number, width = 0) => (isRtl ? WIDTH - value - width : value)
  const titleOf = (node: MapNode) => {
    if (node.kind === 'question') {
      const question = draft.questions.find(({ id }) => id === node.id)
      return shown(question?.title, draft) || node.id
    }
    const ending = draft.endings.find(({ id }) => `end ${id}` === node.id)
    return ending ? shown(ending.title, draft) || ending.id : words('build:usualEnding')
  }
  const labelOf = (edge: MapEdge) => {
    const rule = edge.rule === null ? undefined : draft.logic[edge.rule]
    const share = shares.of(edge)
    const said = rule ? say.plain(rule.when, draft, edge.from).replace(/^(.{34}).+/u, '$1…') : ''
    return [said, share === null ? '' : formatRate(share * 100)].filter(Boolean).join(' · ')
  }
  const rules = edges.filter(({ rule }) => rule !== null)
  return (
    <div className="in map">
      <p className="sub">
        {shares.total === null
          ? words('build:mapText')
          : words('build:mapShares', { people: formatNumber(shares.total), count: shares.total })}
      </p>
      <svg
        viewBox={`0 0 ${WIDTH} ${nodes.length * ROW + 20}`}
        role="img"
        aria-label={words('build:mapName', { questions: draft.questions.length, rules: draft.logic.length })}
        style={{ maxWidth: WIDTH }}
      >
        <defs>
          <marker
            id="tip"
            viewBox="0 0 10 10"
            refX="9"
            refY="5"
            markerWidth="10"
            markerHeight="10"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M0 0L10 5L0 10z" />
          </marker>
        </defs>
        {edges.map((edge, at) => {
          const [from, to] = [places.get(edge.from), places.get(edge.to)]
          if (!from || !to) return null
          const share = shares.of(edge)
          return (
            <path
              key={at}
              className="way"
              d={pathOf(edge, from, to, x)}
              strokeWidth={share === null ? 1.5 : 1 + share * 4}
              strokeDasharray={share === 0 ? '3 4' : undefined}
              markerEnd="url(#tip)"
            />
          )
        })}
        {nodes.map((node) => {
          const title = titleOf(node)
          return (
            <g key={node.id} transform={`translate(${x(columnOf(node), BOX)} ${node.row * ROW + 10})`}>
              <rect className={node.kind} width={BOX} height={HEIGHT} rx={node.kind === 'ending' ? 22 : 8} />
              <text x={isRtl ? BOX - 14 : 14} y={27} textAnchor="start">
                {title.length > 32 ? `${title.slice(0, 31)}…` : title}
              </text>
            </g>
          )
        })}
        {edges.map((edge, at) => {
          const [from, to] = [places.get(edge.from), places.get(edge.to)]
          const label = labelOf(edge)
          if (!from || !to || label === '' || (edge.rule === null && rules.every((each) => each.from !== edge.from)))
            return null
          const place = labelPlace(edge, from, to)
          return (
            <text key={at} className="label" x={x(place.x)} y={place.y} textAnchor={place.anchor}>
              {label}
            </text>
          )
        })}
      </svg>
      <h2 className="unseen">{words('build:views.rules')}</h2>
      <ol className="map-ways">
        {draft.logic.map((rule, at) => {
          const share = shares.ofRule(at)
          return (
            <li key={at}>
              <button
                type="button"
                className="link grow"
                onClick={() => {
                  const anchor = edges.find((edge) => edge.rule === at)?.from
                  go(anchor === undefined ? {} : { at: anchor }, true)
                }}
              >
                {words('build:if')} {say.plain(rule.when, draft)}:{' '}
                {rule.then.map((action) => say.action(action, draft)).join(', ')}
              </button>
              {share !== null && (
                <b className="figure">{share === 0 ? words('build:neverTaken') : formatRate(share * 100)}</b>
              )}
            </li>
          )
        })}
      </ol>
    </div>
  )
}

function columnOf({ isAside }: MapNode): number {
  return isAside ? ASIDE : MIDDLE
}

function pathOf(edge: MapEdge, from: MapNode, to: MapNode, x: (value: number) => number): string {
  const [top, bottom] = [from.row * ROW + 10, to.row * ROW + 10]
  const [a, b] = [columnOf(from), columnOf(to)]
  if (edge.isJump) {
    // Around the questions that it passes over.
    const out = MIDDLE - 40 - Math.min(150, (to.row - from.row) * 14)
    const [y1, y2] = [top + HEIGHT / 2 + 6, bottom + HEIGHT / 2]
    return `M${x(a)} ${y1}C${x(out)} ${y1} ${x(out)} ${y2} ${x(b)} ${y2}`
  }
  if (from.isAside === to.isAside || (from.isAside && !to.isAside)) {
    const [sx, ex] = [a + BOX / 2 - (from.isAside ? 60 : 0), b + BOX / 2 + (from.isAside ? 60 : 0)]
    const [y1, y2] = [top + HEIGHT, bottom - 2]
    return sx === ex
      ? `M${x(sx)} ${y1}V${y2}`
      : `M${x(sx)} ${y1}C${x(sx)} ${y1 + 24} ${x(ex)} ${y2 - 24} ${x(ex)} ${y2}`
  }
  const [y1, y2] = [top + HEIGHT / 2, bottom + HEIGHT / 2]
  return `M${x(a + BOX)} ${y1}C${x(a + BOX + 60)} ${y1} ${x(b - 60)} ${y2} ${x(b - 2)} ${y2}`
}

function labelPlace(
  edge: MapEdge,
  from: MapNode,
  to: MapNode,
): { x: number; y: number; anchor: 'start' | 'middle' | 'end' } {
  if (edge.isJump) return { x: MIDDLE - 12, y: from.row * ROW + 10 + HEIGHT + 14, anchor: 'end' }
  if (edge.rule === null)
    return { x: columnOf(from) + BOX / 2 + 8, y: from.row * ROW + 10 + HEIGHT + 18, anchor: 'start' }
  return { x: MIDDLE + BOX + 30, y: to.row * ROW + 4, anchor: 'start' }
}

/** The share of those who left a question that went each way. Null where nobody can know. */
function useShares() {
  const builder = useBuilder()
  const draft = useDraft()
  const version = useBuild((state) => state.head.version)
  const isCounted = version > 0 && draft.privacy !== 'anonymous'
  const report = useQuery({
    queryKey: ['report', builder.id, 'reached'],
    queryFn: () => answerOf(api.GET('/v1/surveys/{id}/report', { params: { path: { id: builder.id } } })),
    enabled: version > 0,
    staleTime: 60_000,
  })
  const only = { field: 'survey_id', op: 'eq', value: builder.id }
  const count = (filter: object) =>
    answerOf(
      api.GET('/v1/responses', {
        params: { query: { limit: 1, count: 'true', filter: JSON.stringify({ all: [only, filter] }) as never } },
      }),
    ).then((answer) => answer.count?.matching.n ?? null)
  const counts = useQueries({
    queries: draft.logic.slice(0, MOST_COUNTED).map(({ when }) => {
      const filter = filterOf(when)
      return {
        queryKey: ['taken', builder.id, filter],
        queryFn: () => count(filter ?? {}),
        enabled: isCounted && filter !== null,
        staleTime: 60_000,
        retry: false,
      }
    }),
  })
  const reached = new Map(report.data?.questions.map(({ question_id, reached: people }) => [question_id, people]))
  const total = report.data ? Math.max(0, ...reached.values()) : null
  const anchorOf = (rule: number) => mapOf(draft).edges.find((edge) => edge.rule === rule)?.from
  const ofRule = (rule: number): number | null => {
    const taken = counts[rule]?.data
    const base = reached.get(anchorOf(rule) ?? '')
    return typeof taken === 'number' && base !== undefined && base > 0 ? Math.min(1, taken / base) : null
  }
  const of = (edge: MapEdge): number | null => {
    if (edge.rule !== null) return ofRule(edge.rule)
    const base = reached.get(edge.from)
    if (base === undefined || !total) return null
    if (base === 0) return 0
    const led = mapOf(draft)
      .edges.filter((each) => each.from === edge.from && each.rule !== null)
      .map((each) => ofRule(each.rule ?? -1))
    if (led.length === 0) return base / total
    if (led.includes(null)) return null
    return Math.max(0, 1 - led.reduce<number>((sum, each) => sum + (each ?? 0), 0))
  }
  return { total: total === 0 ? null : total, of, ofRule }
}
