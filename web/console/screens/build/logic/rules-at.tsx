import { Button } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { useWords } from '../../../words/words.ts'
import { changeItem } from '../model/edits.ts'
import { newRule, rulesAt, shownOnlyIf } from '../model/logic.ts'
import { shown } from '../model/texts.ts'
import { RuleSentence } from './rule-sentence.tsx'
import { useBuilder, useDraft, useMayEdit } from '../use-builder.ts'

/** The way on from a question: its rules as sentences, and the question that comes without them. */
export function RulesAt({ id, place }: { id: string; place: number }) {
  const words = useWords()
  const builder = useBuilder()
  const draft = useDraft()
  const mayEdit = useMayEdit()
  const own = rulesAt(draft, id)
  const atStart = place === 0 ? rulesAt(draft, null) : []
  const rule = newRule(draft, id)
  // A question that only a rule shows does not follow without one.
  const conditional = shownOnlyIf(draft)
  const next = draft.questions.slice(place + 1).find((question) => !conditional.has(question.id))
  return (
    <section className="rules" aria-labelledby="then">
      {atStart.length > 0 && (
        <>
          <h2>{words('build:before')}</h2>
          {atStart.map(({ rule: each, at }) => (
            <RuleSentence key={at} rule={each} at={at} anchor={null} />
          ))}
        </>
      )}
      <header>
        <h2 id="then">{words('build:then')}</h2>
        {mayEdit && rule && (
          <Button
            look="quiet"
            onClick={() => {
              builder.edit((before) => changeItem(before, 'logic', before.logic.length, rule))
              setTimeout(() =>
                [...document.querySelectorAll<HTMLElement>('.rules .sentence')]
                  .at(-1)
                  ?.querySelector('select')
                  ?.focus(),
              )
            }}
          >
            <Icon name="plus" isSmall />
            {words('build:rule')}
          </Button>
        )}
      </header>
      {own.map(({ rule: each, at }) => (
        <RuleSentence key={at} rule={each} at={at} anchor={id} />
      ))}
      <p className="faint">
        {next
          ? words(own.length > 0 ? 'build:otherwise' : 'build:next', { question: shown(next.title, draft) || next.id })
          : words(place === draft.questions.length - 1 ? 'build:lastOne' : 'build:elseEnding')}
      </p>
    </section>
  )
}
