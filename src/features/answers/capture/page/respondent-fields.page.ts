import { onOwnPage } from '../../../../platform/look/asset-address.ts'
import { html } from 'hono/html'
import type { Say } from '../../../../survey-engine/language/messages.ts'
import { readAnswer } from '../../../../survey-engine/logic/evaluation.ts'
import type { Choice, Question, QuestionOf, QuestionType } from '../../../../survey-engine/model/definition.ts'
import { LIMITS } from '../../../../survey-engine/model/limits.ts'
import type { Kind } from '../../../../survey-engine/types/behaviour.ts'
import { contactFieldsOf } from '../../../../survey-engine/types/contact.ts'
import { scoresIn } from '../../../../survey-engine/types/families/scored.ts'
import { behaviourOf, scaleOf, takesSeveral, type QuestionOfKind } from '../../../../survey-engine/types/registry.ts'
import { rangeOf } from '../../../../survey-engine/types/slider.ts'
import { untouchedPlace, field, type Fields } from '../../../../survey-engine/forms/answers.ts'

export type Html = ReturnType<typeof html>

/** The data to draw the fields of one question. */
export interface Drawing<Q extends Question = Question> {
  question: Q
  fields: Fields
  /** The built-in words. */
  own: Say
  required: boolean
  invalid: boolean
  /** Ids of the elements that describe the question. */
  describedBy: string
  /** A text of the survey in the respondent's language, with its placeholders filled. */
  say: (text: Choice['label']) => Html
}

/**
 * The element of the title: the legend of a group of controls, the label of one control, a heading of a text without
 * controls, or a part of the fields.
 */
export type Frame = 'legend' | 'label' | 'heading' | 'within'

export function frameOf(question: Question): Frame {
  return controlsFor(question).frame
}

export function drawFields(drawing: Drawing): Html {
  return controlsFor(drawing.question).draw(drawing)
}

export function isScripted(question: Question): boolean {
  return controlsFor(question).scripted === true
}

interface Controls<Q extends Question> {
  frame: Frame
  draw(drawing: Drawing<Q>): Html
  /** True if the page needs its script. Default: false. */
  scripted?: true
}

const FIELDS: { [K in Kind]: Controls<QuestionOfKind<K>> } = {
  scale: { frame: 'legend', draw: scale },
  number: { frame: 'label', draw: slider, scripted: true },
  choice: { frame: 'legend', draw: (drawing) => choices(drawing, 'choices') },
  ranking: { frame: 'legend', draw: ranking },
  matrix: { frame: 'legend', draw: matrix },
  text: { frame: 'label', draw: openText },
  date: { frame: 'label', draw: date },
  yes: { frame: 'within', draw: consent },
  fields: { frame: 'legend', draw: contact },
  none: { frame: 'heading', draw: () => html`` },
}

/** Types that look unlike others of their kind. */
const OWN_FIELDS: { [Type in QuestionType]?: Controls<QuestionOf<Type>> } = {
  dropdown: { frame: 'label', draw: dropdown },
  picture: { frame: 'legend', draw: (drawing) => choices(drawing, 'pictures') },
}

function controlsFor(question: Question): Controls<Question> {
  return OWN_FIELDS[question.type] ?? FIELDS[behaviourOf(question).kind]
}

function scale({ question, fields, say, required }: Drawing<QuestionOfKind<'scale'>>): Html {
  const labels = 'low_label' in question || 'high_label' in question ? question : null
  const given = field(fields, question.id)
  const steps = scoresIn(scaleOf(question) ?? { min: 1, max: 0 })
  const look = ('style' in question && question.style) || 'number'
  return html`<div class="scale ${look} s${steps.length}">${steps.map(
    (step) =>
      html`<span><input type="radio" id="${question.id}.${step}" name="${question.id}" value="${step}"${flag('checked', given === String(step))}${flag('required', required)}><label for="${question.id}.${step}">${look === 'number' ? step : html`<span aria-hidden="true">${glyphOf(look, step, steps.length)}</span><span class="unseen">${step}</span>`}</label></span>`,
  )}</div>${labels && html`<p class="ends"><span>${say(labels.low_label ?? '')}</span><span>${say(labels.high_label ?? '')}</span></p>`}`
}

// A short scale has the faces at equal distances, from a sad mouth to a smile.
function glyphOf(look: 'star' | 'smiley', step: number, steps: number): Html | string {
  if (look === 'star') return '★'
  const mood = (step - 1) / (steps - 1)
  const [y, bend] = [22 - 3 * mood, 14 * mood - 7].map((place) => place.toFixed(1))
  return html`<svg viewBox="0 0 32 32"><circle cx="16" cy="16" r="14"/><path d="M11.5 11.5v2m9-2v2M9.5 ${y}q6.5 ${bend} 13 0"/></svg>`
}

function slider(drawing: Drawing<QuestionOfKind<'number'>>): Html {
  const { question, fields, say, own, describedBy } = drawing
  const { min, max, step } = rangeOf(question)
  const unset = untouchedPlace(question)
  const given = readAnswer(question, Number(field(fields, question.id) || NaN))
  const value = given && 'value' in given ? String(given.value) : String(unset)
  const hint = `${question.id}.hint`
  return html`<div class="slider"><input type="range" ${attributes({ ...drawing, required: false, describedBy: `${describedBy} ${hint}`.trim() })} min="${unset}" max="${max}" step="${step}" value="${value}"><output for="${question.id}" aria-hidden="true" hidden></output></div><p class="ends"><span>${min} ${say(question.low_label ?? '')}</span><span>${max} ${say(question.high_label ?? '')}</span></p><p class="hint" id="${hint}">${own('slide', { unset })}</p>`
}

