import type { ReactNode } from 'react'

/** The state of a list in one sentence, above its rows, with one more thing to know. */
export function Lede({ sub, children }: { sub?: ReactNode; children: ReactNode }) {
  return (
    <div className="in over-list" role="status">
      <p className="lede">{children}</p>
      {sub !== undefined && <p className="sub">{sub}</p>}
    </div>
  )
}
