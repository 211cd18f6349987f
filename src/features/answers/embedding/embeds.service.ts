import type { z } from 'zod'
import { cacheOf } from '../../../platform/config/caches.ts'
import { dayOf } from '../../../platform/instant.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import { newUuidAt, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { readCurrentSurvey } from '../../surveys/surveys/published-surveys.service.ts'
import type { EmbedList, EmbedMode } from './embedding.schema.ts'
import * as store from './embeds.store.ts'

/** Websites that are kept of one survey. */
const MOST = 50
export const KEPT_DAYS = 90
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
// A website is written once a minute, however many people visit it.
const WRITTEN = cacheOf<string, number>({ max: 10_000 })

/** A page of a website that asks for the rules of a survey. */
export interface Visit {
  /** The `Referer` of the frame. */
  referer: string | undefined
  mode: EmbedMode | undefined
  isAnonymous: boolean
  embedOrigins: string[]
}

/** Notes that a survey is on a website. Nothing of the visitor is kept. */
export async function noteEmbed(
  scope: Scope,
  surveyId: Id<'survey'>,
  { referer, mode, isAnonymous, embedOrigins }: Visit,
): Promise<void> {
  const origin = originOf(referer)
  if (mode === undefined || origin === null || origin === originOf(scope.settings.baseUrl)) return
  // Browsers do not show the survey on this website.
  if (embedOrigins.length > 0 && !embedOrigins.some((allowed) => allows(allowed, origin))) return
  const now = scope.clock.now()
  const key = `${scope.tenantId} ${surveyId} ${mode} ${origin}`
  const written = scope.caches.of(WRITTEN)
  if (now.getTime() - (written.get(key) ?? -Infinity) < MINUTE_MS) return
  written.set(key, now.getTime())
  const at = isAnonymous ? dayOf(now) : now
  const sighting = { id: newUuidAt(at), surveyId, origin, mode, at }
  try {
    await scope.tx((tx) => write(tx, sighting, now))
  } catch (error) {
    // The survey opens all the same.
    scope.log.warn({ err: error }, 'a website with a survey was not noted')
  }
}

/** Anybody can name a website, so one that was seen within a day keeps its place. */
async function write(tx: TenantTx, sighting: store.Sighting, now: Date): Promise<void> {
  const { n, known } = await store.countEmbeds(tx, sighting)
  const isFull = !known && n >= MOST
  if (isFull && (await store.deleteOldestEmbed(tx, sighting.surveyId, new Date(now.getTime() - DAY_MS))) === 0) return
  await store.upsertEmbed(tx, sighting)
}

/** The websites where a survey was seen in the last 90 days, the newest first. @throws Problem 404. */
export async function listEmbeds(scope: Scope, surveyId: Id<'survey'>): Promise<z.input<typeof EmbedList>> {
  const since = new Date(scope.clock.now().getTime() - KEPT_DAYS * DAY_MS)
  const rows = await scope.read(async (tx) => {
    await readCurrentSurvey(scope, tx, surveyId)
    return store.listEmbeds(tx, surveyId, since, MOST)
  })
  return {
    data: rows.map(({ origin, mode, first_seen_at, last_seen_at }) => ({
      origin,
      mode,
      first_seen_at: first_seen_at.toISOString(),
      last_seen_at: last_seen_at.toISOString(),
    })),
  }
}

const LONGEST_ORIGIN = 300

/** `https://*.example.com` allows every name below example.com, as `frame-ancestors` does. */
function allows(allowed: string, origin: string): boolean {
  const [scheme = '', host] = allowed.split('//*')
  return host === undefined ? allowed === origin : origin.startsWith(`${scheme}//`) && origin.endsWith(host)
}

function originOf(address: string | undefined): string | null {
  if (address === undefined || !URL.canParse(address)) return null
  const { protocol, origin } = new URL(address)
  return (protocol === 'https:' || protocol === 'http:') && origin.length <= LONGEST_ORIGIN ? origin : null
}
