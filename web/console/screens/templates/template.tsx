import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { ApiProblem, type Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../app/me.ts'
import { Stale } from '../../list/stale.tsx'
import { Missing } from '../../frame/failure.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { Loaded } from '../../frame/loaded.tsx'
import { Screen } from '../../frame/screen.tsx'
import { answerOf, api, taggedAnswerOf } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'
import { MailPreview } from './mail-preview.tsx'
import type { Draft, TemplateState } from './state.ts'
import { TemplateForm } from './template-form.tsx'

const TestMail = lazy(() => import('./test-mail.tsx').then((each) => ({ default: each.TestMail })))
const Versions = lazy(() => import('./versions.tsx').then((each) => ({ default: each.Versions })))

type Template = Schemas['EmailTemplate']

/** How will this mail look? */
export function TemplateDetail() {
  const words = useWords()
  const { templateId = '' } = useParams({ strict: false })
  const template = useQuery({
    queryKey: ['templates', templateId],
    queryFn: () => taggedAnswerOf(api.GET('/v1/email-templates/{id}', { params: { path: { id: templateId } } })),
    refetchOnWindowFocus: false,
  })
  if (template.error instanceof ApiProblem && template.error.status === 404) return <Missing />
  if (template.data) return <Edited key={template.data.etag} template={template.data.thing} etag={template.data.etag} />
  return (
    <Screen
      title={words('templates:template')}
      above={{ to: '/app/templates', label: words('frame:screens.templates') }}
    >
      <Loaded query={template}>{() => null}</Loaded>
    </Screen>
  )
}

function Edited({ template, etag }: { template: Template; etag: string }) {
  const words = useWords()
  const navigate = useNavigate()
  const client = useQueryClient()
  const mayManage = useMay('templates.manage')
  const state: TemplateState = useSearch({ strict: false })
  const { id, name, content, default_language } = template
  const before: Draft = { name, content, default_language }
  const [draft, setDraft] = useState(before)
  const [overlay, setOverlay] = useState<'test' | 'versions' | 'delete' | null>(null)
  const language =
    state.language !== undefined && draft.content[state.language] ? state.language : draft.default_language
  const change = (part: Partial<Draft>) => setDraft((present) => ({ ...present, ...part }))
  const go = (next: TemplateState) =>
    void navigate({ to: '.', search: { ...state, ...next } as never, replace: true } as never)
  const read = () => client.invalidateQueries({ queryKey: ['templates'] })
  const params = { path: { id } }
  const save = useMutation({
    mutationFn: (tag: string) =>
      answerOf(
        api.PATCH('/v1/email-templates/{id}', { params: { ...params, header: { 'if-match': tag } }, body: draft }),
      ),
    onSuccess: (saved) => {
      toast({ text: words('templates:saved', { name: saved.name }) })
      // The next save needs the new tag.
      return read()
    },
  })
  const remove = useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/email-templates/{id}', { params })),
    onSuccess: () => {
      void navigate({ to: '/app/templates' })
      void client.invalidateQueries({ queryKey: ['templates'], refetchType: 'none' })
      toast({ text: words('templates:deleted', { name }) })
    },
  })
  const isStale = save.error instanceof ApiProblem && save.error.status === 412
  const isChanged = JSON.stringify(draft) !== JSON.stringify(before)
  return (
    <Screen
      title={name}
      above={{ to: '/app/templates', label: words('frame:screens.templates') }}
      end={
        <>
          <Button look="quiet" className="only-wide" onClick={() => setOverlay('versions')}>
            {words('templates:version', { n: template.version })}
          </Button>
          {mayManage && (
            <>
              <Menu
                size="square"
                label={words('list:menu')}
                groups={[
                  {
                    items: [
                      { label: words('templates:versions'), icon: 'clock', onChoose: () => setOverlay('versions') },
                      { label: words('templates:test'), icon: 'send', onChoose: () => setOverlay('test') },
                    ],
                  },
                  {
                    items: [{ label: words('frame:delete'), icon: 'trash', onChoose: () => setOverlay('delete') }],
                  },
                ]}
              >
                <Icon name="ellipsis" />
              </Menu>
              <Button className="only-wide" onClick={() => setOverlay('test')}>
                <Icon name="send" isSmall />
                {words('templates:test')}
              </Button>
              <Button type="submit" form="template" look="primary" isBusy={save.isPending} disabled={!isChanged}>
                {words('frame:save')}
              </Button>
            </>
          )}
        </>
      }
    >
      <div className="template">
        <TemplateForm
          draft={draft}
          language={language}
          isReadOnly={!mayManage}
          error={isStale ? null : save.error}
          onChange={change}
          onLanguage={(next) => go({ language: next })}
          onSubmit={() => save.mutate(etag)}
          note={isStale && <Stale onTheirs={() => void read()} onMine={() => save.mutate('*')} />}
        />
        <MailPreview
          id={id}
          draft={isChanged ? draft : null}
          language={language}
          width={state.client ?? 'desktop'}
          onWidth={(client) => go({ client })}
        />
      </div>
      <Suspense>
        {overlay === 'test' && (
          <TestMail id={id} language={language} isChanged={isChanged} onClose={() => setOverlay(null)} />
        )}
        {overlay === 'versions' && (
          <Versions
            id={id}
            current={template.version}
            mayUse={mayManage}
            onUse={(used) => {
              change(used)
              setOverlay(null)
            }}
            onClose={() => setOverlay(null)}
          />
        )}
      </Suspense>
      {overlay === 'delete' && (
        <Confirm
          title={words('templates:deleteTitle', { name })}
          verb={words('frame:delete')}
          act={remove}
          onClose={() => setOverlay(null)}
        >
          <p>{words('templates:deleteText')}</p>
        </Confirm>
      )}
    </Screen>
  )
}
