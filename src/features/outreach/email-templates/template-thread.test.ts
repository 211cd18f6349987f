import { Liquid } from 'liquidjs'
import { expect, test, vi } from 'vitest'
import { compileSource } from './email-content.ts'
import { DEFAULT_CONTENT } from './default-template.ts'
import { sampleVariables } from './email-variables.ts'
import { createTemplate, renderEmail, TemplateFailedError } from './render-email.ts'
import { checkContent, writeLetter } from './template-thread.ts'

const UNSUBSCRIBE = '<a href="{{ unsubscribe_url }}">x</a>'
const variables = sampleVariables({
  baseUrl: 'https://a.test',
  workspace: { name: 'A', logo_url: null, color: null },
  language: 'en',
  name: 'Ada',
})
const source = (html: string) => ({ subject: 'Hello {{ name }}', html: `${html}${UNSUBSCRIBE}` })
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'ar']

/** How often somebody else had a turn meanwhile. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let ended = false
  const count = () => {
    turns += 1
    if (!ended) setTimeout(count)
  }
  setTimeout(count)
  await work().catch(() => {})
  ended = true
  return turns
}

test('nine languages of 19,900 tags are refused, and hold up nobody', async () => {
  await checkContent('ours', { en: source('') }, 'en')
  const content = Object.fromEntries(LANGUAGES.map((language) => [language, source('{{a}}'.repeat(16_000))]))
  const issues = await checkContent('ours', content, 'en')
  expect(issues[0]).toEqual({ path: 'content.en.html', message: 'A part may have at most 2000 tags and outputs.' })
  expect(issues.map(({ path }) => path.split('.')[1])).toContain('ar')
})

test('others get their turn while templates are checked and rendered', async () => {
  const loop = source('{% for a in (1..9999) %}{{ a | append: "x" }}{% endfor %}')
  const content = Object.fromEntries(LANGUAGES.map((language) => [language, loop]))
  await checkContent('ours', { en: source('') }, 'en')
  expect(await turnsDuring(() => checkContent('ours', content, 'en'))).toBeGreaterThan(20)
  expect(await turnsDuring(() => writeLetter('ours', createTemplate({ en: loop }, 'en'), variables))).toBeGreaterThan(5)
})

test('a letter is the same on whichever thread it is written', async () => {
  const light = createTemplate({ en: source('<p>{{ name }}</p>') }, 'en')
  expect(await writeLetter('ours', light, variables)).toEqual(renderEmail(light, variables))
  const own = createTemplate(DEFAULT_CONTENT, 'en')
  expect(await writeLetter('ours', own, variables)).toEqual(renderEmail(own, variables))
  const looping = {
    en: source('{% for score in score_urls %}<b>{{ score.value }}</b>{% endfor %}'),
    de: source('{% for a in (1..3) %}Hallo{% endfor %}'),
  }
  for (const language of ['en', 'en', 'de-AT', 'fr']) {
    const given = { ...variables, language }
    expect(await writeLetter('ours', createTemplate(looping, 'en'), given)).toEqual(
      renderEmail(createTemplate(looping, 'en'), given),
    )
  }
})

test('a template that exceeds what one mail may take fails on the other thread as it does here', async () => {
  const endless = createTemplate(
    { en: source('{% for a in (1..9999) %}{% for b in (1..9999) %}{{ b }}{% endfor %}{% endfor %}') },
    'en',
  )
  await expect(writeLetter('ours', endless, variables)).rejects.toThrow(TemplateFailedError)
  await expect(writeLetter('ours', endless, variables)).rejects.toThrow(TemplateFailedError)
})

test('a letter that finds the thread too busy is not a broken template: it can be tried again', async () => {
  const looping = () => createTemplate({ en: source('{% for a in (1..2) %}{{ a }}{% endfor %}') }, 'en')
  const results = await Promise.allSettled(
    Array.from({ length: 210 }, (_, n) => writeLetter(`w${n % 3}`, looping(), variables)),
  )
  const refused = results.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(9)
  for (const { reason } of refused as PromiseRejectedResult[])
    expect(reason).toMatchObject({ name: 'Problem', status: 503, code: 'busy' })
})

test('a letter does not wait behind templates that somebody tries out', async () => {
  const content = Object.fromEntries(LANGUAGES.map((language) => [language, source('{{a}}'.repeat(1_900))]))
  let checked = false
  const trial = checkContent('ours', content, 'en').then(() => (checked = true))
  const looping = createTemplate({ en: source('{% for a in (1..2) %}{{ a }}{% endfor %}') }, 'en')
  await writeLetter('ours', looping, variables)
  expect(checked).toBe(false)
  await trial
})

const chained = (filter: string) => ({
  subject: 'x',
  html: `{% if custom.n %}{{ "${'é%'.repeat(20_000)}"${` | ${filter}`.repeat(99)} | size }}{% endif %}${UNSUBSCRIBE}`,
})
const withN = { ...variables, custom: { n: '1' } }
// The others are refused when a template is parsed.
const FILTERS = Object.keys(new Liquid().filters).filter((name) => !name.endsWith('_exp') && name !== 'raw')

/** A template, and a spy that is called if this thread renders it. */
function watched(...given: Parameters<typeof createTemplate>) {
  const template = createTemplate(...given)
  return { template, rendersHere: vi.spyOn(template, 'compiled') }
}

