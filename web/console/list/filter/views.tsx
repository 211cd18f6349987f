import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import type { ListState } from '../../app/list-state.ts'
import { answerOf, api } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'
import type { Entity } from './save-view.tsx'

const SaveView = lazy(() => import('./save-view.tsx').then(({ SaveView }) => ({ default: SaveView })))

interface Props {
  entity: Entity
  state: ListState
  /** Fields of the columns that are shown, in a list in which they can be chosen. */
  columns?: string[]
  onChoose: (state: Partial<ListState>) => void
}

/** Saved filters of a list. The name of the chosen one is in the bar, and says when the list differs from it. */
export function Views({ entity, state, columns = [], onChoose }: Props) {
  const words = useWords()
  const client = useQueryClient()
  const [isSaving, setSaving] = useState(false)
  const { data } = useQuery({
    queryKey: ['views', entity],
    queryFn: () => answerOf(api.GET('/v1/filter-views', { params: { query: { entity, limit: 100 } } })),
    staleTime: 60_000,
  })
  const views = data?.data ?? []
  const chosen = views.find(({ id }) => id === state.view)
  const differs =
    chosen !== undefined &&
    (JSON.stringify(chosen.filter) !== JSON.stringify(state.filter ?? { all: [] }) ||
      (chosen.sort ?? undefined) !== state.sort ||
      (chosen.columns.length > 0 && chosen.columns.join() !== columns.join()))
  const remove = useMutation({
    mutationFn: (id: string) => answerOf(api.DELETE('/v1/filter-views/{id}', { params: { path: { id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['views', entity] }),
  })
  return (
    <>
      <Menu
        groups={[
          {
            items: [
              {
                label: words('list:views.all'),
                isChosen: chosen === undefined,
                onChoose: () =>
                  onChoose({
                    view: undefined,
                    filter: undefined,
                    sort: undefined,
                    columns: undefined,
                  } as Partial<ListState>),
              },
              ...views.map(({ id, name, filter, sort, columns: kept }) => ({
                label: <bdi>{name}</bdi>,
                isChosen: id === chosen?.id,
                onChoose: () =>
                  onChoose({
                    view: id,
                    filter,
                    sort: sort ?? undefined,
                    columns: kept.length > 0 ? kept : undefined,
                  } as Partial<ListState>),
              })),
            ],
          },
          {
            items: [
              { label: words('list:views.save'), icon: 'bookmark', onChoose: () => setSaving(true) },
              ...(chosen
                ? [
                    {
                      label: words('list:views.remove', { name: chosen.name }),
                      icon: 'trash',
                      onChoose: () => {
                        remove.mutate(chosen.id)
                        onChoose({ view: undefined } as Partial<ListState>)
                      },
                    },
                  ]
                : []),
            ],
          },
        ]}
      >
        <bdi className="cut">{chosen?.name ?? words('list:views.all')}</bdi>
        {differs && <span className="faint">{words('list:views.changed')}</span>}
        <Icon name="chevron-down" isSmall />
      </Menu>
      {isSaving && (
        <Suspense>
          <SaveView
            entity={entity}
            state={state}
            columns={columns}
            onClose={() => setSaving(false)}
            onSaved={(id) => {
              setSaving(false)
              void client.invalidateQueries({ queryKey: ['views', entity] })
              onChoose({ view: id })
            }}
          />
        </Suspense>
      )}
    </>
  )
}
