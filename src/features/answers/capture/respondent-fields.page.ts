import { html } from 'hono/html'
import type { Choice, Question } from '../../../survey-engine/model/definition.ts'
import { allowsOther, choicesOf, contactFieldsOf, scaleOf, takesMany } from '../../../survey-engine/model/questions.ts'
import { field, type Fields } from './respondent-form.ts'
import type { Say } from '../../../survey-engine/language/messages.ts'

export type Html = ReturnType<typeof html>

/** What the fields of one question need to be drawn. */
export interface Drawing {
  question: Question
  fields: Fields
  /** Our own words. */
  own: Say
  required: boolean
  invalid: boolean
  /** Ids of the elements that describe the question. */
  describedBy: string
  /** A text of the survey in the respondent's language, with its placeholders filled. */
  say: (text: Choice['label']) => string
}

/** Whether one control answers the question, so that the title is its label rather than a legend. */
export function isSingleControl({ type }: Question): boolean {
  return type === 'open_text' || type === 'date' || type === 'dropdown'
}

export function drawFields(drawing: Drawing): Html {
  const { question } = drawing
  if (scaleOf(question)) return scale(drawing)
  switch (question.type) {
    case 'single':
      return choices(drawing, 'radio')
    case 'multi':
    case 'picture':
      return choices(drawing, takesMany(question) ? 'checkbox' : 'radio')
    case 'dropdown':
      return dropdown(drawing)
    case 'ranking':
      return ranking(drawing)
    case 'matrix':
      return matrix(drawing)
    case 'open_text':
      return openText(drawing)
    case 'date':
      return html`<input type="date" ${attributes(drawing)} value="${valueOf(drawing)}" min="${question.min ?? ''}" max="${question.max ?? ''}">`
    case 'consent':
      return consent(drawing)
    case 'contact':
      return contact(drawing)
    default:
      return html``
  }
}

function scale({ question, fields, say, required }: Drawing): Html {
  const { min, max } = scaleOf(question) ?? { min: 1, max: 1 }
  const labels = 'low_label' in question || 'high_label' in question ? question : null
  const given = field(fields, question.id)
  const steps = Array.from({ length: max - min + 1 }, (_, index) => min + index)
  return html`<div class="scale">${steps.map(
    (step) =>
      html`<span><input type="radio" id="${question.id}.${step}" name="${question.id}" value="${step}"${flag('checked', given === String(step))}${flag('required', required)}><label for="${question.id}.${step}">${step}</label></span>`,
  )}</div>${labels && html`<p class="ends"><span>${say(labels.low_label ?? '')}</span><span>${say(labels.high_label ?? '')}</span></p>`}`
}

function choices({ question, fields, say, own, required }: Drawing, type: 'radio' | 'checkbox'): Html {
  const given = fields.get(question.id) ?? []
  const line = (id: string, label: string, image?: string) =>
    html`<div class="choice${image ? ' pictured' : ''}"><input type="${type}" id="${question.id}.c.${id}" name="${question.id}" value="${id}"${flag('checked', given.includes(id))}${flag('required', required && type === 'radio')}><label for="${question.id}.c.${id}">${image ? html`<img src="${image}" alt="" loading="lazy">` : ''}<span>${label}</span></label></div>`
  return html`<div class="${question.type === 'picture' ? 'pictures' : 'choices'}">${choicesOf(question).map(({ id, label, image_url }) => line(id, say(label), image_url))}${allowsOther(question) ? html`${line('other', own('other'))}${otherWords(question, fields, own)}` : ''}</div>`
}

function dropdown(drawing: Drawing): Html {
  const { question, say, own } = drawing
  const given = valueOf(drawing)
  const option = (id: string, label: string) => html`<option value="${id}"${flag('selected', given === id)}>${label}</option>`
  return html`<select ${attributes(drawing)}><option value="">${own('choose')}</option>${choicesOf(question).map(({ id, label }) => option(id, say(label)))}${allowsOther(question) ? option('other', own('other')) : ''}</select>${allowsOther(question) ? otherWords(question, drawing.fields, own) : ''}`
}

