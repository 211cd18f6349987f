import type { ReadTx } from '../../../platform/database/database.ts'
import { formatId } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Question, Theme } from '../../../survey-engine/model/definition.ts'
import { adoptPictures, linksOfLook, shownBy, type PictureLink } from '../../access/assets/adopting.service.ts'
import type { AssetUse } from '../../access/assets/assets.service.ts'
import * as store from './surveys.store.ts'

/** The parts of a definition that show pictures. */
interface Showing {
  questions?: Question[] | undefined
  theme?: Theme | null | undefined
}

export function hasPictures(showing: Showing): boolean {
  return linksOf(showing).length > 0
}

/**
 * A definition, or a part of one, whose pictures are all assets of the workspace.
 * @throws Problem 422 for pictures that cannot be had.
 */
export async function withOwnPictures<Part extends Showing>(scope: Scope, part: Part): Promise<Part> {
  const links = linksOf(part)
  if (links.length === 0) return part
  const adopted = await adoptPictures(scope, links)
  const { questions, theme } = part
  return {
    ...part,
    ...(questions && { questions: questions.map((question) => withPictures(question, adopted)) }),
    ...(theme && { theme: shownBy(theme, adopted) }),
  }
}

function withPictures(question: Question, adopted: Map<string, string>): Question {
  if (!('choices' in question)) return question
  const choices = question.choices.map((choice) =>
    choice.image_url === undefined
      ? choice
      : { ...choice, image_url: adopted.get(choice.image_url) ?? choice.image_url },
  )
  return { ...question, choices }
}

/** The surveys whose draft or published versions show a picture. */
export async function listPictureUses(_scope: Scope, tx: ReadTx, hash: string): Promise<AssetUse[]> {
  const rows = await store.listShowing(tx, hash)
  return rows.map(({ id, name }) => ({ type: 'survey', id: formatId('survey', id), name }))
}

function linksOf({ questions = [], theme }: Showing): PictureLink[] {
  return [...questions.flatMap(linksOfQuestion), ...(theme ? linksOfLook(theme, 'theme') : [])]
}

function linksOfQuestion(question: Question, at: number): PictureLink[] {
  if (!('choices' in question)) return []
  return question.choices.flatMap(({ image_url }, index) =>
    image_url === undefined ? [] : [{ url: image_url, path: `questions.${at}.choices.${index}.image_url` }],
  )
}
