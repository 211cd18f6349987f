import type { Words } from '../../words/words.ts'

/** The first content of a template: everything that a mail needs, in the language of the console. */
export function starterOf(words: Words) {
  const link = (address: string, label: string) => `<p><a href="{{ ${address} }}">${label}</a></p>`
  return {
    subject: words('templates:starter.subject', { workspace: '{{ workspace.name }}' }),
    html: [
      `<p>${words('templates:starter.hello', { name: '{{ name }}' })}</p>`,
      `<p>${words('templates:starter.intro')}</p>`,
      '<p><strong>{{ survey.question }}</strong></p>',
      '{% score_links %}',
      link('survey_url', words('templates:starter.answer')),
      link('unsubscribe_url', words('templates:starter.unsubscribe')),
    ].join('\n'),
  }
}

/** The values that a template can have besides its own words. */
export const VALUES = [
  '{{ name }}',
  '{{ survey.name }}',
  '{{ survey.question }}',
  '{% score_links %}',
  '{{ survey_url }}',
  '{{ unsubscribe_url }}',
  '{{ workspace.name }}',
  '{{ words }}',
]