function otherWords({ id }: Question, fields: Fields, own: Say): Html {
  return html`<input type="text" class="other" name="${id}.other" maxlength="1000" aria-label="${own('other')}" value="${field(fields, `${id}.other`) ?? ''}">`
}

function ranking({ question, fields, say, own }: Drawing): Html {
  const all = choicesOf(question)
  const places = all.map((_, index) => String(index + 1))
  return html`<p class="hint">${own('rank')}</p><div class="lines">${all.map(({ id, label }) => {
    const given = field(fields, `${question.id}.${id}`)
    return html`<div class="line"><select id="${question.id}.${id}" name="${question.id}.${id}"><option value="">–</option>${places.map((place) => html`<option${flag('selected', given === place)}>${place}</option>`)}</select><label for="${question.id}.${id}">${say(label)}</label></div>`
  })}</div>`
}

function matrix({ question, fields, say, required }: Drawing): Html {
  if (question.type !== 'matrix') return html``
  return html`<div class="rows">${question.rows.map((row) => {
    const name = `${question.id}.${row.id}`
    const given = field(fields, name)
    return html`<fieldset class="row"><legend>${say(row.label)}</legend><div class="cells">${question.columns.map(
      ({ id, label }) =>
        html`<span class="choice"><input type="radio" id="${name}.${id}" name="${name}" value="${id}"${flag('checked', given === id)}${flag('required', required)}><label for="${name}.${id}"><span>${say(label)}</span></label></span>`,
    )}</div></fieldset>`
  })}</div>`
}

const INPUTS = { email: ['email', 'email'], url: ['url', 'url'], phone: ['tel', 'tel'], number: ['text', 'off'] } as const

function openText(drawing: Drawing): Html {
  const { question } = drawing
  if (question.type !== 'open_text') return html``
  const longest = question.max_length ?? 5_000
  const format = question.format ?? 'text'
  if (format === 'text')
    return html`<textarea rows="4" maxlength="${longest}" ${attributes(drawing)}>
${valueOf(drawing)}</textarea>`
  const [type, autocomplete] = INPUTS[format]
  return html`<input type="${type}"${format === 'number' ? html` inputmode="decimal"` : ''} autocomplete="${autocomplete}" maxlength="${longest}" ${attributes(drawing)} value="${valueOf(drawing)}">`
}

function consent({ question, fields, say, required, invalid, describedBy, own }: Drawing): Html {
  return html`<div class="choice"><input type="checkbox" id="${question.id}.yes" name="${question.id}" value="yes"${flag('checked', field(fields, question.id) === 'yes')}${flag('required', required)}${invalid ? html` aria-invalid="true"` : ''}${describedBy ? html` aria-describedby="${describedBy}"` : ''}><label for="${question.id}.yes"><span>${say(question.title)}${required ? html` <span class="mark">${own('required')}</span>` : ''}</span></label></div>`
}

function contact({ question, fields, own }: Drawing): Html {
  if (question.type !== 'contact') return html``
  const types = { name: ['text', 'name'], email: ['email', 'email'], phone: ['tel', 'tel'], company: ['text', 'organization'] } as const
  return html`<div class="lines">${contactFieldsOf(question).map((name) => {
    const [type, autocomplete] = types[name]
    const required = question.required_fields?.includes(name) ?? false
    return html`<div class="line stacked"><label for="${question.id}.${name}">${own(name)}${required ? html` <span class="mark">${own('required')}</span>` : ''}</label><input type="${type}" id="${question.id}.${name}" name="${question.id}.${name}" autocomplete="${autocomplete}" maxlength="320"${flag('required', required)} value="${field(fields, `${question.id}.${name}`) ?? ''}"></div>`
  })}</div>`
}

function attributes({ question, required, invalid, describedBy }: Drawing): Html {
  return html`id="${question.id}" name="${question.id}"${flag('required', required)}${invalid ? html` aria-invalid="true"` : ''}${describedBy ? html` aria-describedby="${describedBy}"` : ''}`
}

function flag(name: 'checked' | 'required' | 'selected', on: boolean): Html {
  if (!on) return html``
  return name === 'checked' ? html` checked` : name === 'selected' ? html` selected` : html` required`
}

function valueOf({ question, fields }: Drawing): string {
  return field(fields, question.id) ?? ''
}
