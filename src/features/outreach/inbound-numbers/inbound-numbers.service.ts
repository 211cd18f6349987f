import type { z } from 'zod'
import { presentPage, type Page, type PageRequest } from '../../../http/routes/pagination.ts'
import { conflict, notFound, Problem, unavailable, unprocessable, type Issue } from '../../../http/problems/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import { isUniqueViolation, type ReadTx, systemTransaction } from '../../../platform/database/database.ts'
import { register, unregister, findTenant, listKeys } from '../../../platform/database/directory.ts'
import { formatId, newId, parseId, type Id, type TenantId } from '../../../platform/ids.ts'
import { ProviderError } from '../../../platform/ports/provider.ts'
import { type Scope, type SystemScope, signalOf } from '../../../platform/scope.ts'
import { requireTimezone } from '../../access/workspaces/org.service.ts'
import { isOnlyWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { parseAddress } from '../../trust/addresses/address.ts'
import { commandIn } from './commands.ts'
import { findSurveyIds } from '../../surveys/surveys/surveys.service.ts'
import { type CreateInboundNumber, InboundNumber, type UpdateInboundNumber } from './inbound-numbers.schema.ts'
import { chooseSender, keywordForm, type InboundNumberRow, type Keyword, type NumberSettings } from './number-choice.ts'
import * as store from './inbound-numbers.store.ts'

/** A workspace gave up this number. Another one may add it. */
export const NUMBER_REMOVED = signalOf<string>('inbound-number.removed')

export { findByNumber as findInboundNumber } from './inbound-numbers.store.ts'

const audited = auditOf('inboundNumber', { schema: InboundNumber })

/** The directory finds the workspace of a number. */
export const INBOUND_NUMBER = 'inbound_number'
const MAX_NUMBERS = 100

type Presented = z.input<typeof InboundNumber>

/**
 * @throws Problem 422 for an invalid number, a foreign survey or a repeated keyword; 403 `number_not_assigned` in
 * production; 409 `number_taken` if the workspace has it, or in development another one.
 */
export async function createInboundNumber(
  scope: Scope,
  input: z.output<typeof CreateInboundNumber>,
): Promise<Presented> {
  const number = parseAddress('sms', input.number)
  if (number === null)
    throw unprocessable('invalid_number', [
      { path: 'number', message: 'Use a phone number in international form, such as +49 30 901820.' },
    ])
  await requireAssigned(scope, number)
  const settings = await checkedSettings(scope, input)
  const id = newId('inboundNumber')
  try {
    return await scope.tx(async (tx) => {
      if ((await store.countNumbers(tx)) >= MAX_NUMBERS)
        throw conflict('too_many_numbers', `A workspace can have at most ${MAX_NUMBERS} numbers. Delete one first.`)
      await register(tx, INBOUND_NUMBER, [number])
      const made = present(await store.insertNumber(tx, id, number, settings, scope.clock.now()))
      audited(scope, tx, 'create', id, { after: made })
      return made
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const isOwn = (await scope.tx((tx) => store.findByNumber(tx, number))) !== undefined
    if (scope.settings.production && !isOwn) throw notAssigned()
    throw conflict('number_taken', 'A workspace on this server already has this number.')
  }
}

export async function listInboundNumbers(scope: Scope, page: PageRequest): Promise<Page<Presented>> {
  const rows = await scope.read((tx) => store.listNumbers(tx, page))
  return presentPage(rows, page, present)
}

export async function getInboundNumber(scope: Scope, id: Id<'inboundNumber'>): Promise<Presented> {
  const row = await scope.read((tx) => store.findNumber(tx, id))
  if (!row) throw notFound('inboundNumber')
  return present(row)
}

/** @throws Problem 404; 422 as in `createInboundNumber`. */
export async function updateInboundNumber(
  scope: Scope,
  id: Id<'inboundNumber'>,
  input: z.output<typeof UpdateInboundNumber>,
): Promise<Presented> {
  const checked = await checkedSettings(scope, input)
  return scope.tx(async (tx) => {
    const row = await store.lockNumber(tx, id)
    if (!row) throw notFound('inboundNumber')
    const { label, capabilities, keywords, default_survey_id, language, timezone, quiet_hours } = row
    const after = present(
      await store.updateNumber(
        tx,
        id,
        { label, capabilities, keywords, default_survey_id, language, timezone, quiet_hours, ...checked },
        scope.clock.now(),
      ),
    )
    audited(scope, tx, 'update', id, { before: present(row), after })
    return after
  })
}

/** Deletes the number. Its open conversations end, and any workspace can add it. */
export async function deleteInboundNumber(scope: Scope, id: Id<'inboundNumber'>): Promise<void> {
  await scope.tx(async (tx) => {
    const number = await store.deleteNumber(tx, id)
    if (number === undefined) throw notFound('inboundNumber')
    await unregister(tx, INBOUND_NUMBER, [number])
    await scope.signals.emit(NUMBER_REMOVED, scope, tx, number)
    audited(scope, tx, 'delete', id)
  })
}

/** A number of this workspace to send from, for the language if there is one. */
export async function findSender(
  tx: ReadTx,
  channel: 'sms' | 'voice',
  language: string | null,
): Promise<InboundNumberRow | null> {
  return chooseSender(await store.listCapable(tx, channel), language)
}

/**
 * In production a number is the workspace's by the operator's word (`npm run numbers`), or on a server with one
 * workspace by the provider's account.
 */
async function requireAssigned(scope: Scope, number: string): Promise<void> {
  if (!scope.settings.production) return
  const assigned = await assignedTo(scope, number)
  if (assigned === scope.tenantId) return
  if (assigned === null && (await isOnlyWorkspace(scope)) && (await isOwned(scope, number))) return
  throw notAssigned()
}

async function isOwned(scope: Scope, number: string): Promise<boolean> {
  try {
    return await scope.ports.sms.owns(number)
  } catch (error) {
    // Without an account there is no number. A provider that is away cannot say.
    if (error instanceof ProviderError && error.verdict === 'refused') return false
    throw unavailable()
  }
}

function notAssigned(): Problem {
  return new Problem(403, 'number_not_assigned', {
    detail: 'This number is not assigned to your workspace. Ask the operator of this server to assign it.',
  })
}

type Given = z.output<typeof UpdateInboundNumber>

async function checkedSettings(scope: Scope, input: z.output<typeof CreateInboundNumber>): Promise<NumberSettings>
async function checkedSettings(scope: Scope, input: Given): Promise<Partial<NumberSettings>>
async function checkedSettings(scope: Scope, input: Given): Promise<Partial<NumberSettings>> {
  const { label, capabilities, language, timezone, quiet_hours } = input
  if (timezone) requireTimezone(timezone)
  return {
    ...(label !== undefined && { label }),
    ...(capabilities !== undefined && { capabilities: [...new Set(capabilities)] }),
    ...(input.keywords !== undefined && { keywords: await checkedKeywords(scope, input.keywords) }),
    ...(input.default_survey_id !== undefined && {
      default_survey_id: await checkedSurvey(scope, input.default_survey_id),
    }),
    ...(language !== undefined && { language }),
    ...(timezone !== undefined && { timezone }),
    ...(quiet_hours !== undefined && { quiet_hours }),
  }
}

async function checkedKeywords(scope: Scope, given: NonNullable<Given['keywords']>): Promise<Keyword[]> {
  const forms = given.map(({ keyword }) => keywordForm(keyword))
  const issues = forms.flatMap((form, index): Issue[] => {
    const problem = keywordProblem(form, forms.indexOf(form) < index)
    return problem ? [{ path: `keywords.${index}.keyword`, message: problem }] : []
  })
  if (issues.length > 0) throw unprocessable('invalid_keyword', issues)
  const ids = await knownSurveys(
    scope,
    given.map(({ survey_id }) => survey_id),
    (index) => `keywords.${index}.survey_id`,
  )
  return given.map(({ keyword }, index) => ({ keyword, survey_id: ids[index] as Id<'survey'> }))
}

function keywordProblem(form: string, isTaken: boolean): string | null {
  if (form === '') return 'Use letters or digits.'
  if (isTaken) return 'Choose another keyword. This one is already on the list.'
  return commandIn(form) === null ? null : 'Choose another keyword. This one is reserved, like STOP.'
}

async function checkedSurvey(scope: Scope, text: string | null): Promise<Id<'survey'> | null> {
  const [id] = text === null ? [] : await knownSurveys(scope, [text], () => 'default_survey_id')
  return id ?? null
}

async function knownSurveys(
  scope: Scope,
  texts: string[],
  pathOf: (index: number) => string,
): Promise<Array<Id<'survey'> | null>> {
  try {
    await findSurveyIds(scope, texts, '')
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const issues = (error.options.issues ?? []).map(({ path, message }) => ({
      path: pathOf(Number(path.slice(1))),
      message,
    }))
    throw unprocessable('unknown_survey', issues)
  }
  return texts.map((text) => parseId('survey', text))
}

function present(row: InboundNumberRow): Presented {
  return {
    id: formatId('inboundNumber', row.id),
    number: row.number,
    label: row.label,
    capabilities: row.capabilities,
    keywords: row.keywords.map(({ keyword, survey_id }) => ({ keyword, survey_id: formatId('survey', survey_id) })),
    default_survey_id: row.default_survey_id && formatId('survey', row.default_survey_id),
    language: row.language,
    timezone: row.timezone,
    quiet_hours: row.quiet_hours,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** The directory finds the workspace that the operator assigned a number to. */
const ASSIGNED_NUMBER = 'assigned_number'

/** The workspace that the operator assigned a number to. Null if it is assigned to none. */
export function assignedTo(scope: Scope | SystemScope, number: string): Promise<TenantId | null> {
  return systemTransaction(scope.ports.database, (tx) => findTenant(tx, ASSIGNED_NUMBER, number))
}

export function listAssignments(system: SystemScope): Promise<Array<{ key: string; tenant_id: TenantId }>> {
  return system.tx((tx) => listKeys(tx, ASSIGNED_NUMBER))
}

/** @throws a unique violation if it is assigned already. */
export async function assignNumber(scope: Scope, number: string): Promise<void> {
  await scope.tx((tx) => register(tx, ASSIGNED_NUMBER, [number]))
}

export async function releaseNumber(scope: Scope, number: string): Promise<void> {
  await scope.tx((tx) => unregister(tx, ASSIGNED_NUMBER, [number]))
}
