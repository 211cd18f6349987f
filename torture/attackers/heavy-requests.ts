import { heavyAnswers } from './heavy-answers.ts'
import { heavyDashboards, type DashboardTargets } from './heavy-dashboards.ts'
import { heavyMarks } from './heavy-marks.ts'
import { HEAVY_SURVEYS } from './heavy-surveys.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** A request at its limit, and where it goes. */
export interface HeavyRequest {
  name: string
  method: string
  path: string
  type?: string
  body?: string
  headers?: Record<string, string>
  /** How often it is sent in parallel where it is sent alone; once unless told. */
  parallel?: number
}

/** Things of one workspace that the requests name. */
export interface Targets {
  /** Live: an NPS question and a text. */
  surveyId: string
  /** Drafts that hold the heavy definitions, by name. */
  drafts: Record<string, string>
  templateId: string
  /** Holds a chain of filters behind a condition that example data does not meet. */
  chainTemplateId: string
  /** The previews by SMS of the same drafts. */
  previews: Record<string, string>
  /** Published surveys that hold the heavy definitions which respondents meet, by name. */
  live: Record<string, string>
  dashboard: DashboardTargets
}

/** Every body that a route takes, at its limit and as costly as we could make it. */
export function heavyRequests(
  { surveyId, drafts, templateId, chainTemplateId, live, previews, dashboard }: Targets,
  pageOfHeads: string,
): HeavyRequest[] {
  const json = (name: string, method: string, path: string, body: string): HeavyRequest => ({
    name,
    method,
    path,
    type: 'application/json',
    body,
  })
  const csv = (name: string, body: string): HeavyRequest => ({
    name,
    method: 'POST',
    path: `/v1/surveys/${surveyId}/invite/csv?channel=email`,
    type: 'text/csv',
    body,
  })
  const form = (name: string, path: string, body: string): HeavyRequest => ({
    name,
    method: 'POST',
    path,
    type: 'application/x-www-form-urlencoded',
    body,
  })
  const invite = `/v1/surveys/${surveyId}/invite`
  const capture = `/public/surveys/${surveyId}/responses`
  const page = `/public/s/${surveyId}`
  const columns = Array.from({ length: 199 }, (_, n) => `attribute.a${n}`).join()
  return [
    csv('CSV of 200,000 columns', `email,${'a,'.repeat(141_000)}b\nx`),
    csv('CSV of 10 MiB of commas', `email,name\n${','.repeat(10 * MIB - 20)}`),
    csv('CSV with a head of 10 MiB of commas', ','.repeat(10 * MIB - 20)),
    csv('CSV of an open quote', `email\n"${'a'.repeat(10 * MIB - 20)}`),
    csv('CSV of quotes', `email\n${'""""\n'.repeat(2 * MIB - 20)}`),
    csv('CSV of line ends', `email\n${'\n'.repeat(10 * MIB - 20)}`),
    {
      name: 'a form of boundaries under a key',
      method: 'POST',
      path: '/v1/people/import',
      type: 'multipart/form-data; boundary=a',
      body: '--a'.repeat(3 * MIB),
      headers: { 'idempotency-key': 'boundaries' },
      parallel: 6,
    },
    {
      name: 'a form of boundaries in lines under a key',
      method: 'POST',
      path: '/v1/surveys',
      type: 'multipart/form-data; boundary=-',
      body: '\r\n---'.repeat(170 * KIB),
      headers: { 'idempotency-key': 'boundary-lines' },
      parallel: 20,
    },
    {
      name: 'a header of spaces',
      method: 'GET',
      path: page,
      headers: { 'accept-encoding': `a${' '.repeat(15_000)}b`, 'accept-language': `a${' '.repeat(900)}b` },
    },
    {
      ...csv('people CSV of 20,000 rows', `email,attribute.n\n${people(20_000, (n) => `p${n}@example.com,${n}\n`)}`),
      path: '/v1/people/import',
    },
    {
      ...csv(
        'people CSV of 4 million cells',
        `email,${columns}\n${people(20_000, (n) => `q${n}@example.com${',1'.repeat(199)}\n`)}`,
      ),
      path: '/v1/people/import',
    },
    {
      ...csv(
        'people CSV of 480,000 cells',
        `email,${columns.split(',', 95).join()}\n${people(5_000, (n) => `r${n}@example.com${',1'.repeat(95)}\n`)}`,
      ),
      path: '/v1/people/import',
    },
    json('a person of 15,000 attributes', 'POST', '/v1/people', `{"external_id":"x","attributes":${names(15_000)}}`),
    json('a submission of 15,000 custom names', 'POST', capture, `{"answers":{"q1":9},"custom_data":${names(15_000)}}`),
    json('5,000 custom names', 'POST', capture, `{"answers":{"q1":9},"custom_data":${names(5_000)}}`),
    json(
      'recipients with 5,000 custom names',
      'POST',
      invite,
      `{"channel":"email","recipients":[${people(100, (n) => `{"email":"c${n}@example.com","custom_data":${names(5_000)}},`).slice(0, -1)}]}`,
    ),
    json(
      'a submission of one text of signs',
      'POST',
      capture,
      JSON.stringify({ answers: { q1: 9, q2: `${'@'.repeat(4_990)} x` } }),
    ),
    json(
      'a page of 170,000 heads',
      'POST',
      '/v1/proxy/fetch',
      JSON.stringify({ url: pageOfHeads, survey_id: surveyId }),
    ),
    csv('CSV of 20,000 people', `email,custom.n\n${people(20_000, (n) => `ada${n}@example.com,${n}\n`)}`),
    csv(
      'CSV of 20,000 people with 500 bytes each',
      `email,name\n${people(20_000, (n) => `ada${n}@example.com,${'é'.repeat(235)}\n`)}`,
    ),
    ...Object.entries(jsonOf(10 * MIB)).map(([name, body]) => json(`${name}, 10 MiB to invite`, 'POST', invite, body)),
    json(
      '20,000 people by phone',
      'POST',
      invite,
      `{"channel":"sms","recipients":[${people(20_000, (n) => `{"phone":"+49 30 9018 ${n}"},`).slice(0, -1)}]}`,
    ),
    json(
      '20,000 people by email',
      'POST',
      invite,
      `{"channel":"email","recipients":[${people(20_000, (n) => `{"email":"a${n}@bücher.example","name":"${'x'.repeat(190)}"},`).slice(0, -1)}]}`,
    ),
    json(
      '20,000 people that do not fit',
      'POST',
      invite,
      `{"channel":"email","recipients":[${people(20_000, () => `{"email":0,"phone":0,"x":0,"language":"?","custom_data":[]},`).slice(0, -1)}]}`,
    ),
    json('a million recipients', 'POST', invite, `{"channel":"email","recipients":[${'{},'.repeat(3 * MIB - 40)}{}]}`),
    json(
      '50,000 suppressions',
      'POST',
      '/v1/suppression/import',
      `{"rows":[${people(50_000, (n) => `{"channel":"email","address":"a${n}@example.com"},`).slice(0, -1)}]}`,
    ),
    json(
      '50,000 suppressions by phone',
      'POST',
      '/v1/suppression/import',
      `{"rows":[${people(50_000, (n) => `{"channel":"sms","address":"+4930901${n}"},`).slice(0, -1)}]}`,
    ),
    json(
      '1,000 addresses to check',
      'POST',
      '/v1/suppression/check',
      JSON.stringify({ channel: 'sms', addresses: Array.from({ length: 1_000 }, (_, n) => `+4930901${n}`) }),
    ),
    ...Object.entries(jsonOf(MIB)).flatMap(([name, body]) => [
      json(`${name}, as a survey`, 'POST', '/v1/surveys', body),
      json(`${name}, as a role`, 'POST', '/v1/roles', body),
    ]),
    ...Object.entries(HEAVY_SURVEYS).map(([name, make]) =>
      json(`a survey with ${name}`, 'POST', '/v1/surveys', JSON.stringify(make())),
    ),
    ...Object.entries(drafts).flatMap(([name, id]) => [
      { name: `validate ${name}`, method: 'POST', path: `/v1/surveys/${id}/validate` },
      { name: `publish ${name}`, method: 'POST', path: `/v1/surveys/${id}/publish` },
      { name: `duplicate ${name}`, method: 'POST', path: `/v1/surveys/${id}/duplicate` },
      {
        name: `duplicate ${name}, remembered`,
        method: 'POST',
        path: `/v1/surveys/${id}/duplicate`,
        headers: { 'idempotency-key': `duplicate ${name}`.replaceAll(' ', '-') },
      },
      { name: `read ${name}`, method: 'GET', path: `/v1/surveys/${id}` },
      { name: `report of ${name}`, method: 'GET', path: `/v1/surveys/${id}/report` },
      { name: `page of ${name}`, method: 'GET', path: `/public/s/${id}` },
      json(
        `simulate ${name}`,
        'POST',
        `/v1/surveys/${id}/simulate`,
        JSON.stringify({ turns: Array.from({ length: 100 }, () => '1'.repeat(1_600)) }),
      ),
      json(
        `simulate letters with ${name}`,
        'POST',
        `/v1/surveys/${id}/simulate`,
        JSON.stringify({ turns: Array.from({ length: 100 }, () => 'a,'.repeat(800)) }),
      ),
      json(
        `simulate words with ${name}`,
        'POST',
        `/v1/surveys/${id}/simulate`,
        JSON.stringify({ turns: Array.from({ length: 100 }, (_, n) => words(n)) }),
      ),
      form(
        `preview letters with ${name}`,
        previews[name] ?? '/',
        Array.from({ length: 76 }, () => `turn=${'a,'.repeat(800)}`).join('&'),
      ),
      json(
        `submit to ${name}`,
        'POST',
        `/public/surveys/${id}/responses`,
        JSON.stringify({ answers: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`q${n}`, 'c1'])) }),
      ),
    ]),
    json(
      'a rule with 12,000 comparisons',
      'POST',
      '/v1/surveys',
      JSON.stringify({
        name: 'x',
        logic: [
          {
            when: { all: Array.from({ length: 100 }, () => ({ any: Array.from({ length: 100 }, () => 0) })) },
            then: [],
          },
        ],
      }),
    ),
    json(
      '20,000 comparisons that do not fit',
      'POST',
      '/v1/surveys',
      JSON.stringify({
        name: 'x',
        logic: Array.from({ length: 200 }, () => ({
          when: { all: Array.from({ length: 100 }, () => ({ variable: 'a', op: 'eqx', value: 1 })) },
          then: [],
        })),
      }),
    ),
    ...Object.entries(templatesOf()).flatMap(([name, content]) => {
      const body = JSON.stringify({ name: 'Heavy', default_language: 'en', content })
      return [
        json(`a template of ${name}`, 'POST', '/v1/email-templates', body),
        json(
          `a preview of ${name}`,
          'POST',
          `/v1/email-templates/${templateId}/preview`,
          JSON.stringify({ content, language: 'en', custom: { n: '1' } }),
        ),
      ]
    }),
    {
      ...json(
        'previews of a stored chain of filters',
        'POST',
        `/v1/email-templates/${chainTemplateId}/preview`,
        '{"custom":{"n":"1"}}',
      ),
      parallel: 5,
    },
    ...Object.entries(jsonOf(256 * KIB)).map(([name, body]) => json(`${name}, as a submission`, 'POST', capture, body)),
    json(
      'a submission of 20,000 answers',
      'POST',
      capture,
      `{"answers":{${people(20_000, (n) => `"q${n}":1,`).slice(0, -1)}}}`,
    ),
    json(
      'a submission of one long text',
      'POST',
      capture,
      JSON.stringify({ answers: { q1: 9, q2: 'é '.repeat(60_000) } }),
    ),
    form('a form of 100,000 fields', page, 'a=&'.repeat(64 * KIB - 1)),
    form('a form of names without values', page, '&'.repeat(256 * KIB - 1)),
    form('a form of escapes', page, `q2=${'%C3%A9'.repeat(40_000)}`),
    form(
      'an SMS of 20,000 parameters',
      '/public/twilio/sms',
      people(9_000, (n) => `p${9_000 - n}=&`),
    ),
    form('an SMS of nothing', '/public/twilio/sms', '&'.repeat(64 * KIB - 1)),
    form(
      'a call of one long digit string',
      `/public/twilio/voice/${surveyId}`,
      `CallSid=CA1&From=%2B491&To=%2B492&Digits=${'1'.repeat(60_000)}`,
    ),
    json(
      'an email event of many tags',
      'POST',
      '/public/email/events',
      `{"type":"email.bounced","data":{"email_id":"x","tags":[${'{"name":"a","value":0},'.repeat(2_700)}{}]}}`,
    ),
    json(
      'an email event of zeros',
      'POST',
      '/public/email/events',
      `{"type":"email.bounced","data":{"email_id":"x","to":[${'0,'.repeat(32_000)}0]}}`,
    ),
    ...Object.entries(live).flatMap(([name, id]) => [
      { name: `page of ${name}, with a day`, method: 'GET', path: `/public/s/${id}?a=2025-01-01` },
      form(`the first page of ${name}, with a day`, `/public/s/${id}`, '_page=0&_custom.a=2025-01-01'),
      {
        name: `page of ${name}, with a long custom value`,
        method: 'GET',
        path: `/public/s/${id}?a=${'x'.repeat(1_000)}`,
      },
      json(
        `a long text to ${name}`,
        'POST',
        `/public/surveys/${id}/responses`,
        JSON.stringify({ answers: { q1: 'x'.repeat(50_000) }, custom_data: { a: 'x'.repeat(1_000) } }),
      ),
      { name: `100 versions of ${name}`, method: 'GET', path: `/v1/surveys/${id}/versions?limit=100` },
      { name: `fields of ${name}`, method: 'GET', path: `/v1/fields?entity=responses&survey_id=${id}`, parallel: 20 },
      {
        name: `values of ${name}`,
        method: 'GET',
        path: `/v1/values?entity=responses&field=answer.q1&survey_id=${id}`,
        parallel: 20,
      },
    ]),
    {
      ...json('80 sign-ups of 680 KB of lists', 'POST', '/public/workspaces', `[${'[],'.repeat(226_000)}[]]`),
      parallel: 80,
    },
    {
      ...json(
        '50 invitations of 10 MiB',
        'POST',
        invite,
        `{"channel":"email","recipients":[${'{},'.repeat(3 * MIB - 40)}{}]}`,
      ),
      parallel: 50,
    },
    { name: 'a query of 8,000 parameters', method: 'GET', path: `${page}?${'a=&'.repeat(4_000)}` },
    { name: 'a query of search', method: 'GET', path: `/v1/surveys?search=${'%25_'.repeat(2_000)}` },
    json(
      'a time that never comes',
      'POST',
      '/v1/reports',
      JSON.stringify({ name: 'x', schedule: { cron: `* * ${WEEKDAYS} * +0,6`, timezone: 'UTC' } }),
    ),
    json(
      '2,000 permissions',
      'POST',
      '/v1/roles',
      JSON.stringify({ name: 'x', permissions: Array.from({ length: 60_000 }, () => 'surveys.manage') }),
    ),
    json(
      'an allowlist of 100,000 ranges',
      'PATCH',
      '/v1/org',
      JSON.stringify({ ip_allowlist: Array.from({ length: 80_000 }, () => '10.0.0.0') }),
    ),
    ...heavyMarks({ surveyId, live }),
    ...heavyAnswers({ surveyId }),
    ...heavyDashboards(dashboard),
  ]
}

