import { listenTo, type Listener } from '../../../platform/work/listeners.ts'
import { OPENED } from '../../surveys/surveys/notified.service.ts'
import { matches } from '../webhooks/registration/subscription.ts'
import { readSubscribers } from './publishing.service.ts'

const TYPE = 'response.completed'

/** Counts the webhooks and members that will hear of the completed responses of a survey. */
export const onOpened: Listener = listenTo(OPENED, async (scope, tx) => {
  const { webhooks, members } = await readSubscribers(scope, tx, TYPE)
  return {
    async handle({ surveyId, notified }) {
      const takes = (events: string[], survey_ids: string[]) =>
        matches({ events, survey_ids }, { type: TYPE, surveyId })
      notified.webhooks = webhooks.subscribers.filter(
        (each) => each.enabled && takes(each.events, each.survey_ids),
      ).length
      notified.members = members.filter((each) => each.enabled && takes([each.event], each.survey_ids)).length
    },
  }
})
