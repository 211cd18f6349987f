import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { Labelled } from '../../../../ui/form.tsx'
import { Empty } from '../../../../ui/parts.tsx'
import { answerOf, api } from '../../../session/api.ts'
import { useWords } from '../../../words/words.ts'
import type { Ending } from '../model/draft.ts'
import { changeItem, freeNumber, without } from '../model/edits.ts'
import { shown, withOptionalText, withText } from '../model/texts.ts'
import { InsertValue } from './insert-value.tsx'
import { useIssueWords } from '../issue-words.ts'
import { TextField, TitleField } from './text-field.tsx'
import { useBuild, useBuilder, useBuildState, useDraft, useMayEdit } from '../use-builder.ts'

/** The last pages: words, where the button leads, and who counts. */
export function Endings() {
  const words = useWords()
  const builder = useBuilder()
  const draft = useDraft()
  const mayEdit = useMayEdit()
  const [state, go] = useBuildState()
  const { endings } = draft
  const at = Math.max(
    0,
    endings.findIndex(({ id }) => id === state.at),
  )
  const ending = endings[at]
  const add = () => {
    const id = freeNumber(new Set(endings.map((each) => each.id)), 'end')
    builder.edit((before) =>
      changeItem(before, 'endings', before.endings.length, {
        id,
        title: withText(undefined, words('build:thanks'), before),
      }),
    )
    go({ view: 'endings', at: id }, true)
  }
  const adding = mayEdit && (
    <Button look={ending ? 'quiet' : 'primary'} onClick={add}>
      <Icon name="plus" isSmall />
      {words('build:ending')}
    </Button>
  )
  if (!ending)
    return (
      <Empty title={words('build:noEndings')} actions={adding}>
        <p>{words('build:noEndingsText')}</p>
      </Empty>
    )
  return (
    <div className="build">
      <div className="outline">
        <ol aria-label={words('build:views.endings')}>
          {endings.map((each) => (
            <li key={each.id}>
              <button
                type="button"
                className="item"
                aria-current={each.id === ending.id ? 'true' : undefined}
                onClick={() => go({ view: 'endings', at: each.id })}
              >
                <span />
                <Icon name="flag" />
                <bdi className="cut text">{shown(each.title, draft) || each.id}</bdi>
                {each.outcome === 'screened_out' && <span className="when cut">{words('build:screenedOut')}</span>}
              </button>
            </li>
          ))}
        </ol>
        <div className="adding">{adding}</div>
      </div>
      <EndingEditor
        key={ending.id}
        ending={ending}
        onChange={(next, key) =>
          builder.edit((before) => changeItem(before, 'endings', at, next), key && `${ending.id}.${key}`)
        }
      />
    </div>
  )
}

function EndingEditor({
  ending,
  onChange,
}: {
  ending: Ending
  onChange: (next: Ending | undefined, key?: string) => void
}) {
  const words = useWords()
  const draft = useDraft()
  const mayEdit = useMayEdit()
  const problems = useBuild((state) => state.problems)
  const issueWords = useIssueWords()
  const badges = useQuery({
    queryKey: ['badges'],
    queryFn: () => answerOf(api.GET('/v1/badges', { params: { query: { limit: 100 } } })),
    staleTime: 60_000,
  })
  const errorOf = (name: string) => {
    const found = problems.find(({ view, id, member }) => view === 'endings' && id === ending.id && member === name)
    return found && issueWords(found)
  }
  return (
    <div className="editor">
      <div className="kind">
        <Icon name="flag" />
        <span className="strong">{words('build:ending')}</span>
        <span className="id faint mono">{ending.id}</span>
      </div>
      <TitleField
        label={words('build:title')}
        text={ending.title}
        error={errorOf('title')}
        onWrite={(written) => onChange({ ...ending, title: withText(ending.title, written, draft) }, 'title')}
      />
      <fieldset className="stack" disabled={!mayEdit}>
        <TextField
          label={words('build:message')}
          isLong
          text={ending.message}
          error={errorOf('message')}
          onWrite={(written) =>
            onChange(
              without({ ...ending, message: withOptionalText(ending.message, written, draft) } as never) as Ending,
              'message',
            )
          }
        />
        {mayEdit && <InsertValue place={null} />}
        <Labelled label={words('build:redirect')} hint={words('build:redirectHint')} error={errorOf('redirect_url')}>
          {(control) => (
            <input
              {...control}
              className="input"
              dir="ltr"
              inputMode="url"
              placeholder="https://"
              value={ending.redirect_url ?? ''}
              onChange={({ target }) =>
                onChange(
                  without({ ...ending, redirect_url: target.value || undefined } as never) as Ending,
                  'redirect_url',
                )
              }
            />
          )}
        </Labelled>
        <Labelled label={words('build:outcome')}>
          {(control) => (
            <select
              {...control}
              className="input"
              value={ending.outcome ?? 'completed'}
              onChange={({ target }) =>
                onChange(
                  without({
                    ...ending,
                    outcome: target.value === 'screened_out' ? 'screened_out' : undefined,
                  } as never) as Ending,
                )
              }
            >
              <option value="completed">{words('build:completed')}</option>
              <option value="screened_out">{words('build:screenedOut')}</option>
            </select>
          )}
        </Labelled>
        {(badges.data?.data.length ?? 0) > 0 && (
          <Labelled label={words('build:badge')} hint={words('build:badgeHint')} error={errorOf('badge')}>
            {(control) => (
              <select
                {...control}
                className="input"
                value={ending.badge ?? ''}
                onChange={({ target }) =>
                  onChange(without({ ...ending, badge: target.value || undefined } as never) as Ending)
                }
              >
                <option value="">{words('build:none')}</option>
                {badges.data?.data.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Labelled>
        )}
        {mayEdit && (
          <div>
            <Button look="danger" onClick={() => onChange(undefined)}>
              <Icon name="trash" isSmall />
              {words('build:removeEnding')}
            </Button>
          </div>
        )}
      </fieldset>
    </div>
  )
}
