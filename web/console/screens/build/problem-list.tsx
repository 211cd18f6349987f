import { Menu } from '../../../ui/menu.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useWords } from '../../words/words.ts'
import { shown } from './model/texts.ts'
import { useIssueWords } from './issue-words.ts'
import { placeOfProblem, useBuild, useBuildState, useDraft } from './use-builder.ts'

/** All that stands in the way of publishing, each a way to its place. */
export function ProblemList() {
  const words = useWords()
  const draft = useDraft()
  const problems = useBuild((state) => state.problems)
  const issueWords = useIssueWords()
  const [, go] = useBuildState()
  if (problems.length === 0) return null
  const titleOf = (id: string | null) => {
    const thing = [...draft.questions, ...draft.endings].find((each) => each.id === id)
    return thing ? `${shown(thing.title, draft) || thing.id}: ` : ''
  }
  return (
    <Menu
      className="warned"
      groups={[
        {
          items: problems.map((problem) => ({
            label: (
              <span lang={issueWords.languageOf(problem)}>
                <bdi className="strong">{titleOf(problem.id)}</bdi>
                {issueWords(problem)}
              </span>
            ),
            onChoose: () => go(placeOfProblem(problem), true),
          })),
        },
      ]}
    >
      <Icon name="triangle-alert" isSmall />
      {words('build:problems', { count: problems.length })}
    </Menu>
  )
}
