import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { eventTitle } from '../../../src/features/delivery/events/event-types.ts'
import type { Schemas } from '../../api/client.ts'
import { Icon } from '../../ui/icon.tsx'
import { placeOf } from '../app/screens.ts'
import { surveyNamesQuery } from '../list/names.ts'
import { answerOf, api } from '../session/api.ts'
import { TimeAgo } from '../words/time-ago.tsx'
import { presentLanguage, useWords } from '../words/words.ts'

type Notice = Schemas['Notification']

type Subject = Notice['event'] extends `${infer S}.${string}` ? S : never

/** The sign of an event, by its first word. */
const SIGNS: Record<Subject, string> = {
  response: 'message-square-text',
  survey: 'send',
  alert: 'bell',
  lead: 'user-plus',
  export: 'file-down',
  webhook: 'webhook',
}

/** Marks some notifications as read, or all. */
export function useReadNotices() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (wish: Schemas['ReadNotifications']) => answerOf(api.POST('/v1/notifications/read', { body: wish })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['notifications'] }),
  })
}

/** Each leads to what it is about, and is read then. */
export function NoticeList({ notices, onOpen }: { notices: Notice[]; onOpen?: () => void }) {
  const words = useWords()
  const navigate = useNavigate()
  const surveys = useQuery(surveyNamesQuery)
  const read = useReadNotices()
  const open = ({ id, read_at, subject, survey_id }: Notice) => {
    if (read_at === null) read.mutate({ ids: [id] })
    onOpen?.()
    const place = placeOf(subject?.id ?? survey_id ?? '')
    if (place !== null) void navigate({ href: place })
  }
  return (
    <ul className="notices">
      {notices.map((notice) => (
        <li key={notice.id}>
          <button type="button" onClick={() => open(notice)}>
            <Icon name={SIGNS[notice.event.split('.', 1)[0] as Subject]} />
            <span className="pair">
              <span className={notice.read_at === null ? 'strong' : 'soft'}>
                {eventTitle(notice.event, presentLanguage())}
                {notice.read_at === null && <span className="unseen"> {words('notices:unread')}</span>}
              </span>
              <small className="cut">
                <bdi>{surveys.data?.data.find(({ id }) => id === notice.survey_id)?.name}</bdi>
              </small>
            </span>
            <span className="faint nowrap">
              <TimeAgo at={notice.created_at} />
            </span>
            {notice.read_at === null && <i className="dot" />}
          </button>
        </li>
      ))}
    </ul>
  )
}
