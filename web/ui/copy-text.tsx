import { useState } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

interface Props {
  text: string
  copy: string
  copied: string
  /** The text has several lines. */
  isBlock?: boolean
}

/** An address or a code, with a button that copies it. */
export function CopyText({ text, copy, copied, isBlock = false }: Props) {
  const [last, setLast] = useState<string | null>(null)
  const isCopied = last === text
  return (
    <div className={`copy-text${isBlock ? ' block' : ''}`}>
      {isBlock ? (
        <pre className="code" tabIndex={0}>
          {text}
        </pre>
      ) : (
        <code className="code cut grow" tabIndex={0} title={text}>
          {text}
        </code>
      )}
      <Button onClick={() => void navigator.clipboard.writeText(text).then(() => setLast(text))}>
        <Icon name={isCopied ? 'check' : 'copy'} isSmall />
        <span aria-live="polite">{isCopied ? copied : copy}</span>
      </Button>
    </div>
  )
}
