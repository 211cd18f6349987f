import { notFound } from '../../../../http/problems/problem.ts'
import { wishesIn } from '../../../../platform/wishes.ts'
import type { ReadTx } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { runInSlices } from '../../../../platform/loop/turns.ts'
import { readCustomData } from '../../../../survey-engine/logic/custom-data.ts'
import type { AnswerValues, CustomData, SurveyDefinition, Theme } from '../../../../survey-engine/model/definition.ts'
import { evaluate, type Evaluation } from '../../../../survey-engine/logic/evaluation.ts'
import { settledQuotas } from '../../../../survey-engine/logic/quotas.ts'
import { joinAnswers } from '../../../../survey-engine/logic/stored-answers.ts'
import { isRecord } from '../../../../survey-engine/model/record.ts'
import { languageFor } from '../../../../survey-engine/language/nearest.ts'
import { alreadyAnswered, refuseRepeat } from '../../responses/recording.service.ts'
import { findResponse, listResponsesById, type ResponseRow } from '../../responses/responses.service.ts'
import {
  readDefinition,
  readOpenSurvey,
  type PublishedSurvey,
} from '../../../surveys/surveys/published-surveys.service.ts'
import { refuseFull } from '../../../surveys/surveys/quotas.service.ts'
import { readWorkspace, type Look } from '../../../access/workspaces/workspaces.service.ts'
import { findByStartToken, openStartToken, type StartToken } from '../submission/start-tokens.service.ts'
import { dedupeKey } from '../submission/dedupe.ts'
import { readInvited, type Invited } from '../submission/invited.service.ts'
import { readPreview, tryAnswers, type Preview } from '../submission/preview.service.ts'
import { field, type Fields } from '../../../../survey-engine/forms/answers.ts'
import { readPiped } from './respondent-form.ts'
import type { Brand } from './respondent-view.ts'
import { openResponseToken } from '../submission/response-token.ts'
import { mayRevise } from '../submission/revisions.service.ts'
import { requireTicket } from '../submission/tickets.service.ts'
import type { Caches } from '../../../../platform/config/caches.ts'
import { onOwnPage } from '../../../../platform/look/asset-address.ts'
import { assetPath, webAssets } from '../../../../platform/look/web-assets.ts'

/** A visitor, their survey, and their answers so far. */
export interface Visit {
  surveyId: Id<'survey'>
  brand: Brand
  definition: SurveyDefinition
  language: string
  values: AnswerValues
  customData: CustomData
  /** The begun response, if any. */
  row: ResponseRow | null
  begun: StartToken | null
  /** The survey for a new response. Null once there is a response. */
  open: Open | null
  /** A survey whose answers stay in the form until its end: a preview, or a completed response that is changed. */
  tries: PublishedSurvey | null
  preview: boolean
}

interface Open {
  survey: PublishedSurvey
  invited: Invited | null
}

/** @throws the Problems of `readOpenSurvey`, and 404 for a response of another survey. */
export async function readVisit(
  scope: Scope,
  surveyId: Id<'survey'>,
  form: Fields,
  acceptLanguage: string,
  custom: (name: string) => string | undefined,
): Promise<Visit> {
  const preview = await readPreview(scope, surveyId, field(form, '_token'))
  if (preview) return readPreviewVisit(scope, preview, form, acceptLanguage, custom)
  const begun = openStartToken(scope, surveyId, field(form, '_begun'))
  const begunRow = await readRow(scope, surveyId, field(form, '_response'), begun)
  const { row, definition, open, workspace, revises } = await scope.read(async (tx) => {
    const [invited, workspace] = await Promise.all([
      begunRow ? null : readInvited(scope, tx, surveyId, field(form, '_token')),
      readWorkspace(tx),
    ])
    const row = begunRow ?? (await readInvitedRow(tx, invited))
    if (row?.completed_at) {
      const definition = await readDefinition(scope, tx, surveyId, row.survey_version)
      return { row, definition, open: null, workspace, revises: await mayRevise(scope, tx, row, definition) }
    }
    const survey = await readOpenSurvey(scope, tx, surveyId)
    if (!row) return { row, definition: survey.definition, open: { survey, invited }, workspace, revises: false }
    const definition = await readDefinition(scope, tx, surveyId, row.survey_version)
    return { row, definition, open: null, workspace, revises: false }
  })
  await runInSlices(readPiped(definition))
  const handed = {
    ...Object.fromEntries(definition.custom_fields.map((name) => [name, custom(name) ?? null])),
    ...open?.invited?.customData,
  }
  const language = pickLanguage(
    definition,
    field(form, '_switch') ?? field(form, '_lang') ?? row?.language,
    acceptLanguage,
  )
  const stored = row ? joinAnswers(definition, row.answers, row.text) : {}
  const customData = row ? row.custom_data : readCustomData(definition, handed).values
  const said = revises ? saidIn(form, { definition, customData, language }) : null
  return {
    surveyId,
    brand: brandOf(scope.caches, workspace, definition.theme),
    definition,
    language,
    values: said ?? stored,
    customData,
    row: row && revises ? { ...row, completed_at: null } : row,
    begun,
    open,
    tries:
      row && revises
        ? { id: surveyId, version: row.survey_version, definition, responseLimit: null, counts: {} }
        : null,
    preview: false,
  }
}

