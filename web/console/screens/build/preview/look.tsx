import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../../ui/button.tsx'
import { Labelled } from '../../../../ui/form.tsx'
import { orgQuery } from '../../../app/me.ts'
import { CHOICES, Colour } from '../../../looks/colour.tsx'
import { PictureOf } from '../../../looks/picture.tsx'
import { useWords } from '../../../words/words.ts'
import { useIssueWords } from '../issue-words.ts'
import { setMember, without } from '../model/edits.ts'
import type { Draft } from '../model/draft.ts'
import { Preview } from './preview.tsx'
import { useBuild, useBuilder, useDraft, useMayEdit } from '../use-builder.ts'

type Theme = NonNullable<Draft['theme']>

/** The look of this survey. Members that it does not set are those of the workspace. */
export function Look() {
  const words = useWords()
  const builder = useBuilder()
  const draft = useDraft()
  const mayEdit = useMayEdit()
  const problems = useBuild((state) => state.problems)
  const issueWords = useIssueWords()
  const branding = useQuery(orgQuery).data?.branding
  const { theme } = draft
  const set = (name: keyof Theme, value: string | null | undefined) => {
    const next = without({ ...theme, [name]: value } as Theme)
    builder.edit(
      (before) => setMember(before, 'theme', Object.keys(next).length === 0 ? undefined : next),
      `theme.${name}`,
    )
  }
  const errorOf = (name: string) => {
    const found = problems.find(({ path }) => path === `theme.${name}`)
    return found && issueWords(found)
  }
  return (
    <div className="build two">
      <div className="editor">
        <fieldset className="stack" disabled={!mayEdit}>
          <Labelled label={words('build:layout')}>
            {(control) => (
              <select
                {...control}
                className="input"
                value={draft.layout ?? 'question'}
                onChange={({ target }) =>
                  builder.edit((before) => setMember(before, 'layout', target.value === 'page' ? 'page' : undefined))
                }
              >
                <option value="question">{words('build:layouts.question')}</option>
                <option value="page">{words('build:layouts.page')}</option>
              </select>
            )}
          </Labelled>
          <p className="soft">{words('build:themeText')}</p>
          {(['layout', 'font', 'corners'] as const).map((name) => (
            <Labelled key={name} label={words(`looks:theme.${name}`)} error={errorOf(name)}>
              {(control) => (
                <select
                  {...control}
                  className="input"
                  value={theme?.[name] ?? ''}
                  onChange={({ target }) => set(name, target.value || undefined)}
                >
                  <option value="">
                    {branding
                      ? words('build:asWorkspaceIs', { value: words(`looks:themes.${branding[name]}`) })
                      : words('build:asWorkspace')}
                  </option>
                  {CHOICES[name].map((each) => (
                    <option key={each} value={each}>
                      {words(`looks:themes.${each}`)}
                    </option>
                  ))}
                </select>
              )}
            </Labelled>
          ))}
          <Colour
            label={words('looks:theme.color')}
            value={theme?.color ?? null}
            usual={branding?.color ?? null}
            token="--accent"
            error={errorOf('color')}
            onChange={(value) => set('color', value ?? undefined)}
          />
          <Colour
            label={words('looks:theme.background')}
            value={theme?.background ?? null}
            usual={branding?.background ?? null}
            token="--surface"
            error={errorOf('background')}
            onChange={(value) => set('background', value ?? undefined)}
          />
          {(['cover_url', 'logo_url'] as const).map((name) => (
            <div key={name} className="field">
              <span className="strong">{words(name === 'cover_url' ? 'looks:theme.cover' : 'looks:theme.logo')}</span>
              <span className="row">
                <PictureOf url={theme?.[name] ?? undefined} onChange={(url) => set(name, url)} />
                {theme?.[name] === undefined ? (
                  <span className="faint">{words('build:asWorkspace')}</span>
                ) : (
                  <Button look="quiet" onClick={() => set(name, undefined)}>
                    {words('build:asWorkspace')}
                  </Button>
                )}
                {theme?.[name] !== null && (
                  <Button look="quiet" onClick={() => set(name, null)}>
                    {words('looks:noPicture')}
                  </Button>
                )}
              </span>
              {errorOf(name) !== undefined && <p className="wrong">{errorOf(name)}</p>}
            </div>
          ))}
        </fieldset>
      </div>
      {mayEdit && <Preview />}
    </div>
  )
}
