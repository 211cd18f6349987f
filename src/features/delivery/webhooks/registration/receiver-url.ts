import { formatId, parseId, type Id } from '../../../../platform/ids.ts'

const PATH = '/public/test-receivers/'

/** The address of a test receiver. It is one of this server, which answers it with 404. */
export function receiverUrl(baseUrl: string, id: Id<'testReceiver'>): string {
  return new URL(PATH + formatId('testReceiver', id), baseUrl).toString()
}

/** Whether an address belongs to the test receivers of this server. */
export function isReceiverUrl(baseUrl: string, url: string): boolean {
  return url.startsWith(new URL(PATH, baseUrl).toString())
}

/** The receiver at an address. Null if the address is another one. */
export function receiverAt(baseUrl: string, url: string): Id<'testReceiver'> | null {
  const prefix = new URL(PATH, baseUrl).toString()
  return url.startsWith(prefix) ? parseId('testReceiver', url.slice(prefix.length)) : null
}
