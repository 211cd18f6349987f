import { formatId } from '../../../platform/ids.ts'
import { hashesOf, type PersonalData } from '../../../platform/personal.ts'
import { openConfidential } from './conversation-row.ts'
import * as store from './personal.store.ts'
import { sealReply } from './turns.service.ts'

/** Surveys by SMS and phone, and what strangers to them were answered. */
export const personal: PersonalData = {
  stores: [
    {
      store: 'conversations',
      table: 'conversations',
      columns: [
        'sealed',
        'masked',
        'address_hash',
        'conversation_turns.reply',
        'conversation_turns.exchange',
        'conversation_turns.stranger_hash',
      ],
      async find(scope, tx, person) {
        const hashes = hashesOf(person)
        const rows = await store.listOfPerson(tx, hashes, person.responseIds)
        const strangers = await store.listStrangerTurns(tx, hashes)
        return {
          keys: [...rows.map(({ id }) => id), ...strangers.map((id) => `${TURN}${id}`)],
          addresses: rows.map(({ id, address_hash, sealed }) => ({
            kind: 'phone' as const,
            hash: address_hash,
            address: openConfidential(scope.secrets, id, sealed).address,
          })),
          responseIds: rows.flatMap(({ response_id }) => response_id ?? []),
        }
      },
      async erase(scope, tx, keys) {
        const ids = keys.filter((key) => !key.startsWith(TURN))
        const turnIds = [
          ...(await store.listTurns(tx, ids)),
          ...keys.filter((key) => key.startsWith(TURN)).map((key) => key.slice(TURN.length)),
        ]
        // The turns stay, so that a repeated message of the provider has no second effect.
        await store.eraseTurns(
          tx,
          turnIds.map((id) => ({ id, reply: sealReply(scope.secrets, id, '') })),
        )
        await store.deleteConversations(tx, ids)
        return keys.length
      },
      export: async (scope, tx, keys) =>
        (
          await store.listConversations(
            tx,
            keys.filter((key) => !key.startsWith(TURN)),
          )
        ).map(({ id, sealed, ...row }) => {
          const { address, name, customData } = openConfidential(scope.secrets, id, sealed)
          return {
            channel: row.channel,
            number: row.number,
            address: address ?? row.masked,
            name,
            custom_data: customData,
            survey_id: formatId('survey', row.survey_id),
            response_id: row.response_id && formatId('response', row.response_id),
            language: row.language,
            opening: row.opening,
            opened_at: row.opened_at.toISOString(),
            ended_at: row.ended_at?.toISOString(),
            ended_reason: row.ended_reason,
          }
        }),
    },
  ],
}

const TURN = 'turn:'
