import { notFound } from '../../../http/problems/problem.ts'
import type { Id } from '../../../platform/ids.ts'
import { createFairLimit, createLimitOfEach } from '../../../platform/loop/fair-limit.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { knownDefinition, readInPassing } from './published-surveys.service.ts'
import * as store from './surveys.store.ts'

// Earlier versions, and other surveys.
const MOST_VERSIONS = 50
const MOST_SURVEYS = 100

// A definition has a million characters at most, and parsed it takes ten times as much.
const steps = createFairLimit(2)
const readers = createLimitOfEach(1)

/**
 * Runs work on definitions that no cache has. The process does two such works at once, so each should hold one or two
 * definitions, and workspaces take turns. Never call it in a transaction.
 */
export function withDefinitions<Result>(scope: Scope, work: () => Promise<Result>): Promise<Result> {
  return steps.run(scope.tenantId, work)
}

/**
 * Runs work that gathers something from many definitions. A workspace does one at a time, because each holds what it
 * has gathered while it waits for the next definition. Never call it in a transaction.
 */
export function gatherDefinitions<Result>(scope: Scope, work: () => Promise<Result>): Promise<Result> {
  return readers.run(scope.tenantId, work)
}

/**
 * Shows all published versions of a survey one after the other, the latest first, or its draft. Without a survey, the
 * latest version of each. Keep of a definition only what you need. @throws Problem 404.
 */
export async function seeDefinitions(
  scope: Scope,
  surveyId: Id<'survey'> | null,
  see: (definition: SurveyDefinition) => Promise<void>,
): Promise<void> {
  for (const { id, version } of await listVersions(scope, surveyId)) {
    const known = knownDefinition(scope, id, version)
    if (known) await see(known)
    else
      await withDefinitions(scope, async () => {
        const definition = await scope.read(async (tx) =>
          version === 0 ? (await store.findSurvey(tx, id))?.definition : readInPassing(scope, tx, id, version),
        )
        // The survey may have gone by now.
        if (definition) await see(definition)
      })
  }
}

/** @throws Problem 404. */
export async function requireSurvey(scope: Scope, id: Id<'survey'>): Promise<{ version: number }> {
  const opening = await scope.read((tx) => store.findOpening(tx, id))
  if (!opening) throw notFound('survey')
  return opening
}

async function listVersions(scope: Scope, id: Id<'survey'> | null): Promise<store.NamedVersion[]> {
  if (id === null) return scope.read((tx) => store.listNewestPublished(tx, MOST_SURVEYS))
  const { version } = await requireSurvey(scope, id)
  const earlier = Math.min(Math.max(version - 1, 0), MOST_VERSIONS - 1)
  return Array.from({ length: 1 + earlier }, (_, n) => ({ id, version: version - n }))
}
