import { DARK, LIGHT } from '../../../platform/look/tokens.ts'
import fc from 'fast-check'
import { contrast } from '../../../platform/look/accent.ts'
import { describe, expect, test } from 'vitest'
import { DEFAULT_CONTENT } from './default-template.ts'
import { contentIssues, type EmailSource } from './email-content.ts'
import { sampleVariables, type EmailVariables } from './email-variables.ts'
import { textFromHtml } from './text-from-html.ts'
import { createTemplate, renderEmail, TemplateFailedError } from './render-email.ts'
import { propertyRuns } from '../../../testing/property-runs.ts'

const UNSUBSCRIBE = '<a href="{{ unsubscribe_url }}">Unsubscribe</a>'

function variables(changes: Partial<EmailVariables> = {}): EmailVariables {
  return {
    ...sampleVariables({
      baseUrl: 'https://feedback.example.com',
      workspace: { name: 'Acme', logo_url: null, color: null },
      language: 'en',
    }),
    ...changes,
  }
}

function render(source: Partial<EmailSource>, changes: Partial<EmailVariables> = {}) {
  return renderEmail(
    createTemplate({ en: { subject: 'Hello', html: UNSUBSCRIBE, ...source } }, 'en'),
    variables(changes),
  )
}

const issues = (source: Partial<EmailSource>) =>
  contentIssues({ en: { subject: 'Hello', html: UNSUBSCRIBE, ...source } }, 'en')

