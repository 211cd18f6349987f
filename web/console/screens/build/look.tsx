import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Labelled } from '../../../ui/form.tsx'
import { orgQuery } from '../../app/me.ts'
import { useWords } from '../../words/words.ts'
import { useIssueWords } from './issue-words.ts'
import { setMember, without } from './model/edits.ts'
import type { Draft } from './model/draft.ts'
import { PictureOf } from './picture.tsx'
import { Preview } from './preview.tsx'
import { useBuild, useBuilder, useDraft, useMayEdit } from './use-builder.ts'

type Theme = NonNullable<Draft['theme']>

const CHOICES = {
  layout: ['plain', 'card', 'split'],
  font: ['system', 'serif', 'inter', 'nunito', 'literata'],
  corners: ['square', 'rounded', 'round'],
} as const

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
            <Labelled key={name} label={words(`build:theme.${name}`)} error={errorOf(name)}>
              {(control) => (
                <select
                  {...control}
                  className="input"
                  value={theme?.[name] ?? ''}
                  onChange={({ target }) => set(name, target.value || undefined)}
                >
                  <option value="">
                    {branding
                      ? words('build:asWorkspaceIs', { value: words(`build:themes.${branding[name]}`) })
                      : words('build:asWorkspace')}
                  </option>
                  {CHOICES[name].map((each) => (
                    <option key={each} value={each}>
                      {words(`build:themes.${each}`)}
                    </option>
                  ))}
                </select>
              )}
            </Labelled>
          ))}
          <Colour
            label={words('build:theme.color')}
            value={theme?.color ?? null}
            usual={branding?.color ?? null}
            token="--accent"
            error={errorOf('color')}
            onChange={(value) => set('color', value ?? undefined)}
          />
          <Colour
            label={words('build:theme.background')}
            value={theme?.background ?? null}
            usual={branding?.background ?? null}
            token="--surface"
            error={errorOf('background')}
            onChange={(value) => set('background', value ?? undefined)}
          />
          {(['cover_url', 'logo_url'] as const).map((name) => (
            <div key={name} className="field">
              <span className="strong">{words(name === 'cover_url' ? 'build:theme.cover' : 'build:theme.logo')}</span>
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
                    {words('build:noPicture')}
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

interface ColourProps {
  label: string
  value: string | null
  /** Of the workspace. */
  usual: string | null
  /** The token that stands for none. */
  token: string
  error?: string | undefined
  onChange: (value: string | null) => void
}

const HEX = /^#[0-9a-f]{6}$/i

function tokenOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}

function Colour({ label, value, usual, token, error, onChange }: ColourProps) {
  const words = useWords()
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <Labelled label={label} error={error}>
      {(control) => (
        <span className="colour">
          <input
            type="color"
            aria-label={words('build:pick', { label })}
            value={value ?? usual ?? tokenOf(token)}
            onChange={({ target }) => onChange(target.value)}
          />
          <input
            {...control}
            className="input mono"
            dir="ltr"
            placeholder={usual ?? words('build:usual')}
            value={typed ?? value ?? ''}
            onBlur={() => setTyped(null)}
            onChange={({ target }) => {
              setTyped(target.value)
              if (target.value === '') onChange(null)
              else if (HEX.test(target.value)) onChange(target.value)
            }}
          />
        </span>
      )}
    </Labelled>
  )
}
