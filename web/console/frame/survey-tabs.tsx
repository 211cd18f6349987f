import { Link } from '@tanstack/react-router'
import { useWords } from '../words/words.ts'

const SCREENS = ['build', 'share', 'results'] as const

/** The screens of one survey. */
export function SurveyTabs({ id, current }: { id: string; current: (typeof SCREENS)[number] }) {
  const words = useWords()
  return (
    <nav className="tabs" aria-label={words('frame:survey.tabs')}>
      {SCREENS.map((screen) => (
        <Link
          key={screen}
          to={`/app/surveys/$surveyId/${screen}`}
          params={{ surveyId: id }}
          aria-current={screen === current ? 'page' : undefined}
        >
          {words(`frame:survey.${screen}`)}
        </Link>
      ))}
    </nav>
  )
}
