import type { Call } from './document.ts'

/** One call in a language. */
export interface Sample {
  language: 'curl' | 'TypeScript' | 'Python'
  code: string
}

/** The call with the example of the document, ready to run where `BASE` and `TOKEN` are set. */
export function samplesOf(call: Call): Sample[] {
  const { method, path, requestBody, security } = call
  const isSigned = (security?.length ?? 0) > 0
  const [type = null, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const body = media?.example === undefined ? null : JSON.stringify(media.example, null, 2)
  const isJson = type === 'application/json'
  const headers = [
    ...(isSigned ? [['authorization', 'Bearer ']] : []),
    ...(type && (body !== null || !isJson) ? [['content-type', type]] : []),
  ] as Array<[string, string]>
  return [
    { language: 'curl', code: curl() },
    { language: 'TypeScript', code: typescript() },
    { language: 'Python', code: python() },
  ]

  function curl(): string {
    const lines = [`curl -X ${method.toUpperCase()} "$BASE${path}"`]
    for (const [name, value] of headers) lines.push(`-H "${name}: ${value}${value.endsWith(' ') ? '$TOKEN' : ''}"`)
    if (body !== null && isJson) lines.push(`-d '${body.replaceAll("'", String.raw`'\''`)}'`)
    else if (type) lines.push('--data-binary @file')
    return lines.join(' \\\n  ')
  }

  function typescript(): string {
    const sent = headers.map(
      ([name, value]) =>
        `    ${/^\w+$/.test(name) ? name : `'${name}'`}: ${value.endsWith(' ') ? `\`${value}\${TOKEN}\`` : `'${value}'`},`,
    )
    return [
      `const answer = await fetch(\`\${BASE}${path}\`, {`,
      `  method: '${method.toUpperCase()}',`,
      ...(sent.length > 0 ? ['  headers: {', ...sent, '  },'] : []),
      ...(body !== null && isJson
        ? [`  body: JSON.stringify(${indented(body, '  ')}),`]
        : type
          ? ['  body: file,']
          : []),
      '})',
      'console.log(answer.status, await answer.text())',
    ].join('\n')
  }

  function python(): string {
    const sent = headers
      .filter(([name]) => !(isJson && body !== null && name === 'content-type'))
      .map(([name, value]) => `"${name}": ${value.endsWith(' ') ? `f"${value}{TOKEN}"` : `"${value}"`}`)
    return [
      'import requests',
      '',
      `answer = requests.${method}(`,
      `    f"{BASE}${path}",`,
      ...(sent.length > 0 ? [`    headers={${sent.join(', ')}},`] : []),
      ...(body !== null && isJson
        ? [`    json=${indented(pythonic(media?.example), '    ')},`]
        : type
          ? ['    data=file,']
          : []),
      ')',
      'print(answer.status_code, answer.text)',
    ].join('\n')
  }
}

function indented(text: string, by: string): string {
  return text.replaceAll('\n', `\n${by}`)
}

/** JSON as Python writes it. */
function pythonic(value: unknown, indent = ''): string {
  const inner = `${indent}  `
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value))
    return value.length === 0
      ? '[]'
      : `[\n${value.map((each) => `${inner}${pythonic(each, inner)}`).join(',\n')}\n${indent}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, each]) => `${inner}${JSON.stringify(name)}: ${pythonic(each, inner)}`,
  )
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`
}
