// Search, colours, the language of examples, and calls from the page. Without it the page shows everything.
const root = document.documentElement
const tools = document.querySelector('.tools')
root.classList.add('scripted')
tools.hidden = false
tools.addEventListener('submit', (event) => event.preventDefault())

for (const name of ['code', 'theme']) {
  const control = tools.elements[name]
  control.value = localStorage.getItem(`earshot.docs.${name}`) ?? control.value
  const apply = () => {
    if (control.value) root.dataset[name] = control.value
    else delete root.dataset[name]
  }
  control.addEventListener('change', () => {
    localStorage.setItem(`earshot.docs.${name}`, control.value)
    apply()
  })
  apply()
}

// Kept for this tab alone.
const token = tools.elements.token
token.value = sessionStorage.getItem('earshot.docs.token') ?? ''
token.addEventListener('change', () => sessionStorage.setItem('earshot.docs.token', token.value.trim()))

const links = [...document.querySelectorAll('nav details li')].map((item) => {
  const call = document.getElementById(item.firstChild.hash.slice(1))
  return { item, text: `${item.textContent} ${call.dataset.path} ${call.id}`.toLowerCase() }
})
tools.elements.search.addEventListener('input', ({ target }) => {
  const words = target.value.toLowerCase().split(/\s+/).filter(Boolean)
  for (const { item, text } of links) item.hidden = !words.every((word) => text.includes(word))
  for (const group of document.querySelectorAll('nav details')) {
    const isFound = group.querySelector('li:not([hidden])') !== null
    group.hidden = !isFound
    group.open = words.length > 0 && isFound
  }
  document.querySelector('.none').hidden = links.some(({ item }) => !item.hidden)
})
tools.elements.search.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') document.querySelector('nav details li:not([hidden]) a')?.focus()
})

// A link to a shape opens it.
function openTarget() {
  const target = document.getElementById(location.hash.slice(1))
  if (target instanceof HTMLDetailsElement) target.open = true
}
addEventListener('hashchange', openTarget)
openTarget()

for (const sample of document.querySelectorAll('.sample')) {
  const button = make('button', { type: 'button', className: 'copy', textContent: 'Copy' })
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(sample.querySelector('code').textContent)
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), 2_000)
  })
  sample.append(button)
}

for (const call of document.querySelectorAll('article')) {
  const details = make('details', { className: 'try' })
  details.append(make('summary', { textContent: 'Try it' }))
  details.addEventListener('toggle', () => details.querySelector('form') ?? details.append(formFor(call)))
  call.append(details)
}

function formFor(call) {
  const { method, path } = call.dataset
  const form = make('form', {})
  const fields = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, place: 'path' }))
  for (const term of call.querySelectorAll('dt[data-in="query"] > code'))
    fields.push({ name: term.textContent, place: 'query' })
  for (const { name, place } of fields)
    form.append(labelled(`${name} (${place})`, make('input', { name: `${place} ${name}`, required: place === 'path' })))
  const example = call.querySelector('.sample[data-language="curl"] code').textContent.match(/-d '([\s\S]*)'$/)?.[1]
  const body =
    example === undefined
      ? null
      : make('textarea', { value: example.replaceAll(String.raw`'\''`, "'"), spellcheck: false })
  if (body) form.append(labelled('Body', body))
  const answer = make('pre', { tabIndex: 0, hidden: true })
  answer.setAttribute('role', 'status')
  form.append(make('button', { textContent: `Send ${method.toUpperCase()}` }), answer)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const given = new FormData(form)
    const address = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(given.get(`path ${name}`)))
    const query = new URLSearchParams(
      fields
        .filter(({ place, name }) => place === 'query' && given.get(`query ${name}`))
        .map(({ name }) => [name, given.get(`query ${name}`)]),
    )
    answer.hidden = false
    answer.textContent = 'Sending …'
    try {
      const response = await fetch(`${address}${query.size > 0 ? `?${query}` : ''}`, {
        method: method.toUpperCase(),
        headers: {
          ...(token.value && { authorization: `Bearer ${token.value.trim()}` }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: body.value }),
      })
      const text = await response.text()
      answer.textContent = `${response.status} ${response.statusText}\n\n${indented(text)}`
    } catch (error) {
      answer.textContent = `The server did not answer: ${error.message}`
    }
  })
  return form
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function labelled(text, control) {
  const label = make('label', { textContent: text })
  label.append(control)
  return label
}

function make(name, properties) {
  return Object.assign(document.createElement(name), properties)
}
