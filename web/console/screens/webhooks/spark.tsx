interface Props {
  /** In order. A part is some hours. */
  parts: Array<{ attempts: number; failed: number }>
  label: string
  height?: number
  /** As wide as its place. */
  isWide?: boolean
}

const WIDTH = 4
const GAP = 1

/** Attempts over time as columns. Failed ones stand at the bottom in red. */
export function Spark({ parts, label, height = 24, isWide = false }: Props) {
  const most = Math.max(1, ...parts.map(({ attempts }) => attempts))
  const width = parts.length * (WIDTH + GAP)
  return (
    <svg
      width={isWide ? '100%' : width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {parts.map(({ attempts, failed }, at) => {
        const whole = attempts === 0 ? 1 : Math.max(2, (attempts / most) * height)
        const bad = attempts === 0 ? 0 : (failed / attempts) * whole
        const x = at * (WIDTH + GAP)
        return (
          <g key={at}>
            <rect
              x={x}
              y={height - whole}
              width={WIDTH}
              height={Math.max(0, whole - bad)}
              fill={attempts === 0 ? 'var(--line-2)' : 'var(--mid)'}
            />
            {bad > 0 && <rect x={x} y={height - bad} width={WIDTH} height={bad} fill="var(--bad)" />}
          </g>
        )
      })}
    </svg>
  )
}
