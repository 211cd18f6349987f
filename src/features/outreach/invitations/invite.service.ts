import type { z } from 'zod'
import { unprocessable } from '../../../http/problems/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import type { Channel } from '../../../platform/ports/provider.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import { withoutTrace, type Scope } from '../../../platform/scope.ts'
import { formatId, newId, parseId, type Id } from '../../../platform/ids.ts'
import { SWEEPS } from '../../../platform/work/sweeps.ts'
import { lockWorkspace, readWorkspace, requireProven } from '../../access/workspaces/workspaces.service.ts'
import { readCurrentSurvey } from '../../surveys/surveys/published-surveys.service.ts'
import { requireEmailTemplate } from '../email-templates/email-templates.service.ts'
import { findSender } from '../inbound-numbers/inbound-numbers.service.ts'
import { readCandidates, type Skipped } from './candidates.service.ts'
import { inviteCandidates, type Plan } from './decisions.service.ts'
import { Invitation, type Invite, type InviteResult } from './invitations.schema.ts'
import * as store from './invitations.store.ts'
import { storeSkips } from './skips.service.ts'
import { addMembers, decideMembers, decideOthers } from './segment-invitations.service.ts'

const audited = auditOf('invitation', { schema: Invitation })

type Body = Pick<
  z.output<typeof Invite>,
  'channel' | 'name' | 'recipients' | 'segment_id' | 'template_id' | 'send_at' | 'reminders' | 'dry_run'
>

const DAY_MS = 86_400_000
// Of the skipped people of a segment, in a dry run.
const MOST_LISTED = 1_000

/**
 * Accepts an invitation to a survey. It decides now who gets a message, and stores that with the reasons in one
 * transaction. Of a large segment it decides the first people now and the others in the background. The sending
 * follows.
 * @param gone ends a trial, so that none goes on for a caller who has left.
 * @throws Problem 403 `unverified`; 404 for an unknown survey; 422 for an unknown or invalid template, number, segment,
 * agent, field or time.
 */
