import type { ReadTx } from '../../../platform/database/database.ts'
import { formatId } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Question } from '../../../survey-engine/model/definition.ts'
import { adoptPictures, type PictureLink } from '../../access/assets/adopting.service.ts'
import type { AssetUse } from '../../access/assets/assets.service.ts'
import * as store from './surveys.store.ts'

/** Whether a question shows pictures. */
export function hasPictures(question: Question): boolean {
  return 'choices' in question && question.choices.some(({ image_url }) => image_url !== undefined)
}

/**
 * Questions whose pictures are all assets of the workspace.
 * @throws Problem 422 for pictures that cannot be had.
 */
export async function withOwnPictures(scope: Scope, questions: Question[]): Promise<Question[]> {
  const links = questions.flatMap(linksOf)
  if (links.length === 0) return questions
  const adopted = await adoptPictures(scope, links)
  return questions.map((question) => {
    if (!('choices' in question) || !hasPictures(question)) return question
    const choices = question.choices.map((choice) =>
      choice.image_url === undefined
        ? choice
        : { ...choice, image_url: adopted.get(choice.image_url) ?? choice.image_url },
    )
    return { ...question, choices }
  })
}

/** The surveys whose draft or published versions show a picture. */
export async function listPictureUses(_scope: Scope, tx: ReadTx, hash: string): Promise<AssetUse[]> {
  const rows = await store.listShowing(tx, hash)
  return rows.map(({ id, name }) => ({ type: 'survey', id: formatId('survey', id), name }))
}

function linksOf(question: Question, at: number): PictureLink[] {
  if (!('choices' in question)) return []
  return question.choices.flatMap(({ image_url }, index) =>
    image_url === undefined ? [] : [{ url: image_url, path: `questions.${at}.choices.${index}.image_url` }],
  )
}
