import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'

interface Size {
  width: number
  height: number
}

/** A drawing takes the width of its place, and its height too if it has one. */
export function Fitted({
  hasHeight = false,
  children,
}: {
  hasHeight?: boolean
  children: (width: number, height: number) => ReactNode
}) {
  const place = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState<Size | null>(null)
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return
    const measure = () => setSize({ width: Math.floor(element.clientWidth), height: Math.floor(element.clientHeight) })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <div className={hasHeight ? 'fitted tall' : 'fitted'} ref={place}>
      {size !== null && size.width > 0 && children(size.width, Math.max(LEAST_PX, size.height - TABLE_PX))}
    </div>
  )
}

const LEAST_PX = 110
/** The line below a chart that opens its table. */
const TABLE_PX = 34
