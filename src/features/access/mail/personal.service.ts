import type { ReadTx } from '../../../platform/database.ts'
import { namesOf, type Mentions, type Person, type PersonalData } from '../../../platform/personal.ts'
import type { Scope } from '../../../platform/scope.ts'
import { startSlices } from '../../../platform/turns.ts'
import { sealContext, type SealedEmail } from './mail.service.ts'
import * as store from './personal.store.ts'

const PAGE = 200

/** Mail that waits to be sent to a person, or that names them. */
export const personal: PersonalData = {
  stores: [
    {
      store: 'outbox',
      table: 'outgoing_emails',
      columns: ['sealed'],
      find: async (scope, tx, person, mentions) => ({ keys: await findMail(scope, tx, person, mentions) }),
      erase: (scope, tx, keys) => store.eraseMail(tx, keys, scope.clock.now()),
      async export(scope, tx, keys) {
        const rows = await store.listMail(tx, keys)
        return rows.map(({ id, kind, sealed, created_at }) => {
          const { to, subject, text } = open(scope, id, sealed)
          return {
            kind,
            to: typeof to === 'string' ? to : 'a member',
            subject,
            // A link in it may still let somebody in.
            text: text.replace(/\bear_[a-z]+_\w+/g, '[token]'),
            created_at: created_at.toISOString(),
          }
        })
      },
    },
  ],
}

// Mail is sealed, so each that waits is opened.
async function findMail(scope: Scope, tx: ReadTx, person: Person, mentions: Mentions): Promise<string[]> {
  const addresses = new Set(person.addresses.map(({ address }) => address))
  const names = namesOf(person)
  const found: string[] = []
  const slices = startSlices()
  for (let after: string | null = null; ;) {
    const rows: Awaited<ReturnType<typeof store.listWaiting>> = await store.listWaiting(tx, after, PAGE)
    for (const { id, sealed } of rows) {
      if (slices.isOver()) await slices.next()
      const { to, subject, text, html = '', about = [] } = open(scope, id, sealed)
      const texts = [subject, text, html]
      const isTheirs =
        (typeof to === 'string' && addresses.has(to.toLowerCase())) ||
        [...about, ...texts].some(names) ||
        (await mentions(texts))
      if (isTheirs) found.push(id)
    }
    if (rows.length < PAGE) return found
    after = rows.at(-1)?.id ?? null
  }
}

function open(scope: Scope, id: string, sealed: string): SealedEmail {
  return JSON.parse(scope.secrets.open(sealed, sealContext(id))) as SealedEmail
}