describe('a template is refused', () => {
  test.each([
    ['an unknown filter', { subject: '{{ name | shout }}' }, 'content.en.subject', 'undefined filter: shout'],
    ['an unknown tag', { html: `\n{% shout %}${UNSUBSCRIBE}` }, 'content.en.html', 'line:2'],
    ['an unclosed output', { html: `${UNSUBSCRIBE}{{ name` }, 'content.en.html', 'not closed'],
    ['an unclosed tag', { text: '{% if name %}{{ unsubscribe_url }}' }, 'content.en.text', 'not closed'],
    [
      'a variable that does not exist',
      { html: `${UNSUBSCRIBE}{{ surveyurl }}` },
      'content.en.html',
      'no variable surveyurl, line:1',
    ],
    [
      'a way around the escaping',
      { html: `${UNSUBSCRIBE}{{ name | raw }}` },
      'content.en.html',
      'undefined filter: raw',
    ],
    ['a file', { html: `${UNSUBSCRIBE}{% include '/etc/passwd' %}` }, 'content.en.html', 'tag "include" not found'],
    ['another file', { html: `${UNSUBSCRIBE}{% render 'x' %}` }, 'content.en.html', 'tag "render" not found'],
    ['a layout', { html: `{% layout 'x' %}${UNSUBSCRIBE}` }, 'content.en.html', 'tag "layout" not found'],
    ['no unsubscribe link', { html: '<p>Hello</p>' }, 'content.en.html', 'unsubscribe_url'],
    ['an unsubscribe link in a comment', { html: `<!-- ${UNSUBSCRIBE} -->` }, 'content.en.html', 'unsubscribe_url'],
    [
      'an unsubscribe link that nobody can click',
      { html: '{{ unsubscribe_url }}' },
      'content.en.html',
      'unsubscribe_url',
    ],
    [
      'an unsubscribe link on a condition',
      { html: `{% if custom.vip %}${UNSUBSCRIBE}{% endif %}` },
      'content.en.html',
      'unsubscribe_url',
    ],
    ['a text without one', { text: 'Hello' }, 'content.en.text', 'unsubscribe_url'],
    ['a script', { html: `${UNSUBSCRIBE}<ScRiPt>alert(1)</script>` }, 'content.en.html', '<script>'],
    ['a script made by Liquid', { html: `${UNSUBSCRIBE}<{{ "script" }}>alert(1)` }, 'content.en.html', '<script>'],
    ['an unclosed script', { html: `${UNSUBSCRIBE}<script src=//evil.test` }, 'content.en.html', '<script>'],
    ['a frame', { html: `${UNSUBSCRIBE}<iframe src="https://evil.test"></iframe>` }, 'content.en.html', '<iframe>'],
    ['a form', { html: `${UNSUBSCRIBE}<form action="https://evil.test">` }, 'content.en.html', '<form>'],
    [
      'an event handler',
      { html: `${UNSUBSCRIBE}<img src="https://a.test/x.png" onerror="alert(1)">` },
      'content.en.html',
      'Event handlers',
    ],
    [
      'an event handler after a slash',
      { html: `${UNSUBSCRIBE}<img/onerror=alert(1)>` },
      'content.en.html',
      'Event handlers',
    ],
    [
      'a script link',
      { html: `${UNSUBSCRIBE}<a href=" java&#10;script:alert(1)">x</a>` },
      'content.en.html',
      'A link must begin',
    ],
    ['a data page', { html: `${UNSUBSCRIBE}<a href="data:text/html,x">x</a>` }, 'content.en.html', 'A link must begin'],
    [
      'a forward',
      { html: `<meta http-equiv="refresh" content="0;url=https://evil.test">${UNSUBSCRIBE}` },
      'content.en.html',
      'forward',
    ],
    ['an endless loop', { html: `${UNSUBSCRIBE}{% for i in (1..100000000) %}x{% endfor %}` }, 'content.en.', 'limit'],
    [
      'a loop that takes long',
      { html: `${UNSUBSCRIBE}{% for i in (1..9000) %}${'{% assign a = i | plus: 1 %}'.repeat(5)}{% endfor %}` },
      'content.en.',
      'limit',
    ],
    [
      'loops in each other',
      {
        html: `${UNSUBSCRIBE}{% for i in (1..200) %}{% for j in (1..200) %}{{ i | times: j | modulo: 7 }}{% endfor %}{% endfor %}`,
      },
      'content.en.',
      'limit',
    ],
    [
      'a long text many times',
      { html: `${UNSUBSCRIBE}{% for i in (1..3000) %}${'x'.repeat(50_000)}{% endfor %}` },
      'content.en.',
      'limit',
    ],
    [
      '… and kept aside',
      {
        html: `${UNSUBSCRIBE}{% capture s %}{% for i in (1..3000) %}${'x'.repeat(50_000)}{% endfor %}{% endcapture %}`,
      },
      'content.en.',
      'limit',
    ],
    [
      'a filter that works through an expression',
      { html: `${UNSUBSCRIBE}{% assign s = (1..20000) | where_exp: 'x', 'x == 0${' or x == 0'.repeat(5_000)}' %}` },
      'content.en.html',
      'undefined filter: where_exp',
    ],
    [
      'filters that nothing counts',
      { html: `${UNSUBSCRIBE}{% assign a = (1..49000) %}${"{% assign b = a | find: 'x' %}".repeat(100)}` },
      'content.en.',
      'limit',
    ],
    [
      'a condition that searches a long text many times',
      {
        html: `${UNSUBSCRIBE}{% capture s %}${'a'.repeat(20_000)}{% endcapture %}{% if 0${' or s contains "ab"'.repeat(3_000)} %}{% endif %}`,
      },
      'content.en.',
      'limit',
    ],
    [
      'more than 500 links',
      { html: UNSUBSCRIBE + '<a href="https://a.test">'.repeat(500) },
      'content.en.html',
      '500 links',
    ],
    [
      'more than 500 links in a loop',
      { html: `${UNSUBSCRIBE}{% for i in (1..10) %}${'<a href=https://a.test>'.repeat(60)}{% endfor %}` },
      'content.en.html',
      '500 links',
    ],
    [
      'more than 500 links in a comment for Outlook',
      { html: `${UNSUBSCRIBE}<!--[if mso]>${'<a href="https://a.test">'.repeat(500)}<![endif]-->` },
      'content.en.html',
      '500 links',
    ],
    [
      'a data picture that runs',
      { html: `${UNSUBSCRIBE}<img src="data:image/svg+xml,x">` },
      'content.en.html',
      'A link must begin',
    ],
    [
      'a data page after another link',
      { html: `${UNSUBSCRIBE}<a href=x src=data:text/html,x>x</a>` },
      'content.en.html',
      'A link must begin',
    ],
    [
      'a text that doubles',
      {
        html: `${UNSUBSCRIBE}{% assign s = "aaaaaaaaaa" %}{% for i in (1..40) %}{% assign s = s | append: s %}{% endfor %}`,
      },
      'content.en.',
      'limit',
    ],
  ] satisfies Array<[string, Partial<EmailSource>, string, string]>)('for %s', (_name, source, path, message) => {
    const found = issues(source)
    expect(found[0]).toEqual({ path: expect.stringContaining(path), message: expect.stringContaining(message) })
  })

  test('for a default language that it does not have', () => {
    expect(contentIssues({ en: { subject: 'a', html: UNSUBSCRIBE } }, 'de')).toMatchObject([
      { path: 'default_language' },
    ])
  })

  test.each([
    `<p style="color:red">{{ name | default: "you" | upcase }}</p>${UNSUBSCRIBE}`,
    `<img src="data:image/png;base64,AAAA" alt="x"><a href="mailto:a@example.com">Mail</a>${UNSUBSCRIBE}`,
    `{% if custom.plan == "pro" %}<b>></b>{% else %}<i>{{ custom.plan }}</i>{% endif %}<a href='{{ unsubscribe_url }}'>No</a>`,
    `<header>Options on = off</header>${UNSUBSCRIBE}{% for score in score_urls %}<a href="{{ score.url }}">{{ score.value }}</a>{% endfor %}`,
  ])('but not for %s', (html) => {
    expect(issues({ html })).toEqual([])
  })
})

