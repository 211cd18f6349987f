import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import type { MenuItem } from '../../../ui/menu-popup.tsx'
import { endpointName } from '../../endpoints/endpoint-name.ts'
import { useWords } from '../../words/words.ts'
import { DeleteEndpoint } from './delete-endpoint.tsx'
import { useEndpointActs } from './endpoint-acts.ts'
import type { Webhook } from './endpoints.ts'

const Rotate = lazy(() => import('./rotate-secret.tsx').then(({ RotateSecret }) => ({ default: RotateSecret })))

interface Props {
  webhook: Pick<Webhook, 'id' | 'url' | 'description' | 'enabled'>
  /** The row of a list has the verbs that the endpoint's own page shows as buttons. */
  isRow?: boolean
}

/** The acts on an endpoint. */
export function EndpointMenu({ webhook, isRow = false }: Props) {
  const words = useWords()
  const navigate = useNavigate()
  const { turn, test } = useEndpointActs(webhook.id)
  const [asked, ask] = useState<'rotate' | 'delete' | null>(null)
  const { id, enabled } = webhook
  const close = () => ask(null)
  const ofRow: MenuItem[] = [
    {
      label: words('webhooks:open'),
      onChoose: () => void navigate({ to: '/app/webhooks/$webhookId', params: { webhookId: id } }),
    },
    { label: words('webhooks:test'), icon: 'send', isDisabled: !enabled, onChoose: () => test.mutate() },
    {
      label: words(enabled ? 'webhooks:pause' : 'webhooks:resume'),
      icon: enabled ? 'pause' : 'zap',
      onChoose: () => turn.mutate(!enabled),
    },
  ]
  return (
    <>
      <Menu
        size="square"
        label={words('webhooks:menuOf', { name: endpointName(webhook) })}
        groups={[
          ...(isRow ? [{ items: ofRow }] : []),
          { items: [{ label: words('webhooks:rotate.ask'), icon: 'lock', onChoose: () => ask('rotate') }] },
          { items: [{ label: words('webhooks:delete'), icon: 'trash', onChoose: () => ask('delete') }] },
        ]}
      >
        <Icon name="ellipsis" />
      </Menu>
      {asked === 'rotate' && (
        <Suspense>
          <Rotate webhookId={id} onClose={close} />
        </Suspense>
      )}
      {asked === 'delete' && (
        <DeleteEndpoint
          webhook={webhook}
          onClose={close}
          onDeleted={() => (isRow ? close() : void navigate({ to: '/app/webhooks' }))}
        />
      )}
    </>
  )
}
