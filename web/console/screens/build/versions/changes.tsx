import { Icon } from '../../../../ui/icon.tsx'
import { formatLanguage } from '../../../words/format.ts'
import { useWords } from '../../../words/words.ts'
import type { Change } from '../model/compare.ts'
import type { Draft } from '../model/draft.ts'
import { languagesOf } from '../model/texts.ts'
import { settingWord, useSay } from '../sayings.ts'

/** Texts whose name in the builder is no setting. */
const PARTS: Record<string, string> = { description: 'description', message: 'message' }
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
          {change.kind === 'words' ? (
            <Wording change={change} draft={after} />
          ) : (
            <span className="grow">
              <b>
                {words(
                  `build:changed.${change.kind}.${change.what}`,
                  'place' in change ? { place: change.place + 1 } : {},
                )}
              </b>{' '}
              {change.what === 'rule' ? (
                <span>{ruleText(change)}</span>
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
          )}
        </li>
      ))}
    </ul>
  )
}

/** The old and the new text, each whole, one below the other. */
function Wording({ change, draft }: { change: Extract<Change, { kind: 'words' }>; draft: Draft }) {
  const words = useWords()
  const { what, place, name, language, before, after } = change
  const facts = [
    ...(name === 'title' ? [] : [name in PARTS ? words(`build:${PARTS[name]}`) : settingWord(name, words)]),
    ...(languagesOf(draft).length > 1 ? [formatLanguage(language)] : []),
  ]
  return (
    <div className="grow">
      <p>
        <b>{words(`build:changed.words.${what}`, { place: place + 1 })}</b>{' '}
        {facts.length > 0 && <span className="faint">({facts.join(' · ')})</span>}
      </p>
      {[
        { label: words('build:compareFrom'), parts: before },
        { label: words('build:compareTo'), parts: after },
      ].map(
        ({ label, parts }, at) =>
          parts.length > 0 && (
            <p key={label} className={`wording ${at === 0 ? 'old' : 'now'}`}>
              <span className="faint">{label}</span>
              <span>
                {' '}
                <bdi lang={language} dir="auto">
                  {parts.map(({ kind, text }, run) =>
                    kind === 'gone' ? <del key={run}>{text}</del> : kind === 'new' ? <ins key={run}>{text}</ins> : text,
                  )}
                </bdi>
              </span>
            </p>
          ),
      )}
    </div>
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