describe('what is rendered', () => {
  test('holds values escaped in HTML, once, and as they are in text and subject', () => {
    const name = `<b>"O'Neil" & Sons</b>`
    const mail = render(
      {
        subject: '{{ name }}',
        html: `{{ name }}|{{ name | escape }}|{% capture x %}{{ name }}{% endcapture %}{{ x }}|{% echo name %}${UNSUBSCRIBE}`,
        text: '{{ name }} {{ unsubscribe_url }}',
      },
      { name },
    )
    const escaped = '&lt;b&gt;&#34;O&#39;Neil&#34; &amp; Sons&lt;/b&gt;'
    expect(mail.html).toBe(
      `${[escaped, escaped, escaped, escaped].join('|')}<a href="https://feedback.example.com/public/unsubscribe/example">Unsubscribe</a>`,
    )
    expect(mail.subject).toBe(name)
    expect(mail.text).toContain(name)
  })

  test.each([
    'Ada\r\nBcc: evil@example.com',
    'Ada\nBcc: x',
    'Ada\rX: y',
    'Ada\u2028X: y',
    'Ada\u2029X: y',
    'Ada\0X: y',
    'Ada\u0085X: y',
  ])('has a subject of one line for %j', (name) => {
    const { subject } = render({ subject: 'For {{ name }}' }, { name })
    expect(subject).toMatch(/^For Ada (Bcc|X): /)
    expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
  })

  test('has a subject where all of it is unknown', () => {
    expect(render({ subject: '{{ custom.nothing }}' }).subject).toBe('Acme')
  })

  test('never opens a tag or an attribute by a value, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const { html, subject } = render(
          { subject: 'x{{ name }}', html: `<p title="{{ name }}">{{ name }}</p>${UNSUBSCRIBE}` },
          { name: name.toWellFormed() },
        )
        expect(html.match(/[<>]/g)).toHaveLength(8)
        expect(html.match(/"/g)).toHaveLength(4)
        expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
      }),
      propertyRuns(20_261_125, 100),
    )
  })

  test.each([
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    ' \u0001JaVa\r\nScRiPt\t:alert(1)',
    `${'\t'.repeat(300)}vbscript:x`,
    'data:image/svg+xml,<svg onload=alert(1)>',
    'data:text/html,x',
    'data:,x',
  ])('takes the power from a link that a recipient’s data made: %j', (page) => {
    const source = `<a href="{{ custom.page }}">x</a><img src='{{ custom.page }}'>`
    const { html } = render({ html: `${source}${UNSUBSCRIBE}` }, { custom: { page } })
    expect(html).toMatch(/^<a href="#">x<\/a><img src='#'><a h/)
  })

  test('… also without quotes', () => {
    const { html } = render(
      { html: `<a title="x"href= {{ custom.page }} class=y>x</a>${UNSUBSCRIBE}` },
      { custom: { page: 'javascript:alert(1)' } },
    )
    expect(html).toMatch(/^<a title="x"href= # class=y>x/)
  })

  test.each([
    'https://a.test/?q=javascript:x',
    'data:image/png;base64,AAAA',
    'mailto:a@example.com',
    '/page',
    'JavaScript',
  ])('leaves %j as it is', (page) => {
    expect(render({ html: `<a href="{{ custom.page }}">x</a>${UNSUBSCRIBE}` }, { custom: { page } }).html).toMatch(
      `<a href="${page}">`,
    )
  })

  test('has an unsubscribe link even where the template left it out for somebody', () => {
    const source = {
      html: `<html><body>{% unless custom.vip %}${UNSUBSCRIBE}{% endunless %}</body></html>`,
      text: '{% unless custom.vip %}{{ unsubscribe_url }}{% endunless %}',
    }
    expect(issues(source)).toEqual([])
    const { html, text } = render(source, { custom: { vip: true } })
    expect(html).toContain(
      '<a href="https://feedback.example.com/public/unsubscribe/example">Unsubscribe</a></p></body>',
    )
    expect(text).toContain('Unsubscribe: https://feedback.example.com/public/unsubscribe/example')
  })

  test('stands in the language asked for, in its main language, or in the default', () => {
    const source = (word: string) => ({ subject: `${word} {{ language }}`, html: UNSUBSCRIBE })
    const template = createTemplate({ en: source('Hello'), 'de-AT': source('Servus'), de: source('Hallo') }, 'en')
    const subject = (language: string) => renderEmail(template, variables({ language })).subject
    expect(['de-AT', 'DE-at', 'de-CH', 'de', 'en-GB', 'fr', ''].map(subject)).toEqual([
      'Servus de-AT',
      'Servus de-AT',
      'Hallo de',
      'Hallo de',
      'Hello en',
      'Hello en',
      'Hello en',
    ])
  })

  test('fails alone where a person’s data exceeds the limits, and says nothing of it', () => {
    const template = createTemplate(
      { en: { subject: 'x', html: `{% for i in (1..custom.n) %}x{% endfor %}${UNSUBSCRIBE}` } },
      'en',
    )
    expect(renderEmail(template, variables({ custom: { n: 3 } })).html).toMatch(/^xxx</)
    expect(() => renderEmail(template, variables({ custom: { n: 100_000_000 } }))).toThrow(TemplateFailedError)
    expect(renderEmail(template, variables({ custom: { n: 1 } })).html).toMatch(/^x</)
  })

  test('fails where a person’s data makes more than 500 links, and lists up to 500', () => {
    const html = `{% for i in (1..custom.n) %}<a href="https://a.test">x</a>{% endfor %}${UNSUBSCRIBE}`
    expect(render({ html }, { custom: { n: 499 } }).links).toHaveLength(500)
    expect(() => render({ html }, { custom: { n: 500 } })).toThrow(TemplateFailedError)
  })

  test('is given up after five people in a row, and never for the failure of one person', () => {
    const template = createTemplate(
      { en: { subject: 'x', html: `{% for i in (1..custom.n) %}x{% endfor %}${UNSUBSCRIBE}` } },
      'en',
    )
    const sent = (n: number) => {
      try {
        return renderEmail(template, variables({ custom: { n } })).subject
      } catch {
        return null
      }
    }
    for (const n of [20_000, 20_000, 20_000, 20_000, 1, 20_000, 20_000, 20_000, 20_000]) sent(n)
    expect(sent(1)).toBe('x')
    for (const n of [20_000, 20_000, 20_000, 20_000, 20_000]) sent(n)
    expect(sent(1)).toBeNull()
  })

  test('reaches nothing but the variables', () => {
    const { html } = render({
      html: `{{ custom.constructor }}{{ name.constructor }}{{ custom.__proto__ }}{{ survey.scale.toString }}${UNSUBSCRIBE}`,
    })
    expect(html).toMatch(/^<a/)
  })
})