function choices(
  { question, fields, say, own, required }: Drawing<QuestionOfKind<'choice'>>,
  look: 'choices' | 'pictures',
): Html {
  const given = fields.get(question.id) ?? []
  const type = takesSeveral(question) ? 'checkbox' : 'radio'
  const line = (id: string, label: Html, image?: string | null) =>
    html`<div class="choice${image ? ' pictured' : ''}"><input type="${type}" id="${question.id}.c.${id}" name="${question.id}" value="${id}"${flag('checked', given.includes(id))}${flag('required', required && type === 'radio')}><label for="${question.id}.c.${id}">${image ? html`<img src="${image}" alt="" loading="lazy">` : ''}<span>${label}</span></label></div>`
  return html`<div class="${look}">${question.choices.map(({ id, label, image_url }) => line(id, say(label), image_url && onOwnPage(image_url)))}${question.allow_other ? html`${line('other', html`${own('other')}`)}${otherWords(question, fields, own)}` : ''}</div>`
}

function dropdown(drawing: Drawing<QuestionOf<'dropdown'>>): Html {
  const { question, say, own } = drawing
  const given = valueOf(drawing)
  const option = (id: string, label: Html) =>
    html`<option value="${id}"${flag('selected', given === id)}>${label}</option>`
  return html`<select ${attributes(drawing)}><option value="">${own('choose')}</option>${question.choices.map(({ id, label }) => option(id, say(label)))}${question.allow_other ? option('other', html`${own('other')}`) : ''}</select>${question.allow_other ? otherWords(question, drawing.fields, own) : ''}`
}

function otherWords({ id }: Question, fields: Fields, own: Say): Html {
  return html`<input type="text" class="other" name="${id}.other" maxlength="1000" placeholder=" " aria-label="${own('other')}" value="${field(fields, `${id}.other`) ?? ''}">`
}

function ranking({ question, fields, say, own }: Drawing<QuestionOfKind<'ranking'>>): Html {
  const all = question.choices
  const places = all.map((_, index) => String(index + 1))
  return html`<p class="hint">${own('rank')}</p><div class="lines">${all.map(({ id, label }) => {
    const given = field(fields, `${question.id}.${id}`)
    return html`<div class="line"><select id="${question.id}.${id}" name="${question.id}.${id}"><option value="">–</option>${places.map((place) => html`<option${flag('selected', given === place)}>${place}</option>`)}</select><label for="${question.id}.${id}">${say(label)}</label></div>`
  })}</div>`
}

function matrix({ question, fields, say, required }: Drawing<QuestionOfKind<'matrix'>>): Html {
  return html`<div class="rows">${question.rows.map((row) => {
    const name = `${question.id}.${row.id}`
    const given = field(fields, name)
    return html`<fieldset class="row"><legend>${say(row.label)}</legend><div class="cells">${question.columns.map(
      ({ id, label }) =>
        html`<span class="choice"><input type="radio" id="${name}.${id}" name="${name}" value="${id}"${flag('checked', given === id)}${flag('required', required)}><label for="${name}.${id}"><span>${say(label)}</span></label></span>`,
    )}</div></fieldset>`
  })}</div>`
}

const INPUTS = {
  email: ['email', 'email'],
  url: ['url', 'url'],
  phone: ['tel', 'tel'],
  number: ['text', 'off'],
} as const

function openText(drawing: Drawing<QuestionOfKind<'text'>>): Html {
  const { format = 'text', max_length: longest = LIMITS.openTextDefault } = drawing.question
  if (format === 'text')
    return html`<textarea rows="4" maxlength="${longest}" ${attributes(drawing)}>
${valueOf(drawing)}</textarea>`
  const [type, autocomplete] = INPUTS[format]
  return html`<input type="${type}"${format === 'number' ? html` inputmode="decimal"` : ''} autocomplete="${autocomplete}" maxlength="${longest}" ${attributes(drawing)} value="${valueOf(drawing)}">`
}

function date(drawing: Drawing<QuestionOfKind<'date'>>): Html {
  const { min = '', max = '' } = drawing.question
  return html`<input type="date" ${attributes(drawing)} value="${valueOf(drawing)}" min="${min}" max="${max}">`
}

function consent({ question, fields, say, required, invalid, describedBy, own }: Drawing): Html {
  return html`<div class="choice"><input type="checkbox" id="${question.id}.yes" name="${question.id}" value="yes"${flag('checked', field(fields, question.id) === 'yes')}${flag('required', required)}${invalid ? html` aria-invalid="true"` : ''}${describedBy ? html` aria-describedby="${describedBy}"` : ''}><label for="${question.id}.yes"><span>${say(question.title)}${required ? html` <span class="mark">${own('required')}</span>` : ''}</span></label></div>`
}

function contact({ question, fields, own }: Drawing<QuestionOfKind<'fields'>>): Html {
  const types = {
    name: ['text', 'name'],
    email: ['email', 'email'],
    phone: ['tel', 'tel'],
    company: ['text', 'organization'],
  } as const
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
