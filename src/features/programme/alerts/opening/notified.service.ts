import { listenTo, type Listener } from '../../../../platform/work/listeners.ts'
import { OPENED } from '../../../surveys/surveys/notified.service.ts'
import { readRules } from '../rules/known-rules.service.ts'

/** Counts the rules that will look at the completed responses of a survey. */
export const onOpened: Listener = listenTo(OPENED, async (scope, tx) => {
  const rules = await readRules(scope, tx)
  return {
    async handle({ surveyId, notified }) {
      notified.alert_rules = rules.filter(
        ({ survey_ids, trigger }) =>
          trigger.on === 'response' && (survey_ids.length === 0 || survey_ids.includes(surveyId)),
      ).length
    },
  }
})
