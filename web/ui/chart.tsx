import { useRef, useState, type CSSProperties, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import type { Look } from '../charts/svg.ts'

interface Props {
  draw: (look: Look) => string
  /** The sentence that says what the chart shows. */
  label: string
  /** For a desktop and for a phone. */
  widths?: { wide: number; narrow: number }
  /** The same figures as rows. Absent where they stand beside the chart. */
  table?: { show: string; head: string[]; rows: ReactNode[][] }
  tips?: Tips
}

/** Texts of the parts of a chart, for the pointer and for the arrow keys. */
export interface Tips {
  texts: string[]
  /** Where the parts stand, as shares of the width. */
  placesOf: (width: number) => number[]
  /** Each part opens something, by a click and by Enter. `hint` says so. */
  open?: { hint: string; onOpen: (at: number) => void } | undefined
}

const WIDTHS = { wide: 680, narrow: 358 }

/** A chart, drawn for a wide and for a narrow screen, with its figures as a table. */
export function Chart({ draw, label, widths = WIDTHS, table, tips }: Props) {
  const isRtl = document.documentElement.dir === 'rtl'
  return (
    <>
      {(['wide', 'narrow'] as const).map((name) => (
        <Tipped key={name} className={name} label={label} tips={tips} width={widths[name]}>
          <Drawn svg={draw({ width: widths[name], label, isRtl })} />
        </Tipped>
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

interface TippedProps {
  className: string
  label: string
  tips: Tips | undefined
  width: number
  children: ReactNode
}

function Tipped({ className, label, tips, width, children }: TippedProps) {
  const [at, setAt] = useState<number | null>(null)
  const tapped = useRef<number | null>(null)
  if (!tips || tips.texts.length === 0) return <div className={`drawn ${className}`}>{children}</div>
  const places = tips.placesOf(width)
  const last = places.length - 1
  const { open } = tips
  const placeUnder = ({ currentTarget, clientX }: MouseEvent<HTMLElement>) => {
    const { x, width: wide } = currentTarget.getBoundingClientRect()
    const share = (clientX - x) / wide
    return nearest(places, document.documentElement.dir === 'rtl' ? 1 - share : share)
  }
  const click = (event: MouseEvent<HTMLElement>) => {
    if (!open) return
    const place = placeUnder(event)
    // A finger has no hover, so its first touch shows what the second opens.
    const isFirst = (event.nativeEvent as PointerEvent).pointerType === 'touch' && tapped.current !== place
    tapped.current = place
    if (isFirst) setAt(place)
    else open.onOpen(place)
  }
  const press = (event: KeyboardEvent) => {
    const isRtl = document.documentElement.dir === 'rtl'
    const steps: Record<string, number> = { ArrowRight: isRtl ? -1 : 1, ArrowLeft: isRtl ? 1 : -1 }
    const step = steps[event.key]
    if (event.key === 'Escape') setAt(null)
    if (event.key === 'Enter' && at !== null) open?.onOpen(at)
    if (step === undefined) return
    event.preventDefault()
    setAt((now) => Math.min(last, Math.max(0, now === null ? (step > 0 ? 0 : last) : now + step)))
  }
  const place = at === null ? 0 : (places[at] ?? 0)
  return (
    <div
      className={`drawn tipped ${open ? 'opens ' : ''}${className}`}
      role="group"
      aria-label={label}
      tabIndex={0}
      onKeyDown={press}
      onBlur={() => setAt(null)}
      onPointerLeave={() => setAt(null)}
      onPointerMove={(event) => setAt(placeUnder(event))}
      onClick={click}
    >
      {children}
      {at !== null && (
        <>
          <span className="tip-line" style={{ insetInlineStart: `${place * 100}%` }} />
          <span className="tip" style={tipPlace(place)} role="status">
            {tips.texts[at]}
            {open && <span className="hint">{open.hint}</span>}
          </span>
        </>
      )}
    </div>
  )
}

function tipPlace(place: number): CSSProperties {
  return place > 0.5 ? { insetInlineEnd: `${(1 - place) * 100}%` } : { insetInlineStart: `${place * 100}%` }
}

function nearest(places: number[], share: number): number {
  const distances = places.map((place) => Math.abs(place - share))
  return distances.indexOf(Math.min(...distances))
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