test('only the built-in template is rendered on this thread', async () => {
  const builtIn = watched(DEFAULT_CONTENT, 'en', 'ours')
  const same = watched(DEFAULT_CONTENT, 'en')
  const plain = watched({ en: source('') }, 'en')
  expect(await writeLetter('ours', same.template, variables)).toEqual(
    await writeLetter('ours', builtIn.template, variables),
  )
  await writeLetter('ours', plain.template, variables, 'trial')
  expect(builtIn.rendersHere).toHaveBeenCalled()
  expect(same.rendersHere).not.toHaveBeenCalled()
  expect(plain.rendersHere).not.toHaveBeenCalled()
})

test('no filter in a long chain behind a condition takes time of this thread', async () => {
  for (const filter of ['url_encode', 'slugify', 'size']) {
    const { template, rendersHere } = watched({ en: chained(filter) }, 'en')
    const written = await Promise.allSettled([withN, variables].map((given) => writeLetter('ours', template, given)))
    const outcomes = written.map((one) => (one.status === 'fulfilled' ? null : one.reason.name))
    expect(outcomes).toEqual([filter === 'size' ? null : 'TemplateFailedError', null])
    expect(rendersHere).not.toHaveBeenCalled()
  }
})

test('each filter counts its input before it works', () => {
  expect(FILTERS.length).toBeGreaterThan(70)
  const given = { ...variables, custom: { n: 'x'.repeat(500_001) } }
  for (const filter of FILTERS) {
    const render = compileSource(source(`{% if custom.n %}{{ custom.n | ${filter} | size }}{% endif %}`))
    expect(() => render(given), filter).toThrow('exceeds a limit')
  }
})

test.each([
  ...['url_encode', 'cgi_escape', 'uri_escape', 'slugify', 'base64_encode', 'upcase'].map(chained),
  { subject: 'x', html: `{% if custom.n %}{{ "2026-11-25" | date: "${'%c'.repeat(22_000)}" | size }}{% endif %}` },
  { subject: 'x', html: '{% assign a = "a" | split: "," %}' + '{% assign a = a | push: a %}'.repeat(40) + '{{ a }}' },
  {
    subject: 'x',
    html: `{% assign a = (1..9000) | reverse %}{% assign b = (1..9000) | reverse %}{% if a == b${' and a == b'.repeat(500)} %}{% endif %}`,
  },
])('the work of filters and comparisons has a limit, in %s', (costly) => {
  expect(() => compileSource(costly)(withN)).toThrow(/limit/)
})
