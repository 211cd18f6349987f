import { Button } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { Labelled, NumberInput, Switch } from '../../../../ui/form.tsx'
import { Empty, Note } from '../../../../ui/parts.tsx'
import { NewButton } from '../../../frame/screen.tsx'
import { useWords } from '../../../words/words.ts'
import { takesAnswer } from '../../../../../src/survey-engine/types/registry.ts'
import { ConditionSentence } from './condition-sentence.tsx'
import { changeItem, freeNumber, setMember, without } from '../model/edits.ts'
import type { Quota } from '../model/draft.ts'
import { newTest } from '../model/logic.ts'
import { useIssueWords } from '../issue-words.ts'
import { useBuild, useBuilder, useDraft, useMayEdit } from '../use-builder.ts'

/** How many answers are enough, in all and of each kind. */
export function Quotas() {
  const words = useWords()
  const builder = useBuilder()
  const draft = useDraft()
  const mayEdit = useMayEdit()
  const problems = useBuild((state) => state.problems)
  const issueWords = useIssueWords()
  const { quotas } = draft
  const first = draft.questions.find((question) => takesAnswer(question))
  const add = () => {
    const id = freeNumber(new Set(quotas.map((each) => each.id)), 'quota')
    const when = first && draft.privacy !== 'anonymous' ? newTest({ question: first.id }, draft) : undefined
    builder.edit((before) =>
      changeItem(before, 'quotas', before.quotas.length, without({ id, when, limit: 100 } as never) as Quota),
    )
  }
  const set = (at: number, quota: Quota | undefined, key?: string) =>
    builder.edit((before) => changeItem(before, 'quotas', at, quota), key && `quotas.${at}.${key}`)
  return (
    <div className="in build-column">
      <fieldset className="stack" disabled={!mayEdit}>
        <Labelled label={words('build:limit')} hint={words('build:limitHint')}>
          {(control) => (
            <NumberInput
              {...control}
              className="narrow-input"
              min={1}
              step={1}
              value={draft.response_limit}
              onNumber={(number) =>
                builder.edit((before) => setMember(before, 'response_limit', number), 'response_limit')
              }
            />
          )}
        </Labelled>
      </fieldset>
      <h2>{words('build:views.quotas')}</h2>
      {quotas.length === 0 ? (
        <Empty
          title={words('build:noQuotas')}
          actions={mayEdit && <NewButton label={words('build:quota')} onPress={add} />}
        >
          <p>{words('build:noQuotasText')}</p>
        </Empty>
      ) : (
        <>
          {quotas.map((quota, at) => {
            const own = problems.filter(({ view, id }) => view === 'quotas' && id === quota.id)
            return (
              <fieldset key={quota.id} className="sentence" disabled={!mayEdit}>
                <legend className="unseen">{quota.id}</legend>
                {words('build:atMost')}{' '}
                <NumberInput
                  className="token"
                  aria-label={words('build:quotaLimit')}
                  min={1}
                  step={1}
                  value={quota.limit}
                  onNumber={(number) => number !== null && set(at, { ...quota, limit: number }, 'limit')}
                />{' '}
                {words(quota.when ? 'build:answersWhere' : 'build:answersInAll')}{' '}
                {quota.when && (
                  <ConditionSentence
                    condition={quota.when}
                    place={-1}
                    onChange={(when, key) => set(at, { ...quota, when }, key)}
                  />
                )}
                <span className="more">
                  {first && (
                    <Switch
                      label={words('build:withCondition')}
                      isOn={quota.when !== undefined}
                      onChange={(isOn) =>
                        set(
                          at,
                          without({
                            ...quota,
                            when: isOn ? newTest({ question: first.id }, draft) : undefined,
                          } as never) as Quota,
                        )
                      }
                    />
                  )}
                  <Button
                    look="quiet"
                    size="square"
                    aria-label={words('build:removeQuota', { number: at + 1 })}
                    onClick={() => set(at, undefined)}
                  >
                    <Icon name="trash" isSmall />
                  </Button>
                </span>
                {own.map((problem) => (
                  <p key={problem.path} className="wrong" lang={issueWords.languageOf(problem)}>
                    {issueWords(problem)}
                  </p>
                ))}
              </fieldset>
            )
          })}
          {mayEdit && (
            <p>
              <Button look="quiet" onClick={add}>
                <Icon name="plus" isSmall />
                {words('build:quota')}
              </Button>
            </p>
          )}
          <Note>{words('build:quotaNote')}</Note>
        </>
      )}
    </div>
  )
}
