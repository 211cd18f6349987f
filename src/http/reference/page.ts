import { answerOf, callsOf, type ApiDocument, type Call, type Parameter, type Schema } from './document.ts'
import { GUIDES } from './guides.ts'
import { samplesOf } from './samples.ts'
import { limitsOf, membersOf, typeOf, escaped, inline, paragraphs } from './schema-view.ts'

/** Addresses of the files that the page loads. */
export interface Assets {
  style: string
  script: string
}

/** The reference as one page, in pieces, so that the caller may pause between them. */
export function* referencePage(document: ApiDocument, assets: Assets): Generator<string> {
  const { info, tags, components } = document
  const byTag = Map.groupBy(callsOf(document), ({ tags: [tag] }) => tag ?? '')
  yield `<!doctype html>
<html lang="en" data-code="curl">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(info.title)} API reference</title>
<link rel="stylesheet" href="${assets.style}"><script src="${assets.script}" defer></script></head>
<body><a class="skip" href="#content">Skip to the content</a>
<header><h1>${escaped(info.title)} API <small>${escaped(info.version)}</small></h1>
<form class="tools" hidden><label>Search <input type="search" name="search" autocomplete="off"></label>
<label>Examples <select name="code"><option value="curl">curl</option><option value="TypeScript">TypeScript</option><option value="Python">Python</option></select></label>
<label>Colours <select name="theme"><option value="">System</option><option value="light">Light</option><option value="dark">Dark</option></select></label>
<label>Token <input type="password" name="token" autocomplete="off" placeholder="ear_live_…"></label></form></header>
<nav aria-label="Contents"><h2>Guides</h2><ul>${GUIDES.map(({ id, title }) => `<li><a href="#${id}">${escaped(title)}</a></li>`).join('')}
<li><a href="/openapi.json">OpenAPI document</a></li></ul>`
  for (const { name } of tags) {
    const links = (byTag.get(name) ?? []).map(
      ({ operationId, summary, method }) =>
        `<li><a href="#${operationId}"><span class="method ${method}">${method}</span> ${escaped(summary)}</a></li>`,
    )
    yield `<details><summary>${escaped(name)}</summary><ul>${links.join('')}</ul></details>`
  }
  yield `<p class="none" role="status" hidden>Nothing has these words.</p></nav><main id="content"><p class="lead">${inline(info.description)}</p>`
  for (const { id, title, text } of GUIDES)
    yield `<section class="guide" id="${id}"><h2>${escaped(title)}</h2>${text}</section>`
  for (const { name } of tags) {
    yield `<section class="group"><h2 id="${slug(name)}">${escaped(name)}</h2>`
    for (const call of byTag.get(name) ?? []) yield callSection(document, call)
    yield '</section>'
  }
  yield '<section class="group"><h2 id="shapes">Shapes</h2>'
  for (const [name, schema] of Object.entries(components.schemas)) yield shapeSection(name, schema)
  yield '</section></main></body></html>'
}

function callSection(document: ApiDocument, call: Call): string {
  const { operationId, method, path, summary, description, requestBody, responses } = call
  const answers = Object.entries(responses).map(([status, answer]) => {
    const { description: meaning, content = {} } = answerOf(document, answer)
    const shape = Object.values(content)[0]?.schema
    const shown = shape && Number(status) < 400 ? ` ${typeOf(shape)}` : ''
    return `<li><code>${escaped(status)}</code>${shown} ${inline(meaning)}</li>`
  })
  const samples = samplesOf(call).map(
    ({ language, code }) =>
      `<div class="sample" data-language="${language}"><h4>${language}</h4><pre tabindex="0" role="region" aria-label="${escaped(`${summary}, ${language}`)}"><code>${escaped(code)}</code></pre></div>`,
  )
  return `<article id="${operationId}" data-method="${method}" data-path="${escaped(path)}"><h3><a href="#${operationId}">${escaped(summary)}</a></h3>
<p class="address"><span class="method ${method}">${method}</span> <code>${escaped(path)}</code></p>
${description ? paragraphs(description) : ''}${parametersOf(call.parameters ?? [])}${requestBody ? bodyOf(requestBody) : ''}
<details><summary>Answers</summary><ul class="answers">${answers.join('')}</ul></details>
<div class="samples">${samples.join('')}</div></article>`
}

function parametersOf(parameters: Parameter[]): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) =>
      `<dt data-in="${place}"><code>${escaped(name)}</code> <span class="type">${place}, ${typeOf(schema)}${required ? '' : ', optional'}</span></dt><dd>${
        description ? `<p>${inline(description)}</p>` : ''
      }${limitsOf(schema)}</dd>`,
  )
  return `<h4>Parameters</h4><dl>${rows.join('')}</dl>`
}

function bodyOf({ description, content }: NonNullable<Call['requestBody']>): string {
  const kinds = Object.entries(content).map(([type, { schema }]) => {
    if (!schema) return `<p><code>${escaped(type)}</code></p>`
    const members = membersOf(schema)
    return `<p><code>${escaped(type)}</code>: ${typeOf(schema)}</p>${members}`
  })
  return `<h4>Body</h4>${description ? paragraphs(description) : ''}${kinds.join('')}`
}

function shapeSection(name: string, schema: Schema): string {
  return `<details class="shape" id="shape-${escaped(name)}"><summary>${escaped(name)}</summary>${
    schema.description ? paragraphs(schema.description) : ''
  }${membersOf(schema) || `<p class="type">${typeOf(schema)}</p>${limitsOf(schema)}`}</details>`
}

function slug(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
}
