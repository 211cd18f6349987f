import { Icon } from '../../../ui/icon.tsx'
import { formatLanguage } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import type { Change } from './model/compare.ts'
import type { Draft } from './model/draft.ts'
import { settingWord, useSay } from './sayings.ts'

const SIGN = { added: 'plus', removed: 'x', moved: 'arrow-up-down', words: 'pencil', settings: 'settings' } as const

/** The differences between two versions, in the order of the survey. */
export function Changes({ changes, before, after }: { changes: Change[]; before: Draft; after: Draft }) {
  const words = useWords()
  const say = useSay()
  const ruleText = (change: Change) => {
    if (change.kind !== 'added' && change.kind !== 'removed') return ''
    const draft = change.kind === 'added' ? after : before
    const rule = draft.logic[change.place]
    if (!rule) return ''
    return `${words('build:if')} ${say.plain(rule.when, draft)}: ${rule.then.map((action) => say.action(action, draft)).join(', ')}`
  }
  return (
    <ul className="changes">
      {changes.map((change, at) => (
        <li key={at}>
          <Icon name={SIGN[change.kind]} />
          <span className="grow">
            <b>{words(`build:changed.${change.kind}.${change.what}`)}</b>{' '}
            {change.what === 'rule' ? (
              <span>{ruleText(change)}</span>
            ) : change.kind === 'words' ? (
              <>
                {change.title !== '' && <bdi className="soft">{change.title}</bdi>}{' '}
                <span className="faint">({formatLanguage(change.language)})</span>{' '}
                <bdi lang={change.language}>
                  {change.parts.map(({ kind, text }, place) =>
                    kind === 'gone' ? <s key={place}>{text}</s> : kind === 'new' ? <ins key={place}>{text}</ins> : text,
                  )}
                </bdi>
              </>
            ) : (
              <>
                <bdi>{change.title}</bdi>
                {change.kind === 'moved' && (
                  <span className="soft"> {words('build:fromTo', { from: change.from + 1, to: change.to + 1 })}</span>
                )}
                {change.kind === 'settings' && (
                  <span className="soft">
                    {change.title === '' ? '' : ': '}
                    {change.names.map((name, place) => (
                      <span key={name}>
                        {place > 0 && ', '}
                        {settingWord(name, words)}
                        {change.what === 'survey' && (
                          <Values before={before[name as keyof Draft]} after={after[name as keyof Draft]} />
                        )}
                      </span>
                    ))}
                  </span>
                )}
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The values of a setting, where they are short enough to be read. */
function Values({ before, after }: { before: unknown; after: unknown }) {
  const isShort = (value: unknown) => value === undefined || value === null || typeof value !== 'object'
  if (!isShort(before) || !isShort(after)) return null
  const shownAs = (value: unknown) => (value === undefined || value === null ? '–' : String(value))
  return (
    <>
      {' '}
      <s>{shownAs(before)}</s> <ins>{shownAs(after)}</ins>
    </>
  )
}