// The nearest weekday to a day is never on a weekend.
const WEEKDAYS = Array.from({ length: 24 }, (_, at) => `${at + 3}W`).join()

/** 1,600 letters of different words, others for each `n`. */
function words(n: number): string {
  return Array.from({ length: 400 }, (_, at) => (at + n * 400).toString(36))
    .join(',')
    .slice(0, 1_600)
}

function names(count: number): string {
  return `{${people(count, (n) => `"n${n}":"x",`).slice(0, -1)}}`
}

function people(count: number, one: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => one(n)).join('')
}

/** JSON at a limit that no schema knows: long, wide, deep, and dear to parse. */
function jsonOf(limit: number): Record<string, string> {
  const size = limit - 64
  const upTo = (open: string, one: (n: number) => string, close: string) => {
    const parts: string[] = []
    for (let n = 0, length = 0; length < size - 20; n++) {
      const part = one(n)
      length += part.length + 1
      parts.push(part)
    }
    return `${open}${parts.join(',')}${close}`
  }
  return {
    zeros: `[${'0,'.repeat(size / 2)}0]`,
    'zeros as questions': `{"name":"x","questions":[${'0,'.repeat(size / 2 - 20)}0]}`,
    'zeros as recipients': `{"channel":"email","recipients":[${'0,'.repeat(size / 2 - 20)}0]}`,
    'zeros as answers': `{"answers":{"q1":[${'0,'.repeat(size / 2 - 20)}0]}}`,
    'different names': upTo('{', (n) => `"k${n.toString(36)}":0`, '}'),
    'different names as answers': upTo('{"answers":{', (n) => `"k${n.toString(36)}":0`, '}}'),
    'objects of different forms': upTo('[', (n) => `{"k${n.toString(36)}":0}`, ']'),
    'empty objects': `{"a":[${'{},'.repeat(size / 3 - 10)}{}]}`,
    'open brackets': '['.repeat(size),
    'deep lists': upTo('[', () => `${'['.repeat(60)}${']'.repeat(60)}`, ']'),
    'one long text': `{"a":"${'x'.repeat(size - 10)}"}`,
    escapes: `{"a":"${'\\u00e9'.repeat((size - 10) / 6)}"}`,
    'a text that cannot be stored': `{"name":"${'x'.repeat(size - 40)}\\u0000"}`,
    'long numbers': upTo('[', () => '1'.repeat(300), ']'),
    'a number without end': `[${'1'.repeat(size)}]`,
  }
}

