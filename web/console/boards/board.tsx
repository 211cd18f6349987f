import type { ReactNode, RefObject } from 'react'
import type { Box } from '../../../src/features/programme/dashboards/grid.ts'

interface Props {
  boxes: Box[]
  children: (box: Box) => ReactNode
  className?: string
  place?: RefObject<HTMLDivElement | null>
  /** The order in the document, which keeps the focus while boxes change places. Absent: that of the boxes. */
  order?: Array<{ id: string }>
}

/** Widgets on twelve columns. On a phone they stand one below another. */
export function Board({ boxes, children, className = '', place, order = boxes }: Props) {
  return (
    <div className={`widgets ${className}`} ref={place}>
      {order.map(({ id }) => {
        const at = boxes.findIndex((each) => each.id === id)
        const box = boxes[at]
        return (
          box && (
            <section
              key={box.id}
              className="widget"
              data-widget={box.id}
              style={{ gridColumn: `${box.x + 1} / span ${box.w}`, gridRow: `${box.y + 1} / span ${box.h}`, order: at }}
            >
              {children(box)}
            </section>
          )
        )
      })}
    </div>
  )
}