test('a misspelt member of a variable is refused, with those that there are', () => {
  const issues = contentIssues(
    { en: { subject: '{{ survey.nam }}', html: UNSUBSCRIBE, text: '{{ unsubscribe_url }}' } },
    'en',
  )
  expect(issues.map(({ path }) => path)).toContain('content.en.subject')
  expect(issues[0]?.message).toContain('There is no survey.nam')
  expect(issues[0]?.message).toContain('survey.name')
})

describe('the built-in template', () => {
  test('can be stored as anybody’s own, in each of its languages', () => {
    expect(Object.keys(DEFAULT_CONTENT)).toEqual(['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'ar'])
    expect(contentIssues(DEFAULT_CONTENT, 'en')).toEqual([])
  })

  test.each(['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'ar'])(
    'in %s links each score, says what the ends mean, and is accessible',
    (language) => {
      const mail = renderEmail(
        createTemplate(DEFAULT_CONTENT, 'en'),
        variables({
          language,
          survey: {
            name: 'n',
            question: 'Q < 1?',
            scale: { min: 0, max: 10, low_label: 'Not & never', high_label: 'Yes' },
          },
        }),
      )
      expect(mail.language).toBe(language)
      expect(mail.html).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`)
      expect(mail.html.match(/class="score" aria-label="\d+ \/ 10"/g)).toHaveLength(11)
      expect(mail.html).toContain('href="https://feedback.example.com/public/s/example?q1=9"')
      expect(mail.html).toContain('0 = Not &amp; never<br>10 = Yes')
      expect(mail.html).toContain('Q &lt; 1?')
      expect(mail.html.match(/<table(?! role="presentation")/g)).toBeNull()
      expect(mail.text).toContain('10: https://feedback.example.com/public/s/example?q1=10')
      expect(`${mail.html}${mail.text}${mail.subject}`).not.toMatch(/\{\{|\{%|undefined|\[object/)
    },
  )

  test('has a button in the workspace’s colour where there is no scale, with letters that can be read on it', () => {
    const button = (color: string | null) =>
      renderEmail(
        createTemplate(DEFAULT_CONTENT, 'en'),
        variables({ score_urls: [], workspace: { name: 'Acme', logo_url: 'https://a.test/l.png', color } }),
      ).html
    const [, light = '', onLight = ''] =
      /background:(#[0-9a-f]{6})"><a [^>]*;color:(#[0-9a-f]{6})/.exec(button('#ffee00')) ?? []
    expect(contrast(light, '#ffffff')).toBeGreaterThanOrEqual(3)
    expect(contrast(light, onLight)).toBeGreaterThanOrEqual(4.5)
    const [, dark = '', onDark = ''] =
      /\.accent\{background:(#[0-9a-f]{6})!important;color:(#[0-9a-f]{6})/.exec(button('#0f766e')) ?? []
    expect(contrast(dark, DARK.paper)).toBeGreaterThanOrEqual(3)
    expect(contrast(dark, onDark)).toBeGreaterThanOrEqual(4.5)
    expect(button('#0f766e')).toMatch(/background:#0f766e"><a [^>]*color:#ffffff/)
    expect(button('red;}')).toContain(`background:${LIGHT.accent}`)
    expect(button(null)).toContain('<img src="https://a.test/l.png" alt="Acme"')
  })
})

test('a text is made from the HTML, with its links and its Liquid', () => {
  const html = `<!doctype html><html><head><title>T</title><style>p{}</style></head><body><!-- no --><header>Top</header>
    <p>Hello&nbsp;{{ name }},<br>fish &amp; chips</p><ul><li>One</li><li>{% if a > b %}Two{% endif %}</li></ul>
    <a href="{{ survey_url }}"><b>Answer</b></a> <a href="https://a.test">https://a.test</a> <img alt="Logo" src="x"></body></html>`
  expect(textFromHtml(html)).toBe(
    'Top\n\nHello {{ name }},\nfish & chips\n\n- One\n- {% if a > b %}Two{% endif %}\n\nAnswer ({{ survey_url }}) https://a.test Logo',
  )
})

test('a text is made from the HTML whatever its letters are in lower case', () => {
  expect(textFromHtml('İİİ<title>İ</title>yi günler')).toBe('İİİyi günler')
})
