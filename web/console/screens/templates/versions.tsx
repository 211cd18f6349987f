import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useMemberName } from '../../app/me.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatLanguage } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import type { Draft } from './state.ts'

/** The API gives at most so many at once. */
const MOST = 20

interface Props {
  id: string
  current: number
  mayUse: boolean
  onUse: (content: Pick<Draft, 'content' | 'default_language'>) => void
  onClose: () => void
}

/** Earlier contents. One of them becomes the draft again, and is sent once it is saved. */
export function Versions({ id, current, mayUse, onUse, onClose }: Props) {
  const words = useWords()
  const nameOf = useMemberName()
  const versions = useQuery({
    queryKey: ['templates', id, 'versions'],
    queryFn: () =>
      answerOf(api.GET('/v1/email-templates/{id}/versions', { params: { path: { id }, query: { limit: MOST } } })),
  })
  return (
    <Dialog title={words('templates:versions')} closeLabel={words('frame:close')} onClose={onClose}>
      <Loaded query={versions} skeletonRows={3}>
        {({ data }) => (
          <ul className="rows">
            {data.map(({ version, created_at, created_by, content, default_language }) => {
              const maker = nameOf(created_by?.replace(/^user:/, '') ?? null)
              const subject = content[default_language]?.subject
              return (
                <li key={version}>
                  <div className="grow">
                    <b className="strong">{words('templates:version', { n: version })}</b>
                    <p className="cut" dir="auto">
                      {subject}
                    </p>
                    <div className="meta">
                      <TimeAgo at={created_at} />
                      {maker !== undefined && <bdi>{maker}</bdi>}
                      <span>{Object.keys(content).map(formatLanguage).join(', ')}</span>
                    </div>
                  </div>
                  {version === current ? (
                    <span className="faint">{words('templates:isCurrent')}</span>
                  ) : (
                    mayUse && (
                      <Button onClick={() => onUse({ content, default_language })}>
                        {words('templates:use', { n: version })}
                      </Button>
                    )
                  )}
                </li>
              )
            })}
          </ul>
        )}
      </Loaded>
    </Dialog>
  )
}
