import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { notFound, Problem } from '../../../http/problems/problem.ts'
import { presentPage, type Page, type PageRequest } from '../../../http/routes/pagination.ts'
import { auditOf } from '../../../platform/audit.ts'
import { register, unregister } from '../../../platform/database/directory.ts'
import { formatId, newId, type Id, parseId } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { LIGHT } from '../../../platform/look/tokens.ts'
import { readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { readHeadline } from '../../answers/reporting/report/headline.service.ts'
import { listBadgeUses } from '../../surveys/surveys/ending-badges.service.ts'
import { findSurveyId } from '../../surveys/surveys/surveys.service.ts'
import { badgeSvg, type BadgeFigure, shownValue } from './badge-svg.ts'
import { Badge, type BadgePreview, type CreateBadge, type PublicBadge, type UpdateBadge } from './badges.schema.ts'
import * as store from './badges.store.ts'
import { findTenantOfBadge } from './badges.store.ts'
import type { EndBadge } from '../../answers/capture/page/respondent-view.ts'

const audited = auditOf('badge', { schema: Badge })

type Presented = z.input<typeof Badge>

const TOKEN_BYTES = 15
const DAY_MS = 86_400_000
/** How long a reader may keep a badge. */
export const MAX_AGE_S = 300
const LABELS = { nps: 'Net Promoter Score', csat: 'Satisfaction', ces: 'Customer Effort Score' }

/** @throws Problem 422 for a survey that the workspace does not have. */
export async function createBadge(scope: Scope, input: z.output<typeof CreateBadge>): Promise<Presented> {
  const content = await contentOf(scope, input)
  const now = scope.clock.now()
  return scope.tx(async (tx) => {
    const row = {
      ...content,
      id: newId('badge'),
      token: randomBytes(TOKEN_BYTES).toString('base64url'),
      created_at: now,
      updated_at: now,
    }
    const made = present(scope, await store.insertBadge(tx, row))
    // The public addresses use this to find the workspace.
    await register(tx, store.DIRECTORY_KIND, [row.token])
    audited(scope, tx, 'create', row.id, { after: made })
    return made
  })
}

/** The picture of a badge that is not stored. @throws Problem 422 for a survey that the workspace does not have. */
export async function previewBadge(
  scope: Scope,
  input: z.output<typeof CreateBadge>,
): Promise<z.input<typeof BadgePreview>> {
  const content = await contentOf(scope, input)
  const figure = await figureOf(scope, content)
  return { svg: badgeSvg(content, figure), ...figure }
}

async function contentOf(scope: Scope, input: z.output<typeof CreateBadge>) {
  return {
    ...input,
    survey_id: await findSurveyId(scope, input.survey_id, 'survey_id'),
    label: input.label ?? LABELS[input.metric],
    color: input.color ?? (await scope.read((tx) => readWorkspace(tx))).branding.color ?? LIGHT.accent,
  }
}

export async function listBadges(scope: Scope, page: PageRequest): Promise<Page<Presented>> {
  return presentPage(await scope.read((tx) => store.listBadges(tx, page)), page, (row) => present(scope, row))
}

/** @throws Problem 404. */
export async function getBadge(scope: Scope, id: Id<'badge'>): Promise<Presented> {
  const row = await scope.read((tx) => store.findBadge(tx, id))
  if (!row) throw notFound('badge')
  return present(scope, row)
}

/** @throws Problem 404; 422 for a survey that the workspace does not have. */
export async function updateBadge(
  scope: Scope,
  id: Id<'badge'>,
  { survey_id, ...input }: z.output<typeof UpdateBadge>,
): Promise<Presented> {
  const surveyId = survey_id === undefined ? undefined : await findSurveyId(scope, survey_id, 'survey_id')
  return scope.tx(async (tx) => {
    const before = await store.lockBadge(tx, id)
    if (!before) throw notFound('badge')
    const content = { ...before, ...input, survey_id: surveyId ?? before.survey_id }
    const after = await store.updateBadge(tx, id, content, scope.clock.now())
    audited(scope, tx, 'update', id, { before: present(scope, before), after: present(scope, after) })
    return present(scope, after)
  })
}

/** @throws Problem 404; 409 `in_use` with `used_by`. */
export async function deleteBadge(scope: Scope, id: Id<'badge'>): Promise<void> {
  await scope.tx(async (tx) => {
    const row = await store.lockBadge(tx, id)
    if (!row) throw notFound('badge')
    const usedBy = await listBadgeUses(tx, formatId('badge', id))
    if (usedBy.length > 0)
      throw new Problem(409, 'in_use', {
        detail: 'An ending of a survey shows this badge. `used_by` lists the surveys. Disable the badge instead.',
        extra: { used_by: usedBy },
      })
    await store.deleteBadge(tx, id)
    await unregister(tx, store.DIRECTORY_KIND, [row.token])
    audited(scope, tx, 'delete', id)
  })
}

/** The badge that a site shows. @throws Problem 404 for an unknown or disabled badge. */
export async function readPublicBadge(
  scope: Scope,
  token: string,
): Promise<{ figure: z.input<typeof PublicBadge>; svg: string }> {
  const row = await scope.read((tx) => store.findByToken(tx, token))
  if (!row) throw notFound('badge')
  const figure = await figureOf(scope, row)
  const windowMs = MAX_AGE_S * 1_000
  const updatedAt = new Date(Math.floor(scope.clock.now().getTime() / windowMs) * windowMs)
  return { figure: { ...figure, updated_at: updatedAt.toISOString() }, svg: badgeSvg(row, figure) }
}

export async function figureOf(
  scope: Scope,
  { survey_id, metric, period_days, min_n, label }: store.BadgeContent,
): Promise<BadgeFigure> {
  const now = scope.clock.now().getTime()
  // A period ends before `until`, and an answer of this moment counts.
  const [since, until] = [new Date(now - period_days * DAY_MS), new Date(now + 1)]
  const { score: value, n } = (await readHeadline(scope, survey_id, { since, until }))[metric]
  const enough = n >= min_n
  return { label, value: enough ? value : null, n, enough }
}

function badgePath({ token }: store.BadgeRow): string {
  return `/public/badges/${token}`
}

function present(scope: Scope, row: store.BadgeRow): Presented {
  const url = `${scope.settings.baseUrl}${badgePath(row)}`
  return {
    ...row,
    id: formatId('badge', row.id),
    survey_id: formatId('survey', row.survey_id),
    svg_url: `${url}.svg`,
    json_url: `${url}.json`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** Says which of these ids are badges of the workspace. */
export async function knownBadges(scope: Scope, ids: string[]): Promise<Set<string>> {
  const parsed = ids.map((id) => parseId('badge', id)).filter((id) => id !== null)
  const rows = await scope.read((tx) => store.listExisting(tx, parsed))
  return new Set(rows.map(({ id }) => formatId('badge', id)))
}

/** A badge as the last page of a survey shows it. Null if it is gone or disabled, or has too few answers. */
export async function showBadge(scope: Scope, text: string): Promise<EndBadge | null> {
  const id = parseId('badge', text)
  const row = id && (await scope.read((tx) => store.findBadge(tx, id)))
  if (!row?.enabled) return null
  const figure = await figureOf(scope, row)
  if (!figure.enough) return null
  return {
    address: `${badgePath(row)}.svg`,
    alt: `${figure.label}: ${shownValue(row.metric, figure)}`,
    style: row.style,
  }
}

/** Runs work in the workspace of a badge. Null for an unknown token. */
export async function withBadge<T>(
  system: SystemScope,
  token: string,
  work: (scope: Scope) => Promise<T>,
): Promise<T | null> {
  const tenantId = await system.tx((tx) => findTenantOfBadge(tx, token))
  return tenantId && work(system.tenant(tenantId, { type: 'respondent' }))
}
