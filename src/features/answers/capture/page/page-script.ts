import { randomBytes } from 'node:crypto'
import type { Caches } from '../../../../platform/config/caches.ts'
import { assetPath, webAssets } from '../../../../platform/look/web-assets.ts'
import type { SurveyDefinition } from '../../../../survey-engine/model/definition.ts'
import { fitsOnePage } from '../../../../survey-engine/types/registry.ts'
import { PROOF_BITS } from '../submission/proof-of-work.ts'
import type { PageScript } from './respondent-view.ts'

/** The program for the page of a survey's version. Undefined for a survey too large for it, and if nothing is built. */
export function pageScript(caches: Caches, definition: SurveyDefinition, version: number): PageScript | undefined {
  if (!fitsOnePage(definition)) return undefined
  const assets = webAssets(caches)
  const program = assets.program('respondent')
  const worker = definition.proof_of_work === true ? assets.program('proof') : undefined
  return (
    program && {
      src: assetPath(program),
      nonce: randomBytes(16).toString('base64url'),
      version,
      ...(worker && { proof: { src: assetPath(worker), bits: PROOF_BITS } }),
    }
  )
}
