import type { Caches } from '../../../../platform/config/caches.ts'
import { onOwnPage } from '../../../../platform/look/asset-address.ts'
import { assetPath, webAssets } from '../../../../platform/look/web-assets.ts'
import type { Theme } from '../../../../survey-engine/model/definition.ts'
import type { Look } from '../../../access/workspaces/workspaces.service.ts'
import type { Brand } from './respondent-view.ts'

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
