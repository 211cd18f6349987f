import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Empty, Status } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMemberName, useMay } from '../../app/me.ts'
import { Call } from '../../frame/call.tsx'
import { Screen, Lede } from '../../frame/screen.tsx'
import { reasonOf } from '../../frame/failure.tsx'
import { LoadedRows, UnseenHead } from '../../frame/loaded.tsx'
import { ruleNamesQuery } from '../../list/names.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'

type Rule = Schemas['AlertRule']

/** When does an alert open? */
export function Rules() {
  const words = useWords()
  const mayManage = useMay('alerts.manage')
  const list = useQuery(ruleNamesQuery)
  const rules = list.data?.data ?? []
  const running = rules.filter(({ enabled }) => enabled).length
  const add = mayManage && (
    <Link className="button primary" to="/app/alerts/rules/$ruleId" params={{ ruleId: 'new' }}>
      <Icon name="plus" isSmall />
      {words('alerts:newRule')}
    </Link>
  )
  return (
    <Screen title={words('alerts:rules')} above={{ to: '/app/alerts', label: words('frame:screens.alerts') }} end={add}>
      <LoadedRows
        query={list}
        empty={
          <Empty title={words('alerts:noRules')} actions={add}>
            <p>{words('alerts:emptyText')}</p>
            <Call path="/v1/alert-rules" />
          </Empty>
        }
      >
        {(rules) => (
          <>
            <Lede>
              {words('alerts:lede.rules', {
                count: rules.length,
                n: formatNumber(rules.length),
                running: formatNumber(running),
              })}
            </Lede>
            <table className="table tall" aria-label={words('alerts:rules')}>
              <thead>
                <tr>
                  <th>{words('list:fields.name')}</th>
                  <th>{words('list:fields.state')}</th>
                  <th className="wide">{words('list:fields.priority')}</th>
                  <th className="wide">{words('list:fields.owner_id')}</th>
                  {mayManage && <UnseenHead className="end">{words('list:menu')}</UnseenHead>}
                </tr>
              </thead>
              <tbody>
                {rules.map((rule) => (
                  <RuleRow key={rule.id} rule={rule} mayManage={mayManage} />
                ))}
              </tbody>
            </table>
          </>
        )}
      </LoadedRows>
    </Screen>
  )
}

function RuleRow({ rule, mayManage }: { rule: Rule; mayManage: boolean }) {
  const words = useWords()
  const client = useQueryClient()
  const nameOf = useMemberName()
  const { id, name, enabled, owner_id: ownerId, priority, trigger } = rule
  const turn = useMutation({
    mutationFn: (on: boolean) =>
      answerOf(api.PATCH('/v1/alert-rules/{id}', { params: { path: { id } }, body: { enabled: on } })),
    onSuccess: (_, on) => {
      void client.invalidateQueries({ queryKey: ['alert-rules'] })
      toast({
        text: words(on ? 'alerts:resumed' : 'alerts:paused', { name }),
        action: { label: words('frame:undo'), onPress: () => turn.mutate(!on) },
      })
    },
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  return (
    <tr>
      <td className="first">
        <Link className="pair" to="/app/alerts/rules/$ruleId" params={{ ruleId: id }}>
          <bdi className="strong cut">{name}</bdi>
          <small>{words(`alerts:on.${trigger['on'] === 'score_drop' ? 'score_drop' : 'response'}`)}</small>
        </Link>
      </td>
      <td className="when">
        <Status tone={enabled ? 'ok' : 'plain'} {...(!enabled && { icon: 'pause' })}>
          {words(enabled ? 'alerts:running' : 'alerts:isPaused')}
        </Status>
      </td>
      <td className="wide">{words(`list:values.${priority}`)}</td>
      <td className="wide">
        {ownerId === null ? (
          <span className="faint">{words('alerts:nobody')}</span>
        ) : (
          <bdi>{nameOf(ownerId) ?? words('alerts:former')}</bdi>
        )}
      </td>
      {mayManage && (
        <td className="end">
          <Button look="quiet" isBusy={turn.isPending} onClick={() => turn.mutate(!enabled)}>
            {words(enabled ? 'alerts:pause' : 'alerts:resume')}
          </Button>
        </td>
      )}
    </tr>
  )
}
