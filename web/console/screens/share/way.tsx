import type { ReactNode } from 'react'
import { Icon } from '../../../ui/icon.tsx'

interface Props {
  icon: string
  title: string
  action?: ReactNode
  children: ReactNode
}

/** One way by which a survey gets to people. */
export function Way({ icon, title, action, children }: Props) {
  return (
    <li>
      <span className="soft">
        <Icon name={icon} />
      </span>
      <div className="about">
        <h2>{title}</h2>
        {children}
      </div>
      {action !== undefined && <div className="action">{action}</div>}
    </li>
  )
}
