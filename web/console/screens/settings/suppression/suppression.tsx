import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '../../../../api/client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { Empty } from '../../../../ui/parts.tsx'
import { useMay, useMemberName } from '../../../app/me.ts'
import { Loaded, LoadedRows, UnseenHead } from '../../../frame/loaded.tsx'
import { NewButton } from '../../../frame/screen.tsx'
import { answerOf, api } from '../../../session/api.ts'
import { countText } from '../../../words/format.ts'
import { TimeAgo } from '../../../words/time-ago.tsx'
import { useWords } from '../../../words/words.ts'
import { Settings } from '../layout.tsx'
import { REASONS, type SuppressionState } from './suppression-state.ts'
import { CheckAddress } from './check-address.tsx'
import { ImportSuppressions, LiftSuppression, Suppress } from './suppress.tsx'
import { SEND_CHANNELS } from '../../../../../src/platform/ports/provider.ts'

type Held = Schemas['Suppression']

const PAGE = 200

/** The addresses that get no messages, with the reason. */
export function Suppression() {
  const words = useWords()
  const navigate = useNavigate()
  const mayManage = useMay('compliance.manage')
  const state = useSearch({ strict: false }) as SuppressionState
  const [isOpen, setOpen] = useState<'add' | 'import' | null>(null)
  const show = (search: SuppressionState) => void navigate({ to: '.', search: search as never })
  const end = mayManage && (
    <>
      <Button aria-label={words('settings:sup.import')} onClick={() => setOpen('import')}>
        <Icon name="file-down" isSmall />
        <span className="wide">{words('settings:sup.import')}</span>
      </Button>
      <NewButton label={words('settings:sup.add')} onPress={() => setOpen('add')} />
    </>
  )
  return (
    <Settings name="suppression" end={end}>
      {mayManage && (
        <div
          className="segmented"
          role="group"
          aria-label={words('settings:sup.views')}
          style={{ justifySelf: 'start' }}
        >
          {(['held', 'lifts'] as const).map((view) => (
            <button
              key={view}
              type="button"
              aria-pressed={(state.show ?? 'held') === view}
              onClick={() => show(view === 'held' ? {} : { show: view })}
            >
              {words(`settings:sup.viewed.${view}`)}
            </button>
          ))}
        </div>
      )}
      {state.show === 'lifts' ? <Lifts /> : <HeldList state={state} mayManage={mayManage} onChange={show} />}
      {isOpen === 'add' && <Suppress onClose={() => setOpen(null)} />}
      {isOpen === 'import' && <ImportSuppressions onClose={() => setOpen(null)} />}
    </Settings>
  )
}

interface HeldProps {
  state: SuppressionState
  mayManage: boolean
  onChange: (state: SuppressionState) => void
}

