import { useLanguage } from '../../words/words.ts'
import { usePublished, type Report, type Survey } from './data.ts'

type Text = string | Record<string, string>
export type Published = Pick<Survey, 'questions' | 'default_language'>

interface Labelled {
  id: string
  label?: Text
}

/** The words of a survey in the language of the console where the survey has it. */
export interface SurveyWords {
  /** Null for a question that the published version lacks. */
  titleOf: (questionId: string) => string | null
  /** Of the choices, rows and columns of a question, by their ids. */
  labelsOf: (questionId: string) => ReadonlyMap<string, string>
}

export function useSurveyWords(survey: Survey, version: number): SurveyWords {
  const language = useLanguage()
  const published = usePublished(survey.id, version)
  return surveyWords(published.data ?? survey, language)
}

export function surveyWords({ questions, default_language }: Published, language: string): SurveyWords {
  const say = (text: Text | undefined) =>
    typeof text === 'object' ? (text[language] ?? text[default_language] ?? '') : (text ?? '')
  const find = (id: string) => questions.find((each) => each.id === id)
  return {
    titleOf: (id) => say(find(id)?.title as Text | undefined) || null,
    labelsOf: (id) => {
      const question = find(id) as { choices?: Labelled[]; rows?: Labelled[]; columns?: Labelled[] } | undefined
      const all = [...(question?.choices ?? []), ...(question?.rows ?? []), ...(question?.columns ?? [])]
      return new Map(all.map((each) => [each.id, say(each.label)]))
    },
  }
}

/** A report with the titles of its questions in these words. A question that is gone keeps its own. */
export function withTitles(report: Report, { titleOf }: SurveyWords): Report {
  const questions = report.questions.map((each) =>
    each.title === null ? each : { ...each, title: titleOf(each.question_id) ?? each.title },
  )
  return { ...report, questions }
}
