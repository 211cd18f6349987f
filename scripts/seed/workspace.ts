import { addMember } from '../../src/features/access/members/membership.service.ts'
import { listRoles } from '../../src/features/access/roles/roles.service.ts'
import { proveAccount } from '../../src/features/access/users/proof.service.ts'
import { enrolUser, findUserByEmail } from '../../src/features/access/users/users.service.ts'
import { signUp } from '../../src/features/access/sign-up/sign-up.service.ts'
import { importPeople } from '../../src/features/outreach/people/import.service.ts'
import { knownBadges } from '../../src/features/programme/badges/badges.service.ts'
import { createAgent } from '../../src/features/surveys/agents/agents.service.ts'
import { CreateAgent } from '../../src/features/surveys/agents/agents.schema.ts'
import { publishSurvey } from '../../src/features/surveys/surveys/lifecycle.service.ts'
import { CreateSurvey } from '../../src/features/surveys/surveys/surveys.schema.ts'
import { createSurvey } from '../../src/features/surveys/surveys/surveys.service.ts'
import type { TestClock } from '../../src/platform/loop/clock.ts'
import { parseId, type Id } from '../../src/platform/ids.ts'
import type { Scope, SystemScope } from '../../src/platform/scope.ts'
import type { Services } from '../../src/services.ts'
import { createChance } from './chance.ts'
import { DAYS } from './history.ts'
import { makeAgents, makePeople, type DemoPerson } from './people.ts'
import { daysBefore, scopesOf, systemAt, type Stage } from './stage.ts'
import { SURVEYS } from './surveys.ts'

export const SIGN_IN = { email: 'demo@tidewater.example', password: 'a demo for everyone' }

const PEOPLE = 4_000
const IMPORTS = 4
const COLLEAGUES = [
  { name: 'Nadia Rahman', email: 'nadia@tidewater.example', role: 'manager' },
  { name: 'Piet de Vries', email: 'piet@tidewater.example', role: 'analyst' },
]

/** The workspace as it was 18 months ago: members, surveys, agents and its first people. */
export async function openWorkspace(
  services: Services,
  system: SystemScope,
  clock: TestClock,
  today: Date,
): Promise<Stage> {
  const chance = createChance(20_240_517)
  const start = daysBefore(today, DAYS + 1)
  clock.set(start)
  const then = systemAt(system, start)
  const account = { ...SIGN_IN, name: 'Demo Owner', workspace_name: 'Tidewater Outfitters' }
  const { token, workspace } = await signUp(then, account, 'en')
  const known = await system.ports.identity.authenticate(token, null)
  if (!known) throw new Error(`the owner of ${workspace.name} cannot sign in`)
  const user = await findUserByEmail(then, account.email)
  if (user) await proveAccount(then, user)
  const scopes = scopesOf(system, known.tenantId, known.principal)
  const owner = scopes.owner(start)
  await addColleagues(owner, then)
  const agents = makeAgents()
  const agentIds = new Map<string, Id<'agent'>>()
  for (const { skill: _skill, ...agent } of agents) {
    const id = parseId('agent', (await createAgent(owner, CreateAgent.parse(agent))).id)
    if (id) agentIds.set(agent.external_id, id)
  }
  const surveys = {
    purchase: await publish(owner, SURVEYS.purchase),
    support: await publish(owner, SURVEYS.support),
    onboarding: await publish(owner, SURVEYS.onboarding),
  }
  const people = makePeople(chance, PEOPLE)
  return { services, clock, chance, today, surveys, agents, agentIds, people, system, ...scopes }
}

/** People come in four imports over the time. */
export async function importAll({ today, people, owner }: Stage): Promise<void> {
  const part = Math.ceil(people.length / IMPORTS)
  for (let n = 0; n < IMPORTS; n += 1) {
    const at = daysBefore(today, DAYS - n * 140)
    const rows: DemoPerson[] = people.slice(n * part, (n + 1) * part)
    await importPeople(owner(at), { rows })
  }
}

async function addColleagues(owner: Scope, system: SystemScope): Promise<void> {
  const { data: roles } = await listRoles(owner, { limit: 100 })
  for (const { role, ...person } of COLLEAGUES) {
    const { user } = await enrolUser(system, { ...person, password: SIGN_IN.password })
    await proveAccount(system, user)
    const roleId = parseId('role', roles.find(({ name }) => name === role)?.id ?? '')
    if (!roleId) throw new Error(`there is no role ${role}`)
    await owner.tx((tx) => addMember(owner, tx, { userId: user.id, roleId }))
  }
}

async function publish(owner: Scope, definition: object): Promise<Id<'survey'>> {
  const { survey } = await createSurvey(owner, CreateSurvey.parse(definition), knownBadges)
  const id = parseId('survey', survey.id)
  if (!id) throw new Error('the survey has no id')
  await publishSurvey(owner, id, undefined)
  return id
}