function HeldList({ state, mayManage, onChange }: HeldProps) {
  const words = useWords()
  const [lifting, setLifting] = useState<Held | null>(null)
  const { channel, reason } = state
  const list = useInfiniteQuery({
    queryKey: ['suppression', channel, reason],
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET('/v1/suppression', {
          params: {
            query: {
              limit: PAGE,
              count: 'true',
              ...(channel && { channel }),
              ...(reason && { reason }),
              ...(pageParam && { cursor: pageParam }),
            },
          },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
  return (
    <Loaded query={list}>
      {({ pages }) => {
        const rows = pages.flatMap(({ data }) => data)
        const count = pages[0]?.count
        if (count?.all.n === 0)
          return (
            <>
              <Empty title={words('settings:sup.empty')}>
                <p>{words('settings:sup.emptyText')}</p>
              </Empty>
              <CheckAddress />
            </>
          )
        return (
          <>
            <div role="status">
              <p className="lede">
                {words('settings:sup.lede', {
                  count: count?.matching.n ?? 0,
                  n: countText(count?.matching ?? { n: 0, exact: true }, words),
                })}
              </p>
              <p className="sub">{words('settings:sup.text')}</p>
            </div>
            <CheckAddress />
            <div className="filters" role="search" aria-label={words('list:filter')}>
              <select
                className="input"
                style={{ width: 'auto' }}
                aria-label={words('list:fields.channel')}
                value={channel ?? ''}
                onChange={({ target }) => onChange({ ...state, channel: (target.value || undefined) as never })}
              >
                <option value="">{words('settings:sup.anyChannel')}</option>
                {SEND_CHANNELS.map((each) => (
                  <option key={each} value={each}>
                    {words(`list:values.${each}`)}
                  </option>
                ))}
              </select>
              <select
                className="input"
                style={{ width: 'auto' }}
                aria-label={words('list:fields.reason')}
                value={reason ?? ''}
                onChange={({ target }) => onChange({ ...state, reason: (target.value || undefined) as never })}
              >
                <option value="">{words('settings:sup.any')}</option>
                {REASONS.map((each) => (
                  <option key={each} value={each}>
                    {words(`settings:sup.reasons.${each}`)}
                  </option>
                ))}
              </select>
            </div>
            {rows.length === 0 ? (
              <p className="soft">{words('settings:sup.none')}</p>
            ) : (
              <table className="table" aria-label={words('settings:places.suppression')}>
                <thead>
                  <tr>
                    <th>{words('settings:sup.address')}</th>
                    <th className="wide">{words('list:fields.channel')}</th>
                    <th className="wide">{words('list:fields.reason')}</th>
                    <th className="wide">{words('settings:sup.since')}</th>
                    <UnseenHead className="end">{words('list:menu')}</UnseenHead>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <tr key={row.id}>
                      <td className="first">
                        <span className="pair">
                          <bdi className="cut" dir="ltr" style={{ justifySelf: 'start' }}>
                            {row.address}
                          </bdi>
                          <small className="narrow">{words(`settings:sup.reasons.${row.reason}`)}</small>
                        </span>
                      </td>
                      <td className="wide">{words(`list:values.${row.channel}`)}</td>
                      <td className="wide soft">{words(`settings:sup.reasons.${row.reason}`)}</td>
                      <td className="wide faint nowrap">
                        <TimeAgo at={row.updated_at} />
                      </td>
                      <td className="end">
                        {mayManage && row.reason !== 'erasure' && (
                          <Button look="quiet" onClick={() => setLifting(row)}>
                            {words('settings:sup.lift')}
                          </Button>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
            {list.hasNextPage && (
              <div>
                <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                  {words('frame:more')}
                </Button>
              </div>
            )}
            {lifting && <LiftSuppression held={lifting} onClose={() => setLifting(null)} />}
          </>
        )
      }}
    </Loaded>
  )
}

/** Which suppressions were lifted, by whom, and on what evidence. */
function Lifts() {
  const words = useWords()
  const nameOf = useMemberName()
  const lifts = useQuery({
    queryKey: ['suppression', 'lifts'],
    queryFn: () => answerOf(api.GET('/v1/suppression/lifts', { params: { query: { limit: PAGE } } })),
  })
  return (
    <LoadedRows query={lifts} empty={<p className="soft">{words('settings:sup.noLifts')}</p>}>
      {(rows) => (
        <table className="table tall" aria-label={words('settings:sup.viewed.lifts')}>
          <thead>
            <tr>
              <th>{words('settings:sup.address')}</th>
              <th className="wide">{words('settings:sup.evidence')}</th>
              <th>{words('settings:sup.by')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, address, reason, lifted_at, lifted_by, evidence }) => {
              const [kind, who = null] = lifted_by.split(':')
              return (
                <tr key={id}>
                  <td className="first">
                    <span className="pair">
                      <bdi className="cut" dir="ltr" style={{ justifySelf: 'start' }}>
                        {address}
                      </bdi>
                      <small>{words(`settings:sup.reasons.${reason}`)}</small>
                    </span>
                  </td>
                  <td className="wide">
                    <bdi>{evidence ?? '–'}</bdi>
                  </td>
                  <td>
                    <span className="pair">
                      <bdi className="cut">
                        {kind === 'recipient'
                          ? words('settings:sup.bySelf')
                          : (nameOf(who) ?? words(`settings:actors.${kind === 'api_key' ? 'api_key' : 'user'}`))}
                      </bdi>
                      <small>
                        <TimeAgo at={lifted_at} />
                      </small>
                    </span>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    </LoadedRows>
  )
}
