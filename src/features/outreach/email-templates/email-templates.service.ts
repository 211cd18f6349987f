import { isDeepStrictEqual } from 'node:util'
import { uuidv7 } from 'uuidv7'
import type { z } from 'zod'
import { conflict, notFound, unprocessable, type Issue, requireUnchanged } from '../../../http/problems/problem.ts'
import { pageRequest, presentPage, type Page, type PageQuery } from '../../../http/routes/pagination.ts'
import { auditOf } from '../../../platform/audit.ts'
import { cacheOf } from '../../../platform/config/caches.ts'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import { formatId, newId, type Id } from '../../../platform/ids.ts'
import { typedCallerId } from '../../../platform/principal.ts'
import type { Scope } from '../../../platform/scope.ts'
import { missingLanguage, type EmailContent } from './email-content.ts'
import {
  type CreateEmailTemplate,
  EmailTemplateDetail,
  type EmailTemplateSummary,
  type EmailTemplateVersion,
  type UpdateEmailTemplate,
  type VersionQuery,
} from './email-templates.schema.ts'
import * as store from './email-templates.store.ts'
import { DEFAULT_CONTENT, DEFAULT_LANGUAGE } from './default-template.ts'
import { createTemplate, type EmailTemplate } from './render-email.ts'
import { checkContent } from './template-thread.ts'

export { TemplateFailedError, type EmailTemplate } from './render-email.ts'
export { writeLetter } from './template-thread.ts'

const audited = auditOf('template', { schema: EmailTemplateDetail })

const MOST_TEMPLATES = 200
const MOST_VERSIONS = 500

type Detail = z.input<typeof EmailTemplateDetail>

const BUILT_IN = createTemplate(DEFAULT_CONTENT, DEFAULT_LANGUAGE, 'ours')
// A version never changes, so what was compiled once holds.
const COMPILED = cacheOf<string, EmailTemplate>({ max: 500 })

/**
 * The latest version of a template, compiled; null is the built-in one. A template that was deleted still serves the
 * messages on their way.
 * @throws Problem 422 `unknown_template`.
 */
export async function readEmailTemplate(scope: Scope, tx: ReadTx, id: Id<'template'> | null): Promise<EmailTemplate> {
  if (id === null) return BUILT_IN
  const row = await store.findTemplate(tx, id)
  if (!row) throw unknownTemplate()
  const key = `${tx.tenantId} ${id} ${row.version}`
  const known = scope.caches.of(COMPILED)
  const compiled = known.get(key)
  if (compiled) return compiled
  const version = await store.findVersion(tx, id, row.version)
  if (!version) throw new Error('a template has no content')
  const made = createTemplate(version.content, version.default_language)
  known.set(key, made)
  return made
}

/**
 * Whether a template may be chosen for something new. @throws Problem 422 `unknown_template`, also for a
 * deleted one.
 */
export async function requireEmailTemplate(tx: ReadTx, id: Id<'template'>): Promise<void> {
  const row = await store.findTemplate(tx, id)
  if (!row || row.deleted_at) throw unknownTemplate()
}

/** @throws Problem 422 with an issue for each place that cannot be sent; 409 past 200 templates. */
export async function createEmailTemplate(scope: Scope, input: z.output<typeof CreateEmailTemplate>): Promise<Detail> {
  await refuseBroken(scope, input.content, input.default_language)
  const now = scope.clock.now()
  return scope.tx(async (tx) => {
    if ((await store.countTemplates(tx)) >= MOST_TEMPLATES)
      throw conflict(
        'too_many_templates',
        `A workspace can have at most ${MOST_TEMPLATES} email templates. Delete one first.`,
      )
    const row = await store.insertTemplate(tx, {
      id: newId('template'),
      name: input.name,
      defaultLanguage: input.default_language,
      now,
    })
    await insertVersion(scope, tx, row, input.content)
    const made = presentDetail(row, input.content)
    audited(scope, tx, 'create', row.id, { after: made })
    return made
  })
}

export async function listEmailTemplates(
  scope: Scope,
  query: z.output<typeof PageQuery>,
): Promise<Page<z.input<typeof EmailTemplateSummary>>> {
  const page = pageRequest(query)
  const { rows, languages } = await scope.read(async (tx) => {
    const found = await store.listTemplates(tx, page)
    const listed = await store.listLanguages(
      tx,
      found.map((row) => row.id),
    )
    return { rows: found, languages: new Map(listed.map((row) => [row.template_id, row.languages])) }
  })
  return presentPage(rows, page, (row) => presentSummary(row, languages.get(row.id) ?? []))
}

/** @throws Problem 404. */
export async function getEmailTemplate(scope: Scope, id: Id<'template'>): Promise<Detail> {
  return scope.read(async (tx) => {
    const { row, content } = await readStored(tx, id)
    return presentDetail(row, content)
  })
}

/**
 * Another content or default language makes a new version; a new name alone does not. @throws Problem 404, 409, 412
 * `stale`, 422.
 */
