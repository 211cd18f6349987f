import { useEffect, useState } from 'react'
import { Icon } from '../../../../ui/icon.tsx'
import { Menu } from '../../../../ui/menu.tsx'
import { Switch } from '../../../../ui/form.tsx'
import { presentLanguage, useWords } from '../../../words/words.ts'
import { menuOf, settingsOf, FAMILIES, typeTitle } from '../../../../../src/survey-engine/types/registry.ts'
import type { Question } from '../model/draft.ts'
import { changeQuestion, changeType, renameQuestion } from '../model/edits.ts'
import { withOptionalText, withText } from '../model/texts.ts'
import { InsertValue } from './insert-value.tsx'
import { QuestionId } from './question-id.tsx'
import { RulesAt } from '../logic/rules-at.tsx'
import { SettingField } from './setting-field.tsx'
import { TextField, TitleField } from './text-field.tsx'
import { useBuild, useBuilder, useBuildState, useMayEdit } from '../use-builder.ts'
import { useIssueWords } from '../issue-words.ts'
import { settingWord } from '../sayings.ts'

const MENU_CLOSES_MS = 40

/** The question as large as it will be read, its settings, and the sentences that say what follows it. */
export function QuestionEditor({ question, at, isFrozen }: { question: Question; at: number; isFrozen: boolean }) {
  const words = useWords()
  const builder = useBuilder()
  const mayEdit = useMayEdit()
  const [, go] = useBuildState()
  const issueWords = useIssueWords()
  const problems = useBuild((state) => state.problems)
  useEffect(() => {
    if (builder.added !== question.id) return
    builder.added = null
    // The menu that added it gives the focus back to its button first.
    setTimeout(() => document.querySelector<HTMLElement>('.editor .title')?.focus(), MENU_CLOSES_MS)
  }, [builder, question.id])
  const [isDescribing, setDescribing] = useState(false)
  const own = problems.filter(
    ({ view, id, member }) => view === 'questions' && id === question.id && !member.startsWith('logic.'),
  )
  const settings = settingsOf(question.type)
  const known = new Set(['title', 'description', ...settings.map(([name]) => name)])
  const errorOf = (name: string) => {
    const found = own.find(({ member }) => member === name)
    return found && issueWords(found)
  }
  const loose = own.filter(({ member }) => !known.has(member.split('.')[0] ?? ''))
  const { id } = question
  const change = (name: string, value: unknown) =>
    builder.edit((draft) => changeQuestion(draft, id, { [name]: value }), `${id}.${name}`)
  const write = (name: 'title' | 'description', written: string) =>
    builder.edit(
      (draft) =>
        changeQuestion(draft, id, {
          [name]: (name === 'title' ? withText : withOptionalText)(question[name], written, draft),
        }),
      `${id}.${name}`,
    )
  const texts = settings.filter(([, { kind }]) => kind === 'text')
  const others = settings.filter(([, { kind }]) => kind !== 'text')
  return (
    <div className="editor">
      <div className="kind">
        <Icon name={menuOf(question.type).sign} />
        {isFrozen || !mayEdit ? (
          <span className="strong">{typeTitle(question.type, presentLanguage())}</span>
        ) : (
          <Menu
            className="type"
            label={words('build:typeIs', { type: typeTitle(question.type, presentLanguage()) })}
            groups={FAMILIES.map(({ name, types }) => ({
              title: words(`build:families.${name}`),
              items: types.map((type) => ({
                label: typeTitle(type, presentLanguage()),
                icon: menuOf(type).sign,
                isChosen: type === question.type,
                onChoose: () => builder.edit((draft) => changeType(draft, id, type)),
              })),
            }))}
          >
            {typeTitle(question.type, presentLanguage())}
            <Icon name="chevron-down" isSmall />
          </Menu>
        )}
        <QuestionId
          id={id}
          isFrozen={isFrozen}
          isTaken={(next) => builder.get().draft.questions.some((each) => each.id === next)}
          onRename={(next) => {
            builder.edit((draft) => renameQuestion(draft, id, next))
            go({ at: next })
          }}
        />
      </div>
      {loose.map((problem) => (
        <p key={problem.path + problem.message} className="note warn" lang={issueWords.languageOf(problem)}>
          <Icon name="triangle-alert" isSmall />
          {issueWords(problem)}
        </p>
      ))}
      <TitleField
        label={words('build:title')}
        text={question.title}
        error={errorOf('title')}
        onWrite={(written) => write('title', written)}
      />
      {question.description !== undefined || isDescribing ? (
        <div className="block">
          <TextField
            label={words('build:description')}
            isLong
            text={question.description}
            error={errorOf('description')}
            onWrite={(written) => write('description', written)}
          />
        </div>
      ) : (
        mayEdit && (
          <button type="button" className="link" onClick={() => setDescribing(true)}>
            {words('build:describe')}
          </button>
        )
      )}
      {texts.length > 0 && (
        <div className="pairs">
          {texts.map(([name]) => (
            <TextField
              key={name}
              label={settingWord(name, words)}
              text={(question as unknown as Record<string, string>)[name]}
              error={errorOf(name)}
              onWrite={(written) =>
                builder.edit(
                  (draft) =>
                    changeQuestion(draft, id, {
                      [name]: withOptionalText((question as unknown as Record<string, string>)[name], written, draft),
                    }),
                  `${id}.${name}`,
                )
              }
            />
          ))}
        </div>
      )}
      <div className="others">
        {others.map(([name, setting]) => (
          <SettingField
            key={name}
            question={question}
            name={name}
            setting={setting}
            problems={own}
            onChange={(value) => change(name, value)}
          />
        ))}
      </div>
      <div className="under">
        {question.type !== 'statement' && (
          <Switch
            label={words('build:required')}
            isOn={question.required === true}
            disabled={!mayEdit}
            onChange={(isOn) => change('required', isOn ? true : undefined)}
          />
        )}
        {mayEdit && <InsertValue place={at} />}
      </div>
      <RulesAt id={id} place={at} />
    </div>
  )
}
