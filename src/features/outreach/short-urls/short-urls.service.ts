import { timeOf } from '../../access/workspaces/workspaces.service.ts'
import type { z } from 'zod'
import { conflict, notFound, Problem, unprocessable } from '../../../http/problems/problem.ts'
import { pageRequest, presentPage, type CountedPageQuery } from '../../../http/routes/pagination.ts'
import { auditOf } from '../../../platform/audit.ts'
import { isUniqueViolation, type TenantTx } from '../../../platform/database/database.ts'
import { register, unregister } from '../../../platform/database/directory.ts'
import { countIfAsked, EVERY } from '../../../platform/fields/counting.ts'
import { formatId, newId, type Id } from '../../../platform/ids.ts'
import { redirectTarget } from '../../../platform/look/redirect-target.ts'
import type { Scope } from '../../../platform/scope.ts'
import { findSurveyIds } from '../../surveys/surveys/surveys.service.ts'
import { qrCodePng, qrCodeSvg } from './qr-code.ts'
import { type CreateShortUrl, ShortUrl, type ShortUrlList, type UpdateShortUrl } from './short-urls.schema.ts'
import * as store from './short-urls.store.ts'
import { isReserved, makeSlug } from './slug.ts'

const audited = auditOf('shortUrl', { schema: ShortUrl })

type Presented = z.input<typeof ShortUrl>

// A random slug is almost never taken. Five in a row mean another fault.
const MOST_TRIES = 5
const SLUG_TAKEN = 'slug_taken'

/** @throws Problem 409 `slug_taken`; 422 for an invalid slug, target or survey. */
export async function createShortUrl(scope: Scope, input: z.output<typeof CreateShortUrl>): Promise<Presented> {
  const destination = await readDestination(scope, input)
  if (!destination) throw oneOfBoth()
  const { max_clicks, forward_query } = input
  const expires_at = await timeOf(scope, input.expires_at, 'end')
  const insert = (slug: string) =>
    claimSlug(scope, null, { ...destination, slug, expires_at, max_clicks, forward_query }, async (tx, row) => {
      const made = await store.insertShortUrl(tx, newId('shortUrl'), row, scope.clock.now())
      audited(scope, tx, 'create', made.id, { after: present(scope, made) })
      return made
    })
  if (input.slug !== undefined) return present(scope, await insert(checkedSlug(input.slug)))
  for (let tries = 1; ; tries++) {
    try {
      return present(scope, await insert(makeSlug()))
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== SLUG_TAKEN || tries === MOST_TRIES) throw error
    }
  }
}

export async function listShortUrls(
  scope: Scope,
  query: z.output<typeof CountedPageQuery>,
): Promise<z.input<typeof ShortUrlList>> {
  const page = pageRequest(query)
  const every = { table: 'short_urls', alias: 'u', matching: () => EVERY, all: () => EVERY }
  return {
    ...presentPage(await scope.read((tx) => store.listShortUrls(tx, page)), page, (row) => present(scope, row)),
    ...(await countIfAsked(scope, query, every)),
  }
}

/** @throws Problem 404. */
export async function getShortUrl(scope: Scope, id: Id<'shortUrl'>): Promise<Presented> {
  return present(scope, await readShortUrl(scope, id))
}

/** Clicks stay. A new slug frees the old one. @throws Problem 404, 409 `slug_taken`, 422. */
export async function updateShortUrl(
  scope: Scope,
  id: Id<'shortUrl'>,
  input: z.output<typeof UpdateShortUrl>,
): Promise<Presented> {
  const destination = await readDestination(scope, input)
  const before = await readShortUrl(scope, id)
  const expiresAt = await timeOf(scope, input.expires_at, 'end')
  const slug = input.slug === undefined ? before.slug : checkedSlug(input.slug)
  const row = await claimSlug(scope, before.slug, { slug }, async (tx) => {
    const locked = await store.lockShortUrl(tx, id)
    if (!locked || locked.slug !== before.slug) throw notFound('shortUrl')
    const after = await store.updateShortUrl(
      tx,
      id,
      {
        slug,
        ...(destination ?? { target: locked.target, survey_id: locked.survey_id }),
        expires_at: expiresAt === undefined ? locked.expires_at : expiresAt,
        max_clicks: input.max_clicks === undefined ? locked.max_clicks : input.max_clicks,
        forward_query: input.forward_query ?? locked.forward_query,
      },
      scope.clock.now(),
    )
    audited(scope, tx, 'update', id, { before: present(scope, locked), after: present(scope, after) })
    return after
  })
  return present(scope, row)
}

