import type { TimelineSource } from '../../outreach/people/timeline.service.ts'
import { listOfPerson } from './person-timeline.store.ts'

/** The alerts in the timeline of a person. */
export const listPersonAlerts: TimelineSource = listOfPerson
