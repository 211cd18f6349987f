import type { TenantTx } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { CustomData, SurveyDefinition } from '../../../../survey-engine/model/definition.ts'
import { resolveAgent } from '../../../surveys/agents/naming.service.ts'
import { unknownAgent } from '../../../surveys/agents/unknown-agent.ts'

/**
 * The agent that evaluated custom data names, which has only fields that the survey declares.
 * @throws Problem 422 for an unknown agent.
 */
export async function agentIn(
  scope: Scope,
  tx: TenantTx,
  { privacy }: SurveyDefinition,
  { agent_id }: CustomData,
): Promise<Id<'agent'> | null> {
  if (agent_id === undefined || privacy === 'anonymous') return null
  const agent = await resolveAgent(scope, tx, String(agent_id))
  if (agent === 'unknown') throw unknownAgent('custom_data.agent_id')
  return agent === 'none' ? null : agent
}
