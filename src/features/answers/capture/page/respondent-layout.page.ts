import { html, raw } from 'hono/html'
import { directionOf } from '../../../../platform/text/direction.ts'
import type { LocalizedText } from '../../../../survey-engine/model/definition.ts'
import { pipe, pipingBudget, type PipingContext } from '../../../../survey-engine/logic/piping.ts'
import { localize } from '../../../../survey-engine/model/text.ts'
import type { Html } from './respondent-fields.page.ts'
import { styleFor } from './respondent-style.ts'
import type { Brand, EndView, FormView } from './respondent-view.ts'

/** The document around a form or a message. */
export function layout(language: string, brand: Brand | null, title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${raw(styleFor(brand).text)}</style></head>
<body>${coverOf(brand)}<div class="sheet">${brand?.logoUrl ? html`<header class="brand"><img src="${brand.logoUrl}" alt="${brand.name}"></header>` : ''}<main>${content}${raw(LAST)}`
}

/** The picture of the look. Without one, `split` has a field of the accent. */
function coverOf(brand: Brand | null): Html {
  if (brand?.coverUrl) return html`<img class="cover" src="${brand.coverUrl}" alt="" fetchpriority="low">`
  return brand?.layout === 'split' ? html`<div class="cover"></div>` : html``
}

/** The end of every document. */
export const LAST = '</main></div></body>\n</html>'

/** Fills in the texts of a survey, in the language of the page. */
export function speaker({ definition, language }: FormView | EndView, context: PipingContext) {
  return (text: LocalizedText) => pipe(localize(text, language, definition.default_language), context)
}

/** The values that replace placeholders. */
export function contextOf({ definition, language, evaluation }: FormView | EndView): PipingContext {
  return {
    definition,
    language,
    values: evaluation.values,
    custom_data: evaluation.custom_data,
    variables: evaluation.variables,
    budget: pipingBudget(),
  }
}
