import { useEffect, useRef, type ReactNode } from 'react'

interface Props {
  label: string
  openId: string
  children: ReactNode
}

/** The details of the open row. Beside the list they stay in sight, and those of another row begin at their top. */
export function Details({ label, openId, children }: Props) {
  const aside = useRef<HTMLElement>(null)
  useEffect(() => {
    aside.current?.scrollTo({ top: 0 })
  }, [openId])
  return (
    <aside ref={aside} aria-label={label}>
      {children}
    </aside>
  )
}
