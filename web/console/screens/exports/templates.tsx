import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toast.tsx'
import { reasonOf } from '../../frame/failure.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { UnseenHead } from '../../frame/loaded.tsx'
import { answerOf, api } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'
import type { Schemas } from '../../../api/client.ts'

type Template = Schemas['ExportTemplate']

interface Props {
  templates: Template[]
  onSchedule: (template: Template) => void
}

/** Recipes of exports, to run now or by themselves. */
export function Templates({ templates, onSchedule }: Props) {
  const words = useWords()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [deleting, setDeleting] = useState<Template | null>(null)
  const run = useMutation({
    mutationFn: (id: string) => answerOf(api.POST('/v1/export-runs', { body: { template_id: id } as never })),
    onSuccess: ({ id }) => void navigate({ to: '/app/exports/$runId', params: { runId: id } }),
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  const remove = useMutation({
    mutationFn: ({ id }: Template) =>
      answerOf<unknown>(api.DELETE('/v1/export-templates/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['export-templates'] })
      void client.invalidateQueries({ queryKey: ['export-schedules'] })
      setDeleting(null)
    },
  })
  return (
    <>
      <h2 className="in" style={{ flex: 'none', paddingBlock: '24px 8px' }}>
        {words('exports:templates')}
      </h2>
      <table className="table tall" aria-label={words('exports:templates')}>
        <thead>
          <tr>
            <th>{words('list:fields.name')}</th>
            <th className="wide">{words('exports:format')}</th>
            <th className="wide">{words('exports:goesTo')}</th>
            <UnseenHead className="end wide">{words('exports:runNow')}</UnseenHead>
            <UnseenHead className="end">{words('list:menu')}</UnseenHead>
          </tr>
        </thead>
        <tbody>
          {templates.map((template) => {
            const { id, name, source, format, destination } = template
            return (
              <tr key={id}>
                <td className="first">
                  <span className="pair">
                    <bdi className="strong cut">{name}</bdi>
                    <small>{words(`exports:sources.${source}`)}</small>
                  </span>
                </td>
                <td className="wide">{words(`exports:formats.${format}`)}</td>
                <td className="wide">
                  {words(`exports:destinations.${destination.type}`)}
                  {destination.type === 's3' && (
                    <bdi className="faint" dir="ltr">
                      {` ${destination.bucket ?? ''}`}
                    </bdi>
                  )}
                </td>
                <td className="end wide">
                  <Button isBusy={run.isPending && run.variables === id} onClick={() => run.mutate(id)}>
                    {words('exports:runNow')}
                  </Button>
                </td>
                <td className="end when" style={{ width: 60 }}>
                  <Menu
                    size="square"
                    label={words('exports:menuOf', { name })}
                    groups={[
                      {
                        items: [
                          { label: words('exports:runNow'), icon: 'download', onChoose: () => run.mutate(id) },
                          { label: words('exports:schedule'), icon: 'clock', onChoose: () => onSchedule(template) },
                        ],
                      },
                      {
                        items: [{ label: words('frame:delete'), icon: 'trash', onChoose: () => setDeleting(template) }],
                      },
                    ]}
                  >
                    <Icon name="ellipsis" />
                  </Menu>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {deleting && (
        <Confirm
          title={words('exports:deleteTemplate', { name: deleting.name })}
          verb={words('frame:delete')}
          act={{ ...remove, mutate: () => remove.mutate(deleting) }}
          onClose={() => {
            remove.reset()
            setDeleting(null)
          }}
        >
          <p>{words('exports:deleteTemplateText')}</p>
        </Confirm>
      )}
    </>
  )
}