export async function invite(
  scope: Scope,
  surveyId: Id<'survey'>,
  body: Body,
  gone?: AbortSignal,
): Promise<z.input<typeof InviteResult>> {
  await requireProven(scope)
  const now = scope.clock.now()
  const sendAt = body.send_at && body.send_at > now ? body.send_at : now
  if (sendAt.getTime() > now.getTime() + 366 * DAY_MS)
    throw unprocessable('send_at_too_late', [{ path: 'send_at', message: 'Choose a time within a year.' }])
  const segmentId = body.segment_id === undefined ? null : readSegmentId(body.segment_id)
  const templateId = readTemplateId(body.channel, body.template_id, 'template_id')
  const reminders = body.reminders.map((reminder, index) => ({
    reminder,
    path: `reminders.${index}`,
    channel: reminder.channel ?? body.channel,
    templateId: readTemplateId(
      reminder.channel ?? body.channel,
      reminder.template_id,
      `reminders.${index}.template_id`,
    ),
  }))

  const run = <T>(work: (tx: TenantTx) => Promise<T>) => (body.dry_run ? withoutTrace(scope, work) : scope.tx(work))
  return run(async (tx) => {
    // Parallel calls decide one after the other, so that no person is invited twice. A trial invites nobody.
    const workspace = await (body.dry_run ? readWorkspace(tx) : lockWorkspace(tx))
    const survey = await readCurrentSurvey(scope, tx, surveyId)
    if (survey.definition.privacy === 'anonymous')
      for (const { channel, path } of [{ channel: body.channel, path: '' }, ...reminders])
        requireMail(channel, `${path}${path && '.'}channel`)
    for (const id of [templateId, ...reminders.map((each) => each.templateId)])
      if (id !== null) await requireEmailTemplate(tx, id)
    for (const { channel, path, reminder } of reminders)
      if (channel === 'voice' && reminder.words !== undefined) throw unspoken(`${path}.words`)
    const sender = await requireSender(tx, body.channel, 'channel')
    for (const { channel, path } of reminders) await requireSender(tx, channel, `${path}.channel`)
    const invitation: store.InvitationRow = {
      id: newId('invitation'),
      name: body.name ?? null,
      survey_id: surveyId,
      channel: body.channel,
      template_id: templateId,
      send_at: sendAt,
      reminders: reminders.map(({ reminder }) => reminder),
      accepted: 0,
      deferred: 0,
      skipped: {},
      created_at: now,
      cancelled_at: null,
      segment_id: segmentId,
      undecided: 0,
    }
    const plan: Plan = {
      invitationId: invitation.id,
      surveyId,
      channel: body.channel,
      opening: survey.opening,
      workspace,
      sender,
      sendAt,
      byDay: survey.definition.privacy === 'anonymous',
      isTrial: body.dry_run,
    }
    const skipped: Skipped = []
    const candidates = await readCandidates(scope, tx, survey.definition, body.channel, body.recipients ?? [], skipped)
    const { principal } = scope
    await store.insertInvitation(tx, invitation, 'id' in principal ? `${principal.type}:${principal.id}` : null)
    let counts = await inviteCandidates(scope, tx, plan, candidates, skipped)
    if (segmentId !== null) {
      await addMembers(scope, tx, invitation.id, segmentId)
      counts = await decideMembers(scope, tx, plan, skipped)
      if (body.dry_run) counts = await decideOthers(scope, tx, plan, skipped, { ...counts, gone })
    } else await store.addDecided(tx, invitation.id, { ...counts, skipped: store.countReasons(skipped), decided: 0 })
    skipped.sort((a, b) => a.index - b.index)
    const named = skipped.map(({ index, reason }) => ({ index, reason }))
    if (body.dry_run) {
      const skipped_by = store.countReasons(skipped)
      return { dry_run: true, ...counts, skipped: segmentId ? named.slice(0, MOST_LISTED) : named, skipped_by }
    }
    await storeSkips(scope, tx, invitation, skipped)
    const { accepted, deferred } = counts
    audited(scope, tx, 'create', invitation.id, {
      changes: [
        { path: 'survey_id', to: formatId('survey', surveyId) },
        { path: 'channel', to: body.channel },
        { path: 'accepted', to: accepted },
        { path: 'deferred', to: deferred },
        { path: 'skipped', to: skipped.length },
      ],
    })
    if (accepted + deferred > 0 || segmentId !== null) scope.wakeAfter(tx, SWEEPS, { group: '', ids: [] })
    return { id: formatId('invitation', invitation.id), accepted, deferred, skipped: named }
  })
}

/** Before a file is read. @throws Problem 403 `unverified`; 404 for a survey of another workspace. */
export async function requireSurvey(scope: Scope, id: Id<'survey'>): Promise<void> {
  await requireProven(scope)
  await scope.read((tx) => readCurrentSurvey(scope, tx, id))
}

function readSegmentId(text: string): Id<'segment'> {
  const id = parseId('segment', text)
  if (id === null)
    throw unprocessable('unknown_segment', [{ path: 'segment_id', message: 'There is no such segment.' }])
  return id
}

function readTemplateId(channel: Channel, text: string | undefined, path: string): Id<'template'> | null {
  if (text === undefined) return null
  if (channel !== 'email')
    throw unprocessable('template_without_email', [{ path, message: 'Only emails use a template. Leave it out.' }])
  const id = parseId('template', text)
  if (id === null) throw unprocessable('unknown_template', [{ path, message: 'There is no such template.' }])
  return id
}

function unspoken(path: string) {
  return unprocessable('words_without_text', [
    { path, message: 'A call speaks only the words of the survey. Leave these words out, or remind by email or SMS.' },
  ])
}

// By SMS and phone, the number stands beside the answers.
function requireMail(channel: Channel, path: string): void {
  if (channel !== 'email')
    throw unprocessable('anonymous_survey', [{ path, message: 'This survey is anonymous. Invite people by email.' }])
}

async function requireSender(tx: TenantTx, channel: Channel, path: string): Promise<Plan['sender']> {
  if (channel === 'email') return null
  const sender = await findSender(tx, channel, null)
  if (sender) return sender
  throw unprocessable('no_sender_number', [
    { path, message: `Add a number with the capability ${channel} first: POST /v1/inbound-numbers.` },
  ])
}
