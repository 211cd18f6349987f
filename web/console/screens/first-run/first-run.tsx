import { Link, useSearch } from '@tanstack/react-router'
import { Icon } from '../../../ui/icon.tsx'
import { useMe } from '../../app/me.ts'
import { Entry } from '../../session/entry.tsx'
import { useWords } from '../../words/words.ts'
import { ChooseStarter } from './choose-starter.tsx'
import { InviteColleague } from './invite-colleague.tsx'
import { TryIt } from './try-it.tsx'

type Step = 'survey' | 'answer' | 'invite'

/** The place in the first run, as the address says it, so that a reload goes on where it was. */
export interface FirstRunState {
  step?: Step
  survey?: string
  receiver?: string
}

const STEPS = ['workspace', 'survey', 'answer', 'invite'] as const

/** From a workspace to an own answer that arrived, signed. */
export function FirstRun() {
  const words = useWords()
  const me = useMe()
  const { step, survey, receiver }: FirstRunState = useSearch({ strict: false })
  const present: Step = step === 'invite' ? 'invite' : survey === undefined ? 'survey' : 'answer'
  return (
    <Entry
      title={words('first-run:title')}
      isWide
      end={
        <Link className="link" to="/app/surveys">
          {words('first-run:skip')}
        </Link>
      }
    >
      <ol className="setup-steps" aria-label={words('first-run:steps.label')}>
        {STEPS.map((each) => {
          const isDone = STEPS.indexOf(each) < STEPS.indexOf(present)
          return (
            <li key={each} className={isDone ? 'done' : ''} aria-current={each === present ? 'step' : undefined}>
              <Icon name={isDone ? 'circle-check' : 'circle'} isSmall />
              <span>{words(`first-run:steps.${each}`)}</span>
            </li>
          )
        })}
      </ol>
      {present === 'survey' && <ChooseStarter mayReceive={me.permissions.includes('integrations.manage')} />}
      {present === 'answer' && survey !== undefined && <TryIt surveyId={survey} receiverId={receiver} />}
      {present === 'invite' && <InviteColleague />}
    </Entry>
  )
}
