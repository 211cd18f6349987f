import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { eventTitle } from '../../../../../src/features/delivery/events/event-types.ts'
import type { Schemas } from '../../../../api/client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Switch } from '../../../../ui/form.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { Empty, Status, Tag } from '../../../../ui/parts.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { reasonOf } from '../../../frame/failure.tsx'
import { LoadedRows, UnseenHead } from '../../../frame/loaded.tsx'
import { NewButton } from '../../../frame/screen.tsx'
import { answerOf, api } from '../../../session/api.ts'
import { formatNumber } from '../../../words/format.ts'
import { presentLanguage, useWords } from '../../../words/words.ts'
import { NewSubscription } from './new-subscription.tsx'

type Subscription = Schemas['NotificationSubscription']

const KEY = ['notification-subscriptions']

/** The events that reach the caller, and where. */
export function Subscriptions() {
  const words = useWords()
  const [isAdding, setAdding] = useState(false)
  const subscriptions = useQuery({
    queryKey: KEY,
    queryFn: () => answerOf(api.GET('/v1/notification-subscriptions', { params: { query: { limit: 200 } } })),
  })
  const add = <NewButton label={words('settings:notify.new')} onPress={() => setAdding(true)} />
  return (
    <>
      <LoadedRows
        query={subscriptions}
        empty={
          <Empty title={words('settings:notify.empty')} actions={add}>
            <p>{words('settings:notify.emptyText')}</p>
          </Empty>
        }
      >
        {(rows) => {
          const broken = rows.filter(isBroken).length
          const [key, count] = broken > 0 ? (['lede.broken', broken] as const) : (['lede', rows.length] as const)
          return (
            <>
              <div className="filters" style={{ justifyContent: 'space-between' }}>
                <p className="lede" role="status">
                  {words(`settings:notify.${key}`, { count, n: formatNumber(count) })}
                </p>
                {add}
              </div>
              <table className="table tall" aria-label={words('settings:notify.title')}>
                <thead>
                  <tr>
                    <th>{words('settings:notify.event')}</th>
                    <th className="wide">{words('settings:notify.channel')}</th>
                    <th className="wide">{words('settings:notify.when')}</th>
                    <UnseenHead className="end">{words('list:menu')}</UnseenHead>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <Subscribed key={row.id} value={row} />
                  ))}
                </tbody>
              </table>
            </>
          )
        }}
      </LoadedRows>
      {isAdding && <NewSubscription onClose={() => setAdding(false)} />}
    </>
  )
}

function isBroken({ enabled, disabled_reason }: Subscription): boolean {
  return !enabled && (disabled_reason === 'gone' || disabled_reason === 'failing')
}

function Subscribed({ value }: { value: Subscription }) {
  const words = useWords()
  const client = useQueryClient()
  const { id, event, channel, survey_ids, url, filter, digest, enabled, disabled_reason } = value
  const path = { params: { path: { id } } }
  const acting = {
    onError: (error: Error) => toast({ text: reasonOf(error, words) }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  }
  const turn = useMutation({
    mutationFn: (isOn: boolean) =>
      answerOf(api.PATCH('/v1/notification-subscriptions/{id}', { ...path, body: { enabled: isOn } })),
    ...acting,
  })
  const remove = useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/notification-subscriptions/{id}', path)),
    onSuccess: () => toast({ text: words('settings:notify.removed') }),
    ...acting,
  })
  const name = eventTitle(event, presentLanguage())
  const place = words(`settings:notify.channels.${channel}`)
  const isOn = turn.isPending ? turn.variables : enabled
  return (
    <tr>
      <td className="first">
        <span className="pair">
          <span className="strong cut">{name}</span>
          <small className="meta">
            <span>
              {survey_ids.length === 0
                ? words('settings:notify.allSurveys')
                : words('settings:notify.someSurveys', {
                    count: survey_ids.length,
                    n: formatNumber(survey_ids.length),
                  })}
            </span>
            <span className="narrow">{place}</span>
            {filter !== null && <Tag>{words('settings:notify.filtered')}</Tag>}
            {isBroken(value) && <Status tone="bad">{words(`settings:notify.reasons.${disabled_reason}`)}</Status>}
          </small>
        </span>
      </td>
      <td className="wide">
        <span className="pair">
          {place}
          {url !== null && (
            <small className="mono cut" dir="ltr">
              {url}
            </small>
          )}
        </span>
      </td>
      <td className="wide soft">{words(`settings:notify.digests.${channel === 'console' ? 'at_once' : digest}`)}</td>
      <td className="end nowrap">
        <span className="filters" style={{ justifyContent: 'flex-end', flexWrap: 'nowrap' }}>
          <Switch
            label={
              <>
                <span className="unseen">{words('settings:notify.isOn', { event: `${name}, ${place}` })}</span>
                <span aria-hidden="true">{words(isOn ? 'settings:notify.on' : 'settings:notify.off')}</span>
              </>
            }
            isOn={isOn}
            onChange={(next) => turn.mutateAsync(next)}
          />
          <Button
            look="quiet"
            size="square"
            aria-label={`${words('settings:notify.remove')}: ${name}, ${place}`}
            onClick={() => remove.mutate()}
          >
            <Icon name="trash" isSmall />
          </Button>
        </span>
      </td>
    </tr>
  )
}
