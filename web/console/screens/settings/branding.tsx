import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Labelled } from '../../../ui/form.tsx'
import { Note } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { orgQuery, useMay } from '../../app/me.ts'
import { Problem } from '../../frame/failure.tsx'
import { Loaded } from '../../frame/loaded.tsx'
import { surveyNamesQuery } from '../../list/names.ts'
import { CHOICES, Colour } from '../../looks/colour.tsx'
import { PictureOf } from '../../looks/picture.tsx'
import { answerOf, api, afterPause, issuesOf } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'
import { Settings } from './layout.tsx'

type Look = Schemas['Branding']

/** The look of respondent pages, beside a page that has it. */
export function Branding() {
  const org = useQuery(orgQuery)
  return (
    <Settings name="branding">
      <Loaded query={org}>{(shown) => <Form key={shown.updated_at} saved={shown.branding} />}</Loaded>
    </Settings>
  )
}

function Form({ saved }: { saved: Look }) {
  const words = useWords()
  const client = useQueryClient()
  const mayManage = useMay('org.manage')
  const mayUpload = useMay('surveys.manage')
  const [look, setLook] = useState(saved)
  const changed = changesOf(saved, look)
  const isChanged = Object.keys(changed).length > 0
  const save = useMutation({
    mutationFn: () => answerOf(api.PATCH('/v1/org', { body: { branding: changed } })),
    onSuccess: (next) => {
      client.setQueryData(orgQuery.queryKey, next)
      toast({ text: words('settings:saved') })
    },
  })
  const set = (part: Partial<Look>) => {
    save.reset()
    setLook((before) => ({ ...before, ...part }))
  }
  const { issues, errorOf } = issuesOf(save.error, 'branding.')
  return (
    <>
      <div>
        <p className="lede">{words('settings:brand.lede')}</p>
        <p className="sub">{words('settings:brand.mail')}</p>
      </div>
      <div className="branding">
        <div className="form">
          <fieldset className="form" disabled={!mayManage}>
            <Colour
              label={words('looks:theme.color')}
              value={look.color}
              usual={null}
              token="--accent"
              error={errorOf('color')}
              onChange={(color) => set({ color })}
            />
            <Colour
              label={words('looks:theme.background')}
              value={look.background}
              usual={null}
              token="--surface"
              error={errorOf('background')}
              onChange={(background) => set({ background })}
            />
            {(['font', 'corners', 'layout'] as const).map((name) => (
              <Labelled key={name} label={words(`looks:theme.${name}`)} error={errorOf(name)}>
                {(control) => (
                  <select
                    {...control}
                    className="input"
                    value={look[name]}
                    onChange={({ target }) => set({ [name]: target.value })}
                  >
                    {CHOICES[name].map((each) => (
                      <option key={each} value={each}>
                        {words(`looks:themes.${each}`)}
                      </option>
                    ))}
                  </select>
                )}
              </Labelled>
            ))}
            {mayUpload &&
              (['logo_url', 'cover_url'] as const).map((name) => (
                <div key={name} className="field" role="group" aria-labelledby={`branding-${name}`}>
                  <span className="strong" id={`branding-${name}`}>
                    {words(name === 'cover_url' ? 'looks:theme.cover' : 'looks:theme.logo')}
                  </span>
                  <span className="filters">
                    <PictureOf url={look[name] ?? undefined} onChange={(url) => set({ [name]: url ?? null })} />
                    {look[name] !== null && (
                      <Button look="quiet" onClick={() => set({ [name]: null })}>
                        {words('looks:noPicture')}
                      </Button>
                    )}
                  </span>
                  {errorOf(name) !== undefined && <span className="error">{errorOf(name)}</span>}
                </div>
              ))}
          </fieldset>
          {save.error && issues.length === 0 && <Problem error={save.error} />}
          {mayManage ? (
            <div className="actions">
              <Button look="primary" isBusy={save.isPending} disabled={!isChanged} onClick={() => save.mutate()}>
                {words('frame:save')}
              </Button>
              {isChanged && <Button onClick={() => set(saved)}>{words('frame:undo')}</Button>}
            </div>
          ) : (
            <Note icon="lock">
              {words('frame:forbidden.needs', { permission: words('frame:permissions.org.manage') })}
            </Note>
          )}
        </div>
        {mayUpload && <Live look={look} />}
      </div>
    </>
  )
}

function changesOf(saved: Look, look: Look): Partial<Look> {
  const names = Object.keys(saved) as Array<keyof Look>
  return Object.fromEntries(names.filter((name) => saved[name] !== look[name]).map((name) => [name, look[name]]))
}

/** A real page in the look that is being chosen. The link holds it, so nobody else sees it. */
function Live({ look }: { look: Look }) {
  const words = useWords()
  const surveys = useQuery(surveyNamesQuery)
  const rows = surveys.data?.data ?? []
  const [chosen, setChosen] = useState('')
  const surveyId = chosen || (rows.find(({ state }) => state === 'live') ?? rows[0])?.id
  const link = useQuery({
    queryKey: ['branding-preview', surveyId, look],
    queryFn: async ({ signal }) => {
      await afterPause(signal)
      const { token } = await answerOf(
        api.POST('/v1/surveys/{id}/preview-links', {
          params: { path: { id: surveyId ?? '' } },
          body: { branding: look },
        }),
      )
      return { token, surveyId }
    },
    enabled: surveyId !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 3_600_000,
    retry: false,
  })
  if (surveys.data && rows.length === 0) return <p className="soft">{words('settings:brand.none')}</p>
  return (
    <aside aria-label={words('settings:brand.preview')}>
      {rows.length > 1 && (
        <select
          className="input"
          aria-label={words('settings:brand.survey')}
          value={surveyId}
          onChange={({ target }) => setChosen(target.value)}
        >
          {rows.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      {link.error && <Problem error={link.error} onRetry={() => void link.refetch()} />}
      {link.data && (
        <iframe
          src={`/public/s/${link.data.surveyId}?${new URLSearchParams({ token: link.data.token })}`}
          title={words('settings:brand.preview')}
        />
      )}
    </aside>
  )
}