/** @throws Problem 404. */
export async function deleteShortUrl(scope: Scope, id: Id<'shortUrl'>): Promise<void> {
  await scope.tx(async (tx) => {
    const row = await store.lockShortUrl(tx, id)
    if (!row) throw notFound('shortUrl')
    await store.deleteShortUrl(tx, id)
    await store.deleteClicks(tx, id)
    await unregister(tx, store.DIRECTORY_KIND, [row.slug])
    audited(scope, tx, 'delete', id)
  })
}

/** @throws Problem 404. */
export async function drawQrCode(scope: Scope, id: Id<'shortUrl'>): Promise<string> {
  const url = await readUrl(scope, id)
  return qrCodeSvg(url, url)
}

/** @throws Problem 404. */
export async function paintQrCode(scope: Scope, id: Id<'shortUrl'>): Promise<Buffer> {
  return qrCodePng(await readUrl(scope, id))
}

async function readUrl(scope: Scope, id: Id<'shortUrl'>): Promise<string> {
  const { slug } = await readShortUrl(scope, id)
  return urlOf(scope, slug)
}

/** @throws Problem 404. */
export async function readShortUrl(scope: Scope, id: Id<'shortUrl'>): Promise<store.ShortUrlRow> {
  const row = await scope.read((tx) => store.findShortUrl(tx, id))
  if (!row) throw notFound('shortUrl')
  return row
}

/** The target of a short URL, or the page of its survey. */
export function targetOf(scope: Scope, { target, survey_id }: Pick<store.ShortUrlRow, 'target' | 'survey_id'>): string {
  return survey_id === null ? (target ?? '') : `${scope.settings.baseUrl}/public/s/${formatId('survey', survey_id)}`
}

/** Changes a short URL and the directory entry of its slug in one transaction. The slug is unique on the server. */
async function claimSlug<Content extends { slug: string }>(
  scope: Scope,
  before: string | null,
  content: Content,
  change: (tx: TenantTx, content: Content) => Promise<store.ShortUrlRow>,
): Promise<store.ShortUrlRow> {
  try {
    return await scope.tx(async (tx) => {
      if (content.slug !== before) {
        await register(tx, store.DIRECTORY_KIND, [content.slug])
        if (before !== null) await unregister(tx, store.DIRECTORY_KIND, [before])
      }
      return change(tx, content)
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw conflict(SLUG_TAKEN, 'This slug is taken. Choose another.')
    throw error
  }
}

type Destination = Pick<store.ShortUrlRow, 'target' | 'survey_id'>

/** The new target or survey of a body. Null if it names neither. */
async function readDestination(
  scope: Scope,
  { target, survey_id }: { target?: string | undefined; survey_id?: string | undefined },
): Promise<Destination | null> {
  if (target !== undefined && survey_id !== undefined) throw oneOfBoth()
  if (target !== undefined) return { target: checkedTarget(scope, target), survey_id: null }
  if (survey_id === undefined) return null
  const [surveyId] = await findSurveyIds(scope, [survey_id], 'survey_id')
  return { target: null, survey_id: surveyId ?? null }
}

function checkedTarget(scope: Scope, text: string): string {
  const target = redirectTarget(text)
  const issue = (message: string) => unprocessable('invalid_target', [{ path: 'target', message }])
  if (target === null) throw issue('Use an absolute http(s) URL without a user name, such as https://example.com/page.')
  if (target.startsWith(`${scope.settings.baseUrl}/r/`))
    throw issue('A short URL cannot lead to another short URL. Use the final address.')
  return target
}

function checkedSlug(slug: string): string {
  if (isReserved(slug))
    throw unprocessable('reserved_slug', [{ path: 'slug', message: 'This slug is reserved. Choose another.' }])
  return slug
}

function oneOfBoth() {
  return unprocessable('target_or_survey', [{ path: 'target', message: 'Name either a target or a survey_id.' }])
}

function urlOf(scope: Scope, slug: string): string {
  return `${scope.settings.baseUrl}/r/${slug}`
}

function present(scope: Scope, row: store.ShortUrlRow): Presented {
  return {
    id: formatId('shortUrl', row.id),
    slug: row.slug,
    url: urlOf(scope, row.slug),
    target: targetOf(scope, row),
    survey_id: row.survey_id && formatId('survey', row.survey_id),
    expires_at: row.expires_at?.toISOString() ?? null,
    max_clicks: row.max_clicks,
    forward_query: row.forward_query,
    clicks: row.clicks,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