async function readInvitedRow(tx: ReadTx, invited: Invited | null): Promise<ResponseRow | null> {
  const [row] = invited?.responseId ? await listResponsesById(tx, [invited.responseId]) : []
  return row && row.state !== 'deleted' && !row.erased_at ? row : null
}

// The answers so far stand in the form, because nothing is stored.
async function readPreviewVisit(
  scope: Scope,
  preview: Preview,
  form: Fields,
  acceptLanguage: string,
  custom: (name: string) => string | undefined,
): Promise<Visit> {
  const { id: surveyId, definition } = preview.survey
  const workspace = await scope.read((tx) => readWorkspace(tx))
  await runInSlices(readPiped(definition))
  const handed = Object.fromEntries(definition.custom_fields.map((key) => [key, custom(key) ?? null]))
  const customData = readCustomData(definition, handed).values
  const language = pickLanguage(definition, field(form, '_switch') ?? field(form, '_lang'), acceptLanguage)
  const said = saidIn(form, { definition, customData, language })
  const row =
    said && tryAnswers(scope, preview.survey, { answers: said, customData, language, completed: false }, NOTHING).row
  return {
    surveyId,
    brand: brandOf(
      scope.caches,
      { ...workspace, branding: { ...workspace.branding, ...preview.branding } },
      definition.theme,
    ),
    definition,
    language,
    values: said ?? {},
    customData,
    row,
    begun: openStartToken(scope, surveyId, field(form, '_begun')),
    open: null,
    tries: preview.survey,
    preview: true,
  }
}

const NOTHING = { values: {}, customData: {} }

/** The answers of earlier pages that a form carries itself. Wrong ones are dropped. */
function saidIn(
  form: Fields,
  { definition, customData, language }: Pick<Visit, 'definition' | 'customData' | 'language'>,
): AnswerValues | null {
  let said: unknown
  try {
    said = JSON.parse(field(form, '_answers') ?? 'null')
  } catch {
    return null
  }
  if (!isRecord(said)) return null
  return evaluate(definition, { answers: said, custom_data: customData, completed: false, language }).values
}

/** The begun response that this page belongs to. */
async function readRow(
  scope: Scope,
  surveyId: Id<'survey'>,
  token: string | undefined,
  begun: StartToken | null,
): Promise<ResponseRow | null> {
  if (!token) return (begun && (await findByStartToken(scope, begun))) ?? null
  const ticket = openResponseToken(scope.secrets, token)
  const row = ticket?.tenantId === scope.tenantId ? await findResponse(scope, ticket.responseId) : undefined
  if (!row || row.survey_id !== surveyId || row.state === 'deleted') throw notFound('response')
  return row
}

/**
 * Refuses a visitor before they fill in the survey.
 * @throws Problem 422 for a missing or unknown link, 410 for an expired one or a full quota, 409 for a used one.
 */
export async function refuseAtOnce(
  scope: Scope,
  { survey, invited }: Open,
  evaluation: Evaluation,
  form: Fields,
): Promise<void> {
  if (invited?.answered) throw alreadyAnswered()
  const ticket = requireTicket(scope, survey, { token: field(form, '_token') }, invited)
  refuseFull(survey, settledQuotas(survey.definition, evaluation))
  // A look at the page would say whether the holder of a link has answered.
  if (survey.definition.privacy === 'anonymous') return
  const key = dedupeKey(scope, survey, {}, { ticket, device: field(form, '_device'), origin: scope.origin })
  if (key !== null) await scope.read((tx) => refuseRepeat(tx, survey.id, key))
}

/** The requested language, or the best match of `Accept-Language`, among the survey's languages. */
export function pickLanguage(definition: SurveyDefinition, asked: string | undefined, acceptLanguage: string): string {
  return languageFor(definition, [asked, ...wishesIn(acceptLanguage)])
}

/** The look of a survey's page: its own theme, and what that leaves out from the workspace. */
export function brandOf(caches: Caches, { name, branding, embed_origins }: Look, theme: Theme = {}): Brand {
  const { logo_url, color, background, corners, layout, cover_url, font } = { ...branding, ...theme }
  const file = webAssets(caches).program(`font.${font}`)
  return {
    name,
    color,
    background,
    corners,
    layout,
    font,
    fontUrl: file ? assetPath(file) : null,
    logoUrl: logo_url && onOwnPage(logo_url),
    coverUrl: cover_url && onOwnPage(cover_url),
    embedOrigins: embed_origins,
  }
}
