import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Note } from '../../ui/parts.tsx'
import { useWords } from '../words/words.ts'

interface Props {
  secret: string
  title?: string
  /** Said above it. */
  once?: string
  onCopied: () => void
}

/** Shows a secret for the only time. No key closes it before the person says that they have it. */
export function SecretOnce({ secret, title, once, onCopied }: Props) {
  const words = useWords()
  const [isCopied, setCopied] = useState(false)
  return (
    <Dialog
      title={title ?? words('endpoints:secret.title')}
      closeLabel={words('frame:close')}
      closes={false}
      onClose={onCopied}
      footer={
        <Button look={isCopied ? 'primary' : 'plain'} onClick={onCopied}>
          {words('endpoints:secret.have')}
        </Button>
      }
    >
      <Note icon="lock">{once ?? words('endpoints:secret.once')}</Note>
      <div style={{ display: 'flex', gap: 8, alignItems: 'center' }}>
        <code
          className="code grow"
          dir="ltr"
          data-secret
          style={{ minWidth: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        >
          {secret}
        </code>
        <Button
          onClick={() => {
            void navigator.clipboard.writeText(secret)
            setCopied(true)
          }}
        >
          <Icon name={isCopied ? 'check' : 'copy'} isSmall />
          {words(isCopied ? 'frame:copied' : 'frame:copy')}
        </Button>
      </div>
    </Dialog>
  )
}
