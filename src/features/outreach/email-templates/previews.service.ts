import type { z } from 'zod'
import { conflict, unprocessable } from '../../../http/problems/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { parseAddress } from '../../trust/addresses/address.ts'
import { readAddressHash } from '../../trust/addresses/addresses.service.ts'
import { stageEmail } from '../../access/mail/mail.service.ts'
import { requireHeld } from '../../access/roles/permission-rules.ts'
import { listSuppressed } from '../suppression/suppression.service.ts'
import { readWorkspace, requireProven } from '../../access/workspaces/workspaces.service.ts'
import type { EmailContent } from './email-content.ts'
import { readStored, refuseBroken } from './email-templates.service.ts'
import type { EmailPreview, PreviewEmailTemplate, TestEmailTemplate } from './email-templates.schema.ts'
import { MOST_LINKS } from './html-reader.ts'
import { sampleVariables } from './email-variables.ts'
import { createTemplate, TemplateFailedError, type RenderedEmail } from './render-email.ts'
import { writeLetter } from './template-thread.ts'

const audited = auditOf('template')

interface Wanted {
  content: EmailContent
  defaultLanguage: string
  language?: string | undefined
  name?: string | undefined
  custom?: Record<string, string | number | boolean> | undefined
}

/**
 * Shows a mail with example data and links that lead nowhere. A draft is a template that the caller writes, so it needs
 * their permission; members may read what is stored.
 * @throws Problem 403 for a draft, 404; 422 for a draft that cannot be sent.
 */
export async function previewEmailTemplate(
  scope: Scope,
  id: Id<'template'>,
  { content, default_language, ...wanted }: z.output<typeof PreviewEmailTemplate>,
): Promise<z.input<typeof EmailPreview>> {
  if (content || default_language !== undefined) requireHeld(scope.principal, ['templates.manage'])
  const { stored, workspace } = await scope.read(async (tx) => ({
    stored: await readStored(tx, id),
    workspace: await readWorkspace(tx),
  }))
  const defaultLanguage = default_language ?? stored.row.default_language
  if (content || default_language !== undefined) await refuseBroken(scope, content ?? stored.content, defaultLanguage)
  const asked = { ...wanted, content: content ?? stored.content, defaultLanguage }
  const { language, subject, html, text } = await render(scope, workspace, asked)
  return { language, subject, html, text }
}

/** Sends the example to an address, by the outbox. @throws Problem 404; 422 for an invalid or suppressed address. */
export async function sendTestEmail(
  scope: Scope,
  id: Id<'template'>,
  { to, ...wanted }: z.output<typeof TestEmailTemplate>,
): Promise<void> {
  await requireProven(scope)
  const address = parseAddress('email', to)
  if (address === null)
    throw unprocessable('invalid_address', [{ path: 'to', message: 'Use an email address such as ada@example.com.' }])
  const { row, content, workspace } = await scope.read(async (tx) => ({
    ...(await readStored(tx, id)),
    workspace: await readWorkspace(tx),
  }))
  const { subject, html, text } = await render(scope, workspace, {
    ...wanted,
    content,
    defaultLanguage: row.default_language,
  })
  await scope.tx(async (tx) => {
    const hash = (await readAddressHash(scope, tx))('email', address)
    const reason = (await listSuppressed(tx, 'email', [hash])).get(hash)
    if (reason === 'erasure') throw conflict('erased', 'This person was erased. Nothing is sent to this address.')
    if (reason !== undefined)
      throw unprocessable('suppressed', [
        { path: 'to', message: 'This address is suppressed, so nothing is sent to it. Use another one.' },
      ])
    await stageEmail(scope, tx, { kind: 'template_test', to: address, subject, html, text })
    audited(scope, tx, 'test', id)
  })
}

type Workspace = Awaited<ReturnType<typeof readWorkspace>>

async function render(
  scope: Scope,
  workspace: Workspace,
  { content, defaultLanguage, language, name, custom }: Wanted,
): Promise<RenderedEmail> {
  const variables = sampleVariables({
    baseUrl: scope.settings.baseUrl,
    workspace: { name: workspace.name, logo_url: workspace.branding.logo_url, color: workspace.branding.color },
    language: language ?? defaultLanguage,
    name,
    custom,
  })
  try {
    return await writeLetter(scope.tenantId, createTemplate(content, defaultLanguage), variables, 'trial')
  } catch (error) {
    if (!(error instanceof TemplateFailedError)) throw error
    throw unprocessable('template_failed', [
      {
        path: 'custom',
        message:
          'With these values the mail gets too long, takes too much work to render, or has more than ' +
          `${MOST_LINKS} links. Shorten the values or simplify the template.`,
      },
    ])
  }
}
