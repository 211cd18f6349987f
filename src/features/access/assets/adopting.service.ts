import pLimit from 'p-limit'
import { unprocessable, type Issue } from '../../../http/problems/problem.ts'
import { hashInAddress } from '../../../platform/look/asset-address.ts'
import { systemTransaction, tenantReading } from '../../../platform/database/database.ts'
import { BlockedUrlError, OutboundError } from '../../../platform/ports/ports.ts'
import type { Scope } from '../../../platform/scope.ts'
import { addressOf, readAsset, redraw } from './assets.service.ts'
import * as store from './assets.store.ts'
import { besides, keepPicture } from './keeping.service.ts'

/** The address of a picture, and where it stands in a body. */
export interface PictureLink {
  url: string
  path: string
}

const MOST_FETCHED = 20
const AT_ONCE = 4
const TIMEOUT_MS = 5_000
// A kept address would lead visitors to a server that answers them, and not us.
const AGAIN = 'Save again later.'
const INSTEAD = 'Upload the picture by `POST /v1/assets` and use its `url`.'

/**
 * Makes pictures elsewhere assets, so that no page asks another server for them. Each is fetched once, behind the guard
 * of webhooks. Other paths of this server stay as they are. A picture of another workspace is copied.
 * @returns the address of the asset, by the address that was given.
 * @throws Problem 422 with an issue for each picture that cannot be had.
 */
export async function adoptPictures(scope: Scope, links: PictureLink[]): Promise<Map<string, string>> {
  const byUrl = new Map(links.toReversed().map((link) => [link.url, link] as const))
  const foreign = [...byUrl.values()].filter(({ url }) => isForeign(scope, url))
  if (foreign.length > MOST_FETCHED) {
    const message = `Earshot fetches at most ${MOST_FETCHED} pictures at once. ${INSTEAD}`
    throw unprocessable('too_many_pictures', [{ path: foreign[MOST_FETCHED]?.path ?? '', message }])
  }
  const atOnce = pLimit(AT_ONCE)
  const adopted = new Map<string, string>()
  const issues: Issue[] = []
  await Promise.all(
    [...byUrl.values()].map((link) =>
      atOnce(async () => {
        const found = isForeign(scope, link.url) ? await fetched(scope, link.url) : await own(scope, link.url)
        if ('reason' in found) issues.push({ path: link.path, message: found.reason })
        else adopted.set(link.url, found.address)
      }),
    ),
  )
  if (issues.length > 0) throw unprocessable('picture_not_available', issues)
  return adopted
}

/**
 * A look whose pictures are assets of the workspace.
 * @param path of the look in the body.
 * @throws Problem 422 for pictures that cannot be had.
 */
export async function withOwnLook<Look extends Pictured>(scope: Scope, look: Look, path: string): Promise<Look> {
  const links = linksOfLook(look, path)
  return links.length === 0 ? look : shownBy(look, await adoptPictures(scope, links))
}

/** The pictures of a look. */
export interface Pictured {
  logo_url?: string | null | undefined
  cover_url?: string | null | undefined
}

const LOOK_PICTURES = ['logo_url', 'cover_url'] as const

export function linksOfLook(look: Pictured, path: string): PictureLink[] {
  return LOOK_PICTURES.flatMap((name) => (look[name] ? [{ url: look[name], path: `${path}.${name}` }] : []))
}

export function shownBy<Look extends Pictured>(look: Look, adopted: Map<string, string>): Look {
  const own = LOOK_PICTURES.flatMap((name) => (look[name] ? [[name, adopted.get(look[name]) ?? look[name]]] : []))
  return { ...look, ...Object.fromEntries(own) }
}

function isForeign({ settings }: Scope, url: string): boolean {
  return /^https?:\/\//i.test(url) && hashInAddress(url, settings.baseUrl) === null
}

type Found = { address: string } | { reason: string }

async function own(scope: Scope, url: string): Promise<Found> {
  const hash = hashInAddress(url, scope.settings.baseUrl)
  if (hash === null) return { address: url }
  const row = (await scope.read((tx) => store.findByHash(tx, hash))) ?? (await copied(scope, hash))
  return row ? { address: addressOf(scope, row) } : { reason: `Earshot has no picture at this address. ${INSTEAD}` }
}

/**
 * A picture of another workspace, by its public address: a definition may come from there. Its alternative text is not
 * public, so it stays there.
 */
async function copied(scope: Scope, hash: string): Promise<store.AssetRow | undefined> {
  const { database } = scope.ports
  const owner = await systemTransaction(database, (tx) => store.findTenantOfAsset(tx, hash))
  const row = owner && (await tenantReading(database, owner, 'latest', (tx) => store.findByHash(tx, hash)))
  if (!row) return undefined
  const chunks: Uint8Array[] = []
  for await (const chunk of await readAsset(scope, row, owner)) chunks.push(chunk)
  return keepPicture(scope, { ...row, bytes: Buffer.concat(chunks) }, null, besides(scope))
}

async function fetched(scope: Scope, url: string): Promise<Found> {
  const { username, password } = new URL(url)
  if (username || password) return failed('Leave the user name and the password out of the address.')
  try {
    const userAgent = `Earshot/${scope.settings.version}`
    const { status, bytes } = await scope.ports.outboundHttp.picture({ url, userAgent, timeoutMs: TIMEOUT_MS })
    if (status === 429 || status >= 500) return failed(`The address answered ${status}. ${AGAIN}`)
    if (status !== 200) return failed(`The address answered ${status}.`)
    // The content decides the type, not the address.
    const result = await redraw(scope.tenantId, { body: bytes, contentType: 'application/octet-stream' })
    if ('refused' in result) return failed(result.message)
    return { address: addressOf(scope, await keepPicture(scope, result.picture, null, besides(scope))) }
  } catch (error) {
    if (error instanceof BlockedUrlError)
      return failed(
        'Earshot may not read this address, or one that it redirects to. Use a public address on port 80 or 443.',
      )
    if (!(error instanceof OutboundError)) throw error
    return failed(error.reason === 'protocol' ? `The reason: ${error.message}.` : `Its server did not answer. ${AGAIN}`)
  }
}

function failed(reason: string): Found {
  return { reason: `This picture could not be fetched. ${reason} ${INSTEAD}` }
}
