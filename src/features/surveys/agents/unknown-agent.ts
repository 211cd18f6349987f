import { unprocessable, type Problem } from '../../../http/problems/problem.ts'

export const UNKNOWN_AGENT = 'There is no such agent. Use an id of GET /v1/agents, or your own external id.'

export function unknownAgent(path: string): Problem {
  return unprocessable('unknown_agent', [{ path, message: UNKNOWN_AGENT }])
}
