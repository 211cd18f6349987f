/** The variables of a template. */
export interface EmailVariables {
  name: string
  /** The language asked for; the one that is taken stands in what was rendered. */
  language: string
  /** 0 for the invitation, else the number of the reminder. */
  reminder: number
  /** The words of the reminder. Empty if it has none of its own. */
  words: string
  survey: {
    name: string
    question: string
    scale: { min: number; max: number; low_label: string; high_label: string } | null
  }
  workspace: { name: string; logo_url: string | null; color: string | null }
  survey_url: string
  unsubscribe_url: string
  /** Links that open the survey with an answer filled in; a person's own click on the page records it. */
  score_urls: { value: number; url: string }[]
  custom: Record<string, string | number | boolean>
}

/** Names at the top of what templates may use; anything else is a typing error. */
export const VARIABLES = [
  'name',
  'language',
  'reminder',
  'words',
  'survey',
  'workspace',
  'survey_url',
  'unsubscribe_url',
  'score_urls',
  'custom',
] as const

/** The fields of those variables that are objects. */
export const MEMBERS: Record<string, readonly string[]> = {
  survey: ['name', 'question', 'scale'],
  workspace: ['name', 'logo_url', 'color', 'text_color', 'dark_color', 'dark_text_color'],
}

/** An unsubscribe link that no text holds by chance. */
export const SAMPLE_UNSUBSCRIBE_PATH = '/public/unsubscribe/example'

interface Sample {
  baseUrl: string
  workspace: EmailVariables['workspace']
  language: string
  name?: string | undefined
  custom?: EmailVariables['custom'] | undefined
}

/** The data of previews and test mails. They name no real person, and their links lead nowhere. */
export function sampleVariables({
  baseUrl,
  workspace,
  language,
  name = 'Ada Lovelace',
  custom = {},
}: Sample): EmailVariables {
  const surveyUrl = `${baseUrl}/public/s/example`
  return {
    name,
    language,
    reminder: 0,
    words: '',
    survey: {
      name: 'Example',
      question: QUESTIONS[language.split('-', 1)[0] ?? ''] ?? 'How likely are you to recommend us?',
      scale: { min: 0, max: 10, low_label: '', high_label: '' },
    },
    workspace,
    survey_url: surveyUrl,
    unsubscribe_url: `${baseUrl}${SAMPLE_UNSUBSCRIBE_PATH}`,
    score_urls: Array.from({ length: 11 }, (_, value) => ({ value, url: `${surveyUrl}?q1=${value}` })),
    custom,
  }
}

const QUESTIONS: Record<string, string> = {
  de: 'Wie wahrscheinlich ist es, dass Sie uns weiterempfehlen?',
  fr: 'Quelle est la probabilité que vous nous recommandiez\u202f?',
  es: '¿Qué probabilidad hay de que nos recomiende?',
  it: 'Quanto è probabile che lei ci consigli?',
  nl: 'Hoe waarschijnlijk is het dat u ons aanbeveelt?',
  pt: 'Qual é a probabilidade de você nos recomendar?',
  pl: 'Jak bardzo prawdopodobne jest, że nas Państwo polecą?',
  ar: 'ما مدى احتمال أن توصي بنا؟',
}
