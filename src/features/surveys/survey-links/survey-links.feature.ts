import type { Feature } from '../../../platform/feature.ts'
import { createSurveyLinksRoute } from './survey-links.routes.ts'

export const surveyLinks = { name: 'survey-links', routes: [createSurveyLinksRoute] } satisfies Feature
