import type { z } from 'zod'
import { unprocessable, type Issue, requireUnchanged } from '../../../http/problems/problem.ts'
import { isTimezone } from '../../../platform/time-zones.ts'
import { auditOf } from '../../../platform/audit.ts'
import { cidrMatcher, isCidr } from '../../../platform/networks.ts'
import { formatId } from '../../../platform/ids.ts'
import type { ReadTx } from '../../../platform/database/database.ts'
import type { Scope } from '../../../platform/scope.ts'
import { withOwnLook } from '../assets/adopting.service.ts'
import type { AssetUse } from '../assets/assets.service.ts'
import { type BrandingChange, type BusinessHours, Org, type UpdateOrg } from './org.schema.ts'
import * as store from './workspaces.store.ts'
import { isGround } from '../../../platform/look/accent.ts'

const audited = auditOf('workspace', { schema: Org })

type Presented = z.input<typeof Org>
type Given = z.output<typeof UpdateOrg>

/** Whether texts may go to a language model: this server has one, and the workspace allows it. */
export async function readsWithAi(scope: Scope): Promise<boolean> {
  return scope.ports.ai.isConfigured && (await scope.read(store.selectWorkspace)).ai.enabled
}

export async function getOrg(scope: Scope): Promise<Presented> {
  return present(await scope.read(store.selectWorkspace))
}

/**
 * @throws Problem 422 for an unknown time zone, an invalid range, an allowlist that locks its caller out, a background
 * that nobody could read on, or a logo that cannot be had; 412 `stale`.
 */
export async function updateOrg(scope: Scope, given: Given, ifMatch?: string): Promise<Presented> {
  if (given.timezone !== undefined) requireTimezone(given.timezone)
  if (given.ip_allowlist !== undefined) requireRangesWithCaller(given.ip_allowlist, scope.origin?.ip ?? '')
  const branding = given.branding && (await usableBranding(scope, given.branding))
  const body = { ...given, ...(branding && { branding }) }
  const row = await scope.tx(async (tx) => {
    const before = await store.lockWorkspace(tx)
    requireUnchanged(ifMatch, present(before))
    const after = await store.updateWorkspace(tx, merge(before, body), scope.clock.now())
    audited(scope, tx, 'update', tx.tenantId, { before: present(before), after: present(after) })
    return after
  })
  return present(row)
}

/** The workspace, if its logo or its cover is the picture. */
export async function listLookUses(_scope: Scope, tx: ReadTx, hash: string): Promise<AssetUse[]> {
  const { tenant_id, name, branding } = await store.selectWorkspace(tx)
  const shown = [branding.logo_url, branding.cover_url].some((url) => url?.includes(hash))
  return shown ? [{ type: 'workspace', id: formatId('workspace', tenant_id), name }] : []
}

/**
 * The look as a page can show it: with pictures that Earshot hosts.
 * @throws Problem 422 for a background that nobody could read on, or a picture that cannot be had.
 */
export function usableBranding(
  scope: Scope,
  given: z.output<typeof BrandingChange>,
): Promise<z.output<typeof BrandingChange>> {
  requireReadable(given, 'branding')
  return withOwnLook(scope, given, 'branding')
}

function merge(row: store.WorkspaceRow, body: z.output<typeof UpdateOrg>): store.WorkspaceSettings {
  return {
    name: body.name ?? row.name,
    timezone: body.timezone ?? row.timezone,
    ip_allowlist: body.ip_allowlist ?? row.ip_allowlist,
    embed_origins: body.embed_origins ?? row.embed_origins,
    ai: body.ai ?? row.ai,
    branding: { ...row.branding, ...body.branding },
    retention: { ...row.retention, ...body.retention },
    quiet_hours: mergeSection('quiet_hours', ['start', 'end'], row.quiet_hours, body.quiet_hours),
    contact_frequency: mergeSection(
      'contact_frequency',
      ['max_contacts', 'per_days'],
      row.contact_frequency,
      body.contact_frequency,
    ),
    remember_recipients: body.remember_recipients ?? row.remember_recipients,
    business_hours: mergeHours(row.business_hours, body.business_hours),
  }
}

/** @throws Problem 422 for hours that end before they begin. */
function mergeHours(
  before: BusinessHours | null,
  change: Partial<BusinessHours> | null | undefined,
): BusinessHours | null {
  const given = change && before === null ? { holidays: [], ...change } : change
  const hours = mergeSection('business_hours', ['weekdays', 'start', 'end', 'holidays'], before, given)
  if (hours && hours.end <= hours.start)
    throw unprocessable('hours_end_first', [{ path: 'business_hours.end', message: 'Choose a time after `start`.' }])
  return hours
}

/** Merges a change into a section. A section that is off needs all of its members. */
function mergeSection<Section extends object>(
  path: string,
  members: (keyof Section & string)[],
  before: Section | null,
  change: Partial<Section> | null | undefined,
): Section | null {
  if (change === undefined) return before
  if (change === null) return null
  const merged = { ...before, ...change } as Section
  const missing = members.filter((member) => merged[member] === undefined)
  if (missing.length > 0)
    throw unprocessable(
      'incomplete_section',
      missing.map((member) => ({
        path: `${path}.${member}`,
        message: 'Add this. The section is off, so it needs all its members.',
      })),
    )
  return merged
}

/** @throws Problem 422 `unknown_timezone`. */
export function requireTimezone(name: string): void {
  if (!isTimezone(name))
    throw unprocessable('unknown_timezone', [{ path: 'timezone', message: 'Use an IANA name, such as Europe/Berlin.' }])
}

function requireRangesWithCaller(ranges: string[], callerIp: string): void {
  const issues: Issue[] = ranges.flatMap((range, i) =>
    isCidr(range)
      ? []
      : [{ path: `ip_allowlist.${i}`, message: 'Use a CIDR range, such as 192.0.2.0/24 or 2001:db8::/32.' }],
  )
  if (issues.length > 0) throw unprocessable('invalid_cidr', issues)
  if (ranges.length > 0 && !cidrMatcher(ranges)(callerIp)) {
    throw unprocessable('allowlist_without_caller', [
      {
        path: 'ip_allowlist',
        message: `None of these ranges contains your own address, ${callerIp}. Add it, or the list locks you out.`,
      },
    ])
  }
}

function present(row: store.WorkspaceRow): Presented {
  const { tenant_id, created_at, updated_at, ...settings } = row
  return {
    id: formatId('workspace', tenant_id),
    ...settings,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}

/** @throws Problem 422 for a look with a background that nobody could read on. */
export function requireReadable(
  look: { background?: string | null | undefined } | null | undefined,
  path: string,
): void {
  if (!look?.background || isGround(look.background)) return
  const message = 'Text would be hard to read on this colour. Choose a lighter or a darker one.'
  throw unprocessable('low_contrast', [{ path: `${path}.background`, message }])
}
