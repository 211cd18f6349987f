import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { ApiProblem } from '../../../api/client.ts'
import { drawVolume, volumePlaces } from '../../../charts/volume.ts'
import { Button } from '../../../ui/button.tsx'
import { Chart } from '../../../ui/chart.tsx'
import { CopyText } from '../../../ui/copy-text.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../app/me.ts'
import { Missing, reasonOf } from '../../frame/failure.tsx'
import { Confirm } from '../../frame/lazy-confirm.tsx'
import { Loaded } from '../../frame/loaded.tsx'
import { Screen } from '../../frame/screen.tsx'
import { QrCode } from '../../links/qr-code.tsx'
import { useClicks, type ShortUrl } from '../../links/short-urls.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatAxis, formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { bodyOf, draftOf, LinkFields } from './link-fields.tsx'
import { stateOf } from './link-state.ts'
import { LinkStatus } from './short-links.tsx'

/** Who follows this link? */
export function ShortLink() {
  const words = useWords()
  const { linkId = '' } = useParams({ strict: false })
  const mayManage = useMay('links.manage')
  const link = useQuery({
    queryKey: ['short-urls', linkId],
    queryFn: () => answerOf(api.GET('/v1/short-urls/{id}', { params: { path: { id: linkId } } })),
  })
  if (link.error instanceof ApiProblem && link.error.status === 404) return <Missing />
  return (
    <Screen
      title={link.data ? `/r/${link.data.slug}` : words('short-links:link')}
      above={{ to: '/app/short-links', label: words('frame:screens.shortLinks') }}
      end={
        link.data && (
          <>
            <LinkStatus state={stateOf(link.data, Date.now())} />
            {mayManage && <Turn link={link.data} />}
          </>
        )
      }
    >
      <Loaded query={link}>
        {(found) => (
          <div className="in">
            <Clicks link={found} />
            {mayManage && <Edit key={found.updated_at} link={found} />}
          </div>
        )}
      </Loaded>
    </Screen>
  )
}

function useChange(id: string) {
  const client = useQueryClient()
  return {
    patch: (body: object) =>
      answerOf(api.PATCH('/v1/short-urls/{id}', { params: { path: { id } }, body: body as never })),
    refresh: () => client.invalidateQueries({ queryKey: ['short-urls'] }),
  }
}

/** Ends a link now, or lets it lead on. */
function Turn({ link }: { link: ShortUrl }) {
  const words = useWords()
  const { patch, refresh } = useChange(link.id)
  const isEnded = stateOf(link, Date.now()) === 'ended'
  const turn = useMutation({
    mutationFn: (expires_at: string | null) => patch({ expires_at }),
    onSuccess: (after) => {
      void refresh()
      toast({
        text: words(stateOf(after, Date.now()) === 'ended' ? 'short-links:isOff' : 'short-links:isOn', {
          slug: after.slug,
        }),
        action: { label: words('frame:undo'), onPress: () => turn.mutate(link.expires_at) },
      })
    },
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  // A minute ago: the clocks of the browser and the server may differ a little.
  const aMinuteAgo = () => new Date(Date.now() - 60_000).toISOString()
  return (
    <Button isBusy={turn.isPending} onClick={() => turn.mutate(isEnded ? null : aMinuteAgo())}>
      {words(isEnded ? 'short-links:turnOn' : 'short-links:turnOff')}
    </Button>
  )
}

function Clicks({ link }: { link: ShortUrl }) {
  const words = useWords()
  const clicks = useClicks(link.id)
  return (
    <Loaded query={clicks}>
      {({ totals, data }) => {
        const names = formatAxis(data.map(({ date }) => date))
        const days = data.map(({ human }, at) => ({ name: names[at] ?? '', value: human }))
        const lede = words('short-links:clicked', { count: totals.human, n: formatNumber(totals.human) })
        return (
          <>
            <div role="status">
              <p className="lede">{lede}</p>
              <p className="sub">
                {totals.bot > 0 &&
                  `${words('short-links:byPrograms', { count: totals.bot, n: formatNumber(totals.bot) })} `}
                {words('short-links:sinceMade', { count: link.clicks, n: formatNumber(link.clicks) })}
              </p>
            </div>
            <div className="beside">
              <div className="main">
                <CopyText text={link.url} copy={words('frame:copy')} copied={words('frame:copied')} />
                <section className="section" style={{ border: 0 }}>
                  <header>
                    <h2>{words('short-links:byDay')}</h2>
                  </header>
                  <Chart
                    draw={(look) => drawVolume({ points: days, isWhole: true, format: formatNumber }, look)}
                    label={lede}
                    tips={{
                      texts: days.map(({ name, value }) => `${name}: ${formatNumber(value)}`),
                      placesOf: (width) => volumePlaces(days.length, width),
                    }}
                    table={{
                      show: words('short-links:asTable'),
                      head: [words('short-links:day'), words('short-links:people'), words('short-links:programs')],
                      rows: data.map(({ human, bot }, at) => [names[at], formatNumber(human), formatNumber(bot)]),
                    }}
                  />
                </section>
              </div>
              <aside className="rail first" aria-label={words('short-links:qr')}>
                <section className="section">
                  <header>
                    <h2>{words('short-links:qr')}</h2>
                  </header>
                  <QrCode link={link} label={words('short-links:qrOf', { url: link.url })} />
                </section>
              </aside>
            </div>
          </>
        )
      }}
    </Loaded>
  )
}

function Edit({ link }: { link: ShortUrl }) {
  const words = useWords()
  const navigate = useNavigate()
  const { patch, refresh } = useChange(link.id)
  const [draft, setDraft] = useState(() => draftOf(link))
  const [isDeleting, setDeleting] = useState(false)
  const save = useMutation({
    mutationFn: () => patch(bodyOf(draft)),
    onSuccess: () => {
      void refresh()
      toast({ text: words('short-links:saved') })
    },
  })
  const remove = useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/short-urls/{id}', { params: { path: { id: link.id } } })),
    onSuccess: () => {
      void navigate({ to: '/app/short-links' })
      void refresh()
      toast({ text: words('short-links:deleted', { slug: link.slug }) })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <section className="section" style={{ marginBlockStart: 20 }}>
      <header>
        <h2>{words('short-links:settings')}</h2>
      </header>
      <form className="form" style={{ maxWidth: 560 }} onSubmit={submit} noValidate>
        <LinkFields draft={draft} error={save.error} onChange={(part) => setDraft({ ...draft, ...part })} />
        <div className="actions">
          <Button type="submit" look="primary" isBusy={save.isPending}>
            {words('frame:save')}
          </Button>
          <Button look="danger" onClick={() => setDeleting(true)}>
            {words('frame:delete')}
          </Button>
        </div>
      </form>
      {isDeleting && (
        <Confirm
          title={words('short-links:deleteTitle', { slug: link.slug })}
          verb={words('frame:delete')}
          act={remove}
          onClose={() => setDeleting(false)}
        >
          <p>{words('short-links:deleteText', { count: link.clicks, n: formatNumber(link.clicks) })}</p>
        </Confirm>
      )}
    </section>
  )
}
