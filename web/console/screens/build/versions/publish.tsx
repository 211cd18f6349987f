import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ApiProblem } from '../../../../api/client.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Note, Skeleton } from '../../../../ui/parts.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { Problem } from '../../../frame/failure.tsx'
import { answerOf, api } from '../../../session/api.ts'
import { formatLanguage, formatNumber } from '../../../words/format.ts'
import { useWords } from '../../../words/words.ts'
import type { Survey } from '../builder.ts'
import { Changes } from './changes.tsx'
import { compare } from '../model/compare.ts'
import { definitionOf, draftOf, type Draft } from '../model/draft.ts'
import { missingLanguages, placeIssues } from '../model/problems.ts'
import { lackingLanguages, shown } from '../model/texts.ts'
import { useIssueWords } from '../issue-words.ts'
import { placeOfProblem, useBuild, useBuilder, useBuildState } from '../use-builder.ts'

/** The one explicit act: says what changes, who will hear of answers, and what stands in the way. */
export function Publish({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const builder = useBuilder()
  const client = useQueryClient()
  const [, go] = useBuildState()
  const issueWords = useIssueWords()
  const { head, draft } = useBuild((state) => state)
  const version = head.version + 1
  const saved = useQuery({
    queryKey: ['publish', builder.id, head.version],
    queryFn: async () => {
      if (!(await builder.saver.flush())) throw new ApiProblem(0, {})
      const [validation, published] = await Promise.all([
        answerOf(
          api.POST('/v1/surveys/{id}/validate', {
            params: { path: { id: builder.id }, query: { include: 'notifies' } },
          }),
        ),
        head.version === 0
          ? null
          : answerOf(
              api.GET('/v1/surveys/{id}/definition', {
                params: { path: { id: builder.id }, query: { version: head.version } },
              }),
            ),
      ])
      return { validation, published }
    },
    gcTime: 0,
    staleTime: 0,
    retry: false,
  })
  const publish = useMutation({
    mutationFn: async () => {
      const { data, error, response } = await api.POST('/v1/surveys/{id}/publish', {
        params: { path: { id: builder.id }, header: { 'if-match': builder.saver.stored.etag } },
      })
      if (!data) throw new ApiProblem(response.status, error ?? {}, response.headers.get('retry-after'))
      return { survey: data as Survey, etag: response.headers.get('etag') ?? '*' }
    },
    onSuccess: ({ survey, etag }) => {
      builder.adopt(survey, etag)
      void client.invalidateQueries({ queryKey: ['surveys'] })
      void client.invalidateQueries({ queryKey: ['versions', builder.id] })
      toast({ text: words('build:published', { version: survey.version }) })
      onClose()
    },
  })
  const problems = saved.data ? placeIssues(saved.data.validation.issues, draft) : []
  const before = saved.data?.published ? draftOf({ ...draft, ...bare(draft), ...saved.data.published }) : null
  const changes = before
    ? compare({ ...before, name: draft.name }, draft).filter(
        (change) => change.what !== 'survey' || change.names.some(isVersioned),
      )
    : []
  const lacking = useMemo(() => lackingLanguages(draft), [draft])
  const refused = new Set(problems.flatMap(missingLanguages))
  const notifies = saved.data?.validation.notifies
  const isSame = head.version > 0 && !head.unpublished_changes
  const isOpen = saved.data !== undefined && problems.length === 0 && !isSame
  return (
    <Dialog
      title={words(isSame ? 'build:publish' : 'build:publishTitle', { version })}
      closeLabel={words('frame:close')}
      onClose={onClose}
      className="publish"
      footer={
        <>
          <Button onClick={onClose}>{words('build:notYet')}</Button>
          <Button
            look="primary"
            disabled={!isOpen}
            isBusy={publish.isPending}
            busyText={words('build:publishing')}
            onClick={() => publish.mutate()}
          >
            {words('build:publishVersion', { version })}
          </Button>
        </>
      }
    >
      {saved.error ? (
        <Problem error={saved.error} onRetry={() => void saved.refetch()} />
      ) : !saved.data ? (
        <Skeleton label={words('frame:loading')} rows={3} />
      ) : (
        <>
          <p className="soft">
            {words(isSame ? 'build:noneToPublish' : head.version === 0 ? 'build:publishFirst' : 'build:publishText', {
              version: head.version,
            })}
          </p>
          {before &&
            !isSame &&
            (changes.length > 0 ? (
              <Changes changes={changes} before={before} after={draft} />
            ) : (
              <p className="faint">{words('build:noChanges')}</p>
            ))}
          {head.version === 0 && <p>{words('build:publishHas', { count: draft.questions.length })}</p>}
          {lacking.map(({ language, missing, of }) => (
            <Note key={language} tone="warn">
              <div className="row between">
                <span>
                  {words(refused.has(language) ? 'build:lacksAll' : 'build:lacks', {
                    language: formatLanguage(language),
                    count: missing,
                    n: formatNumber(missing),
                    of: formatNumber(of),
                    first: formatLanguage(draft.default_language),
                  })}
                </span>
                <button
                  type="button"
                  className="link"
                  onClick={() => {
                    go({ view: 'languages', at: language }, true)
                    onClose()
                  }}
                >
                  {words('build:goThere')}
                </button>
              </div>
            </Note>
          ))}
          {/* Those of a language stand together above. */}
          {problems
            .filter(
              (problem) =>
                !missingLanguages(problem).some((language) => lacking.some((each) => each.language === language)),
            )
            .map((problem) => (
              <Note key={problem.path + problem.message} tone="warn">
                <div className="row between">
                  <span lang={issueWords.languageOf(problem)}>
                    <b>{titleOf(problem.id, draft)}</b> {issueWords(problem)}
                  </span>
                  <button
                    type="button"
                    className="link"
                    onClick={() => {
                      go(placeOfProblem(problem), true)
                      onClose()
                    }}
                  >
                    {words('build:goThere')}
                  </button>
                </div>
              </Note>
            ))}
          {notifies && (
            <p className="faint">
              {words('build:notifies', {
                webhooks: words('build:webhooks', { count: notifies.webhooks }),
                members: words('build:listeners', { count: notifies.members }),
                rules: words('build:alertRules', { count: notifies.alert_rules }),
              })}
            </p>
          )}
          {publish.error && <Problem error={publish.error} />}
        </>
      )}
    </Dialog>
  )
}

function titleOf(id: string | null, draft: Draft): string {
  const thing = [...draft.questions, ...draft.endings].find((each) => each.id === id)
  return thing ? shown(thing.title, draft) || thing.id : ''
}

const AT_ONCE = new Set(['name', 'starts_at', 'closes_at', 'response_limit'])
const isVersioned = (name: string) => !AT_ONCE.has(name)

/** Members that the published definition may lack. */
function bare(draft: Draft): Record<string, undefined> {
  return Object.fromEntries(Object.keys(definitionOf(draft)).map((name) => [name, undefined]))
}
