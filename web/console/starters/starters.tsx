import { type Language, useWords } from '../words/words.ts'
import { formatDuration } from '../words/format.ts'

type Text = Record<Language, string>

/** A whole survey to begin with, in four languages. */
export interface Starter {
  name: Text
  definition: Record<string, unknown> & {
    questions: Array<{ id: string; title: Text; choices?: Array<{ label: Text }> }>
  }
}

const LOADERS = {
  'post-purchase-nps': () => import('./post-purchase-nps.json'),
  'support-csat': () => import('./support-csat.json'),
  'onboarding-ces': () => import('./onboarding-ces.json'),
  'product-market-fit': () => import('./product-market-fit.json'),
  'employee-pulse': () => import('./employee-pulse.json'),
  'event-feedback': () => import('./event-feedback.json'),
}
export type StarterName = keyof typeof LOADERS

/** In the order of the screen, with the number of questions and the seconds that they take. */
const STARTERS: Array<{ name: StarterName; questions: number; seconds: number }> = [
  { name: 'post-purchase-nps', questions: 3, seconds: 20 },
  { name: 'support-csat', questions: 2, seconds: 15 },
  { name: 'onboarding-ces', questions: 2, seconds: 15 },
  { name: 'product-market-fit', questions: 4, seconds: 60 },
  { name: 'employee-pulse', questions: 5, seconds: 60 },
  { name: 'event-feedback', questions: 4, seconds: 60 },
]

export async function loadStarter(name: StarterName): Promise<Starter> {
  return (await LOADERS[name]()).default as Starter
}

/** The starters as cards, one of which is chosen. */
export function StarterChoice({ chosen, onChoose }: { chosen: StarterName; onChoose: (name: StarterName) => void }) {
  const words = useWords()
  return (
    <div className="starters" role="group" aria-label={words('starters:all')}>
      {STARTERS.map(({ name, questions, seconds }) => (
        <button
          key={name}
          type="button"
          className="starter"
          aria-pressed={name === chosen}
          onClick={() => onChoose(name)}
        >
          <b>{words(`starters:starter.${name}.title`)}</b>
          <span className="soft">{words(`starters:starter.${name}.text`)}</span>
          <span className="faint">
            {words('starters:questions', { count: questions })} · {formatDuration(seconds * 1000)}
          </span>
        </button>
      ))}
    </div>
  )
}
