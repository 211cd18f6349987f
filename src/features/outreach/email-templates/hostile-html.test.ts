import { describe, expect, test } from 'vitest'
import { compileSource, contentIssues } from './email-content.ts'
import { sampleVariables } from './email-variables.ts'
import { linksIn } from './html-reader.ts'
import { disarmLinks } from './html-safety.ts'
import { textFromHtml } from './text-from-html.ts'

const UNSUBSCRIBE = '<a href="{{ unsubscribe_url }}">Unsubscribe</a>'
const SAMPLE = sampleVariables({
  baseUrl: 'https://feedback.example.com',
  workspace: { name: 'Acme', logo_url: null, color: null },
  language: 'en',
  custom: { page: true },
})

// Quadratic, one of these takes longer than a test may.
const LONG = 98_000
const HOSTILE = {
  'spaces before a value': `<img src=${' '.repeat(LONG)}x>`,
  'spaces before an equals sign': `<img src${' '.repeat(LONG)}x>`,
  'spaces in a tag': `<${' '.repeat(LONG)}>`,
  'spaces before a slash': `<${' '.repeat(LONG / 2)}/${' '.repeat(LONG / 2 - 1)}>`,
  'spaces in a meta tag': `<meta http-equiv=${' '.repeat(LONG)}>`,
  'spaces in a body': `</body${' '.repeat(LONG)}`,
  'letters of a handler': `<a on${'a'.repeat(LONG)}>`,
  'spaces as entities': '&nbsp;'.repeat(LONG / 7),
  'spaces as cells': '<td>'.repeat(LONG / 4),
  'heads that are none': `${'<heada'.repeat(LONG / 7)}</head`,
  'links that begin': '<a href=x '.repeat(LONG / 10),
  'links in each other': `${'<a href=xyz>'.repeat(LONG / 24)}${'</a>'.repeat(LONG / 8)}`,
  'links one after the other': '<a href=x></a>'.repeat(LONG / 14),
  attributes: `<a ${'href=x '.repeat(LONG / 7)}>`,
  'quotes that do not end': `<a ${'href="'.repeat(LONG / 6)}>`,
  'outputs alone': '{{}}'.repeat(LONG / 4),
  'outputs without an end': '{{'.repeat(LONG / 2),
  'tags without an end': '{% %'.repeat(LONG / 4),
  'outputs of a variable': '{{name}}'.repeat(LONG / 8),
  tags: '{%assign a=1%}'.repeat(LONG / 14),
  'comments without an end': '<!--'.repeat(LONG / 4),
  scripts: 'javascript'.repeat(LONG / 10),
  entities: '&#'.repeat(LONG / 2),
}

describe.each(Object.entries(HOSTILE))('hostile HTML takes linear time: %s', (_name, html) => {
  test('when it is stored', () => {
    contentIssues({ en: { subject: 'x', html: `${UNSUBSCRIBE}${html}` } }, 'en')
    expect(textFromHtml(html).length).toBeLessThanOrEqual(html.length * 2)
  })

  test('when it is sent', () => {
    const source = {
      subject: 'x',
      html: `${UNSUBSCRIBE}{% if custom.page %}${html.replaceAll('{', '(')}{% endif %}`,
      text: '{{ unsubscribe_url }}',
    }
    const sent = disarmLinks(compileSource(source)(SAMPLE).html)
    expect(linksIn(sent)[0]?.address).toBe(SAMPLE.unsubscribe_url)
  })
})
