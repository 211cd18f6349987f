import type { z } from 'zod'
import { unprocessable } from '../../../http/problems/problem.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { nextTurn, runInSlices, startSlices } from '../../../platform/loop/turns.ts'
import { lintInSteps } from '../../../survey-engine/talk/channel-lint.ts'
import {
  beginTalk,
  judgeCompleted,
  replyTo,
  type Setting,
  type Turn,
} from '../../../survey-engine/talk/conversation.ts'
import { readCustomData } from '../../../survey-engine/logic/custom-data.ts'
import { languageFor } from '../../../survey-engine/language/nearest.ts'
import { readDraft } from '../../surveys/surveys/surveys.service.ts'
import { readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { isAutomatic } from './automatic.ts'
import { commandIn } from '../inbound-numbers/commands.ts'
import { messagesFor } from '../../../survey-engine/language/messages.ts'
import { dayIn } from './conversation-row.ts'
import type { SimulateSurvey, Simulation } from './conversations.schema.ts'

type Result = z.input<typeof Simulation>
type Simulated = Result['turns'][number]

/**
 * Runs a survey's draft as a conversation without storing or sending anything. @throws Problem 404; 422 for a draft
 * without questions.
 */
export async function simulateSurvey(
  scope: Scope,
  id: Id<'survey'>,
  input: z.output<typeof SimulateSurvey>,
): Promise<Result> {
  const definition = await readDraft(scope, id)
  await nextTurn()
  if (definition.questions.length === 0)
    throw unprocessable('empty_survey', [{ path: 'questions', message: 'Add a question first.' }])
  const custom = readCustomData(definition, input.custom_data)
  if (custom.issues.length > 0) throw unprocessable('invalid_custom_data', custom.issues)
  const { channel } = input
  const language = languageFor(definition, [input.language])
  const setting: Setting = {
    definition,
    channel,
    language,
    values: {},
    customData: custom.values,
    today: dayIn('UTC', scope.clock.now()),
  }

  const slices = startSlices()
  let turn = beginTalk(setting)
  const turns = [simulated(setting, null, turn, true)]
  for (const heard of input.turns) {
    if (slices.isOver()) await slices.next()
    if (turns.at(-1)?.state !== 'asking') break
    const command = channel === 'sms' ? commandIn(heard) : null
    if (command === 'stop')
      turns.push({ heard, say: '', question: null, part: null, understood: true, state: 'stopped' })
    else if (command === 'help')
      turns.push({
        ...simulated(setting, heard, turn, true),
        say: messagesFor(language)('help', { workspace: await workspaceName(scope) }),
      })
    else if (channel === 'sms' && isAutomatic(heard)) turns.push({ ...simulated(setting, heard, turn, false), say: '' })
    else {
      const before = turn
      turn = replyTo(setting, before.talk, heard)
      setting.values = { ...setting.values, ...turn.answers }
      turns.push(simulated(setting, heard, turn, turn.ended !== 'invalid' && turn.talk.tries <= before.talk.tries))
    }
  }
  return {
    channel,
    language,
    turns,
    state: turns.at(-1)?.state ?? 'asking',
    answers: setting.values,
    lint: await runInSlices(lintInSteps(definition, channel)),
  }
}

async function workspaceName(scope: Scope): Promise<string> {
  return (await scope.read(readWorkspace)).name
}

function simulated(setting: Setting, heard: string | null, { say, talk, ended }: Turn, understood: boolean): Simulated {
  const completed =
    ended === 'completed' ? (judgeCompleted(setting).outcome === 'screened_out' ? 'screened_out' : 'completed') : null
  return {
    heard,
    say,
    question: talk.asked,
    part: ended === null ? talk.part : null,
    understood,
    state: ended === null ? 'asking' : (completed ?? 'partial'),
  }
}