export async function updateEmailTemplate(
  scope: Scope,
  id: Id<'template'>,
  input: z.output<typeof UpdateEmailTemplate>,
  ifMatch?: string,
): Promise<Detail> {
  // Before the transaction, for a large content takes a while.
  const known = await scope.read((tx) => readStored(tx, id))
  if (input.content && !isDeepStrictEqual(input.content, known.content)) {
    await refuseBroken(scope, input.content, input.default_language ?? known.row.default_language)
  }
  return scope.tx(async (tx) => {
    if (!(await store.lockTemplate(tx, id))) throw notFound('template')
    const { row: before, content: contentBefore } = await readStored(tx, id)
    requireUnchanged(ifMatch, presentDetail(before, contentBefore))
    const content = input.content ?? contentBefore
    const defaultLanguage = input.default_language ?? before.default_language
    const changed = defaultLanguage !== before.default_language || !isDeepStrictEqual(content, contentBefore)
    refuse(missingLanguage(content, defaultLanguage))
    if (changed && before.version >= MOST_VERSIONS)
      throw conflict(
        'too_many_versions',
        `A template can have at most ${MOST_VERSIONS} versions. Create a new template instead.`,
      )
    const row = await store.updateTemplate(tx, id, {
      name: input.name ?? before.name,
      defaultLanguage,
      version: changed ? before.version + 1 : before.version,
      now: scope.clock.now(),
    })
    if (changed) await insertVersion(scope, tx, row, content)
    const after = presentDetail(row, content)
    audited(scope, tx, 'update', id, { before: presentDetail(before, contentBefore), after })
    return after
  })
}

/** Messages that wait are still sent with it. New ones cannot use it. @throws Problem 404, 412 `stale`. */
export async function deleteEmailTemplate(scope: Scope, id: Id<'template'>, ifMatch?: string): Promise<void> {
  await scope.tx(async (tx) => {
    if (!(await store.lockTemplate(tx, id))) throw notFound('template')
    const { row, content } = await readStored(tx, id)
    requireUnchanged(ifMatch, presentDetail(row, content))
    await store.markDeleted(tx, id, scope.clock.now())
    audited(scope, tx, 'delete', id)
  })
}

export async function listTemplateVersions(
  scope: Scope,
  id: Id<'template'>,
  query: z.output<typeof VersionQuery>,
): Promise<Page<z.input<typeof EmailTemplateVersion>>> {
  const { rows, page } = await scope.read(async (tx) => {
    await readStored(tx, id)
    return store.listVersions(tx, id, pageRequest(query))
  })
  return presentPage(rows, page, ({ version, default_language, content, created_by, created_at }) => ({
    version,
    default_language,
    content,
    created_by,
    created_at: created_at.toISOString(),
  }))
}

/** A template that was not deleted, with its latest content. @throws Problem 404. */
export async function readStored(
  tx: ReadTx,
  id: Id<'template'>,
): Promise<{ row: store.TemplateRow; content: EmailContent }> {
  const row = await store.findTemplate(tx, id)
  const version = row && !row.deleted_at ? await store.findVersion(tx, id, row.version) : undefined
  if (!row || !version) throw notFound('template')
  return { row, content: version.content }
}

/** @throws Problem 422 `invalid_template`. */
export async function refuseBroken({ tenantId }: Scope, content: EmailContent, defaultLanguage: string): Promise<void> {
  refuse(await checkContent(tenantId, content, defaultLanguage))
}

function refuse(issues: Issue[]): void {
  if (issues.length > 0)
    throw unprocessable('invalid_template', issues, 'This template cannot be sent. `issues` has the reasons.')
}

async function insertVersion(scope: Scope, tx: TenantTx, row: store.TemplateRow, content: EmailContent): Promise<void> {
  await store.insertVersion(tx, {
    templateId: row.id,
    id: uuidv7(),
    version: row.version,
    defaultLanguage: row.default_language,
    content,
    createdBy: typedCallerId(scope.principal),
    now: row.updated_at,
  })
}

function unknownTemplate() {
  return unprocessable('unknown_template', [{ path: 'template_id', message: 'There is no such template.' }])
}

function presentSummary(row: store.TemplateRow, languages: string[]): z.input<typeof EmailTemplateSummary> {
  return {
    id: formatId('template', row.id),
    name: row.name,
    version: row.version,
    default_language: row.default_language,
    languages,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

function presentDetail(row: store.TemplateRow, content: EmailContent): Detail {
  return { ...presentSummary(row, Object.keys(content).sort()), content }
}

/** The templates whose latest version shows a picture, by the hash in its address. */
export async function listPictureTemplates(
  _scope: Scope,
  tx: ReadTx,
  hash: string,
): Promise<Array<{ type: string; id: string; name: string }>> {
  const rows = await store.listHolding(tx, hash)
  return rows.map(({ id, name }) => ({ type: 'email_template', id: formatId('template', id), name }))
}