/** It passes each check, because example data does not meet the condition. */
export function chainOfFilters(): string {
  return `{% if custom.n %}{{ "2026-11-25" | date: "${'%c'.repeat(22_000)}"${' | url_encode'.repeat(95)} | size }}{% endif %}`
}

function templatesOf(): Record<string, Record<string, object>> {
  const letter = (html: string) => ({ subject: 'x', html: `${html}<a href="{{ unsubscribe_url }}">x</a>` })
  const each = (html: string) => {
    const content: Record<string, object> = {}
    const count = Math.min(30, Math.floor((MIB - 10_000) / (html.length + 100)))
    for (let n = 0; n < count; n++)
      content[n === 0 ? 'en' : `a${String.fromCharCode(97 + (n % 26))}${n < 26 ? '' : 'x'}`] = letter(html)
    return content
  }
  return {
    '19,900 tags': each('{{a}}'.repeat(19_900)),
    '14,000 outputs': each('{{name}}'.repeat(12_000)),
    '9,000 conditions': each('{%if name%}x{%endif%}'.repeat(4_500)),
    'deep conditions': each(`${'{%if name%}'.repeat(4_000)}x${'{%endif%}'.repeat(4_000)}`),
    loops: each('{% for a in (1..9999) %}{% for b in (1..9999) %}{{ a }}{% endfor %}{% endfor %}'),
    'filters in a row': each(`{{ "${'x'.repeat(9_000)}"${' | upcase | downcase'.repeat(4_000)} }}`),
    'filters behind a condition': each(chainOfFilters()),
    'escapes behind a condition': each(
      `{% if custom.n %}{{ "${'%'.repeat(44_000)}"${' | cgi_escape'.repeat(97)} | size }}{% endif %}`,
    ),
    'links behind a condition': each(
      `{% if custom.n %}{% for i in (1..60) %}${'<a href="http://a.b">'.repeat(300)}{% endfor %}{% endif %}`,
    ),
    'open tags': each('<a href="'.repeat(10_000)),
    'open angle brackets': each('<'.repeat(99_000)),
    'open comments': each('<!--'.repeat(24_000)),
    'attributes without end': each(`<a ${'href= '.repeat(16_000)}`),
    entities: each('&#106;'.repeat(16_000)),
    lines: each('\n'.repeat(99_000)),
    'one operator after the other': each(`{% if ${'name contains "a" and '.repeat(4_000)} name %}x{% endif %}`),
  }
}
