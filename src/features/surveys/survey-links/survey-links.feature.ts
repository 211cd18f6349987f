import type { Feature } from '../../../platform/feature.ts'
import { createPreviewLinkRoute, createSurveyLinksRoute } from './survey-links.routes.ts'

export const surveyLinks = {
  name: 'survey-links',
  routes: [createSurveyLinksRoute, createPreviewLinkRoute],
} satisfies Feature
