import type { CSSProperties, ReactNode } from 'react'
import type { Look } from '../charts/svg.ts'

interface Props {
  draw: (look: Look) => string
  /** The sentence that says what the chart shows. */
  label: string
  /** For a desktop and for a phone. */
  widths?: { wide: number; narrow: number }
  /** The same figures as rows. Absent where they stand beside the chart. */
  table?: { show: string; head: string[]; rows: ReactNode[][] }
}

const WIDTHS = { wide: 680, narrow: 358 }

/** A chart, drawn for a wide and for a narrow screen, with its figures as a table. */
export function Chart({ draw, label, widths = WIDTHS, table }: Props) {
  const isRtl = document.documentElement.dir === 'rtl'
  return (
    <>
      {(['wide', 'narrow'] as const).map((name) => (
        <Drawn key={name} className={name} svg={draw({ width: widths[name], label, isRtl })} />
      ))}
      {table && table.rows.length > 0 && (
        <details className="as-table">
          <summary>{table.show}</summary>
          <div tabIndex={0} role="region" aria-label={label}>
            <table className="table flush keep">
              <thead>
                <tr>
                  {table.head.map((each, at) => (
                    <th key={each} className={at === 0 ? '' : 'end'}>
                      {each}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {table.rows.map((row, at) => (
                  <tr key={at}>
                    {row.map((cell, place) => (
                      <td key={place} className={place === 0 ? '' : 'end figure'}>
                        {cell}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      )}
    </>
  )
}

/** A small chart of one size, beside the figures that it shows. */
export function Mark({
  draw,
  label,
  width,
  isFluid = false,
}: {
  draw: (look: Look) => string
  label: string
  width: number
  /** It shrinks with its place. */
  isFluid?: boolean
}) {
  const svg = draw({ width, label, isRtl: document.documentElement.dir === 'rtl' })
  return <Drawn svg={svg} style={isFluid ? { maxWidth: width } : { width }} />
}

// The text is made by the drawing functions, which escape everything.
function Drawn({ svg, className = '', style }: { svg: string; className?: string; style?: CSSProperties }) {
  return <div className={`drawn ${className}`} style={style} dangerouslySetInnerHTML={{ __html: svg }} />
}
