import type { ReadTx } from '../../../platform/database/database.ts'
import { namesOf, type Looking, type Mentions, type Person, type PersonalData } from '../../../platform/personal.ts'
import type { Scope } from '../../../platform/scope.ts'
import { startSlices } from '../../../platform/loop/turns.ts'
import { createOpener, type SealedEmail } from './mail.service.ts'
import * as store from './mail.store.ts'

const PAGE = 200

/** Mail that waits to be sent to a person, or that names them. */
export const personal: PersonalData = {
  stores: [
    {
      store: 'outbox',
      table: 'outgoing_emails',
      columns: ['sealed', 'outgoing_email_contents.sealed'],
      find: async (scope, tx, person, looking) => ({ keys: await findMail(scope, tx, person, looking) }),
      erase: (scope, tx, keys) => store.eraseMail(tx, keys, scope.clock.now()),
      async export(scope, tx, keys, person, mentions) {
        const records = []
        const open = createOpener(scope, (id) => store.readContent(tx, id))
        for (const { kind, created_at, ...own } of await store.listMail(tx, keys)) {
          const { to, subject, text } = await open(own)
          const mail = { kind, created_at: created_at.toISOString() }
          // A link in it may still let somebody in.
          const shown = text.replace(/\bear_[a-z]+_\w+/g, '[token]')
          if (isTo(person, to)) records.push({ ...mail, to, subject, text: shown })
          else
            records.push({
              ...mail,
              to: 'somebody else',
              mentions: await naming(mentions, [subject, ...shown.split('\n')]),
            })
        }
        return records
      },
    },
  ],
}

// Mail is sealed, so each that waits is opened.
async function findMail(scope: Scope, tx: ReadTx, person: Person, { mentions, scan }: Looking): Promise<string[]> {
  const names = namesOf(person)
  const found: string[] = []
  const open = createOpener(scope, (id) => store.readContent(tx, id))
  const slices = startSlices()
  const page = (after: string | null) => store.listWaiting(tx, after, PAGE)
  for await (const row of scan('mail', { page, size: PAGE, idOf: ({ id }) => id })) {
    if (slices.isOver()) await slices.next()
    const { to, subject, text, html = '', about = [] } = await open(row)
    const texts = [subject, text, html]
    const isTheirs = isTo(person, to) || [...about, ...texts].some(names) || (await mentions(texts))
    if (isTheirs) found.push(row.id)
  }
  return found
}

function isTo({ addresses }: Person, to: SealedEmail['to']): boolean {
  return typeof to === 'string' && addresses.some(({ address }) => address === to.toLowerCase())
}

async function naming(mentions: Mentions, lines: string[]): Promise<string[]> {
  const found: string[] = []
  for (const line of lines) if (await mentions([line])) found.push(line)
  return found
}
