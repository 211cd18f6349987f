import { formatId } from '../../../platform/ids.ts'
import { keysOfResponses, type PersonalData } from '../../../platform/personal.ts'
import { forgetTexts } from './classify/marks.service.ts'
import { verbatims } from './verbatim.entity.ts'
import * as store from './verbatim.store.ts'

/** Labels of a person's texts, and words of the search. The texts themselves are in the responses. */
export const personal: PersonalData = {
  stores: [
    {
      store: 'verbatim',
      table: 'verbatims',
      columns: [...verbatims.personal, 'verbatim_words.word'],
      find: async (_scope, tx, person, looking) => ({
        keys: await keysOfResponses(looking, 'verbatim', person, (ids) => store.listKnown(tx, ids)),
      }),
      // After their responses: an erased response is not classified any more.
      async erase(_scope, tx, keys) {
        const known = await store.listKnown(tx, keys)
        await forgetTexts(tx, known)
        return known.length
      },
      async export(_scope, tx, keys, person) {
        const given = person.responseIds.filter((id) => keys.includes(id))
        return (await store.listOfResponses(tx, given)).map((row) => ({
          response_id: formatId('response', row.response_id),
          question_id: row.question_id,
          language: row.language,
          sentiment: row.sentiment,
        }))
      },
    },
  ],
}
