import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { ApiProblem } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Empty, Skeleton, Status } from '../../../ui/parts.tsx'
import { useMay } from '../../app/me.ts'
import { Missing, Problem } from '../../frame/failure.tsx'
import { Screen, SurveyTabs } from '../../frame/screen.tsx'
import { isTyping } from '../../shortcuts/shortcuts.ts'
import { SURVEY_TONES } from '../../list/states.ts'
import { api, taggedAnswerOf } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'
import { AddQuestion, useAddKey } from './questions/add-question.tsx'
import { createBuilder, type State as BuilderState, type Survey } from './builder.ts'
import { focusSteps, Outline } from './questions/outline.tsx'
import { Preview } from './preview/preview.tsx'
import { ProblemList } from './problem-list.tsx'
import { QuestionEditor } from './questions/question-editor.tsx'
import { VIEWS, type View } from './state.ts'
import {
  BuilderContext,
  EditingContext,
  useBuild,
  useBuilder,
  useBuildState,
  useDraft,
  useMayEdit,
  versionsQuery,
} from './use-builder.ts'

const Languages = lazy(() => import('./languages/languages.tsx').then((each) => ({ default: each.Languages })))
const Endings = lazy(() => import('./questions/endings.tsx').then((each) => ({ default: each.Endings })))
const Quotas = lazy(() => import('./logic/quotas.tsx').then((each) => ({ default: each.Quotas })))
const Look = lazy(() => import('./preview/look.tsx').then((each) => ({ default: each.Look })))
const Rules = lazy(() => import('./logic/rules.tsx').then((each) => ({ default: each.Rules })))
const LogicMap = lazy(() => import('./logic/logic-map.tsx').then((each) => ({ default: each.LogicMap })))
const Publish = lazy(() => import('./versions/publish.tsx').then((each) => ({ default: each.Publish })))
const Versions = lazy(() => import('./versions/versions.tsx').then((each) => ({ default: each.Versions })))
const Conflict = lazy(() => import('./versions/conflict.tsx').then((each) => ({ default: each.Conflict })))

const route = getRouteApi('/app/surveys/$surveyId/build')

/** Loads a survey, and edits it. */
export function Build() {
  const words = useWords()
  const { surveyId } = route.useParams()
  const survey = useQuery({
    queryKey: ['survey', surveyId, 'build'],
    queryFn: () => taggedAnswerOf(api.GET('/v1/surveys/{id}', { params: { path: { id: surveyId } } })),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  if (survey.error instanceof ApiProblem && survey.error.status === 404) return <Missing />
  if (!survey.data)
    return (
      <Screen title={words('build:build')} above={{ to: '/app/surveys', label: words('frame:screens.surveys') }}>
        {survey.error ? (
          <div className="in">
            <Problem error={survey.error} onRetry={() => void survey.refetch()} />
          </div>
        ) : (
          <Skeleton label={words('frame:loading')} />
        )}
      </Screen>
    )
  return <Editing key={surveyId} survey={survey.data.thing} etag={survey.data.etag} />
}

function Editing({ survey, etag }: { survey: Survey; etag: string }) {
  const mayEdit = useMay('surveys.manage') && survey.state !== 'archived'
  const [builder] = useState(() => createBuilder(survey, etag, mayEdit))
  useEffect(() => () => builder.stop(), [builder])
  return (
    <BuilderContext value={builder}>
      <EditingContext value={mayEdit}>
        <Whole />
      </EditingContext>
    </BuilderContext>
  )
}

function Whole() {
  const words = useWords()
  const builder = useBuilder()
  const mayEdit = useMayEdit()
  const name = useBuild((state) => state.draft.name)
  const head = useBuild((state) => state.head)
  const saving = useBuild((state) => state.saving)
  const isToPublish = useBuild(hasUnpublished)
  const [overlay, setOverlay] = useState<'publish' | 'versions' | null>(null)
  const [state, go] = useBuildState()
  const view = state.view ?? 'questions'
  useBuilderKeys()
  return (
    <Screen
      title={name}
      above={{ to: '/app/surveys', label: words('frame:screens.surveys') }}
      end={
        <>
          <span className="wide">
            <Status tone={SURVEY_TONES[head.state]}>
              <State isToPublish={isToPublish} head={head} />
            </Status>
          </span>
          {head.version > 0 && (
            <Button look="quiet" className="wide" onClick={() => setOverlay('versions')}>
              {words('build:versions')}
            </Button>
          )}
          {mayEdit && (
            <Button {...(isToPublish && { look: 'primary' })} onClick={() => setOverlay('publish')}>
              {words('build:publish')}
            </Button>
          )}
        </>
      }
    >
      <SurveyTabs id={builder.id} current="build" />
      <div className="tools views">
        <div className="segmented" role="group" aria-label={words('build:view')}>
          {VIEWS.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === view}
              onClick={() => go(each === 'questions' ? {} : { view: each }, true)}
            >
              {words(`build:views.${each}`)}
            </button>
          ))}
        </div>
        <div className="end">
          <ProblemList />
          {mayEdit ? <Saved /> : <span className="faint">{words('build:readOnly')}</span>}
        </div>
      </div>
      {saving === 'refused' && <Refused />}
      <Suspense fallback={<Skeleton label={words('frame:loading')} />}>
        <Shown view={view} />
        {overlay === 'publish' && <Publish onClose={() => setOverlay(null)} />}
        {overlay === 'versions' && <Versions onClose={() => setOverlay(null)} />}
        {saving === 'conflict' && <Conflict />}
      </Suspense>
      <Said />
    </Screen>
  )
}

/** Whether people who answer see another survey than the draft, or none. */
function hasUnpublished({ head, saving }: BuilderState): boolean {
  return head.version === 0 || head.unpublished_changes || saving !== 'saved'
}

function State({ head: { state, version }, isToPublish }: { head: BuilderState['head']; isToPublish: boolean }) {
  const words = useWords()
  const said = words(`build:states.${state}`)
  if (version === 0) return said
  const numbered = words('build:stateVersion', { state: said, version })
  return isToPublish ? words('build:stateChanged', { state: numbered }) : numbered
}

function Shown({ view }: { view: View }) {
  switch (view) {
    case 'questions':
      return <Questions />
    case 'map':
      return <LogicMap />
    case 'languages':
      return <Languages />
    case 'endings':
      return <Endings />
    case 'quotas':
      return <Quotas />
    case 'look':
      return <Look />
    case 'rules':
      return <Rules />
  }
}

function Questions() {
  const words = useWords()
  const builder = useBuilder()
  const draft = useDraft()
  const mayEdit = useMayEdit()
  const version = useBuild((state) => state.head.version)
  const [state, go] = useBuildState()
  const versions = useQuery({ ...versionsQuery(builder.id), enabled: version > 0 })
  const frozen = useMemo(
    () => new Set(versions.data?.data.flatMap(({ definition }) => definition.questions.map(({ id }) => id))),
    [versions.data],
  )
  const at = Math.max(
    0,
    draft.questions.findIndex(({ id }) => id === state.at),
  )
  const question = draft.questions[at]
  const pane = state.pane ?? 'question'
  useAddKey(mayEdit)
  const step = (by: number) => {
    const next = draft.questions[at + by]
    if (next) go({ at: next.id })
  }
  if (!question)
    return (
      <Empty
        title={words('build:empty')}
        actions={mayEdit && <AddQuestion after={undefined} onAdded={(id) => go({ at: id }, true)} />}
      >
        <p>{words('build:emptyText')}</p>
      </Empty>
    )
  return (
    <>
      <div className="steps only-narrow">
        <Button
          look="quiet"
          size="square"
          aria-label={words('build:stepBack')}
          disabled={at === 0}
          onClick={() => step(-1)}
        >
          <Icon name="chevron-left" flips />
        </Button>
        <Button
          look="quiet"
          className="place"
          aria-expanded={pane === 'outline'}
          onClick={() => go(pane === 'outline' ? { at: question.id } : { at: question.id, pane: 'outline' }, true)}
        >
          {words('build:questionOf', { at: at + 1, of: draft.questions.length })}
        </Button>
        <Button
          look="quiet"
          size="square"
          aria-label={words('build:stepOn')}
          disabled={at === draft.questions.length - 1}
          onClick={() => step(1)}
        >
          <Icon name="chevron-right" flips />
        </Button>
        <span className="end">
          {mayEdit && <AddQuestion after={question.id} isSmall onAdded={(id) => go({ at: id }, true)} />}
          <Button
            aria-pressed={pane === 'preview'}
            onClick={() => go(pane === 'preview' ? { at: question.id } : { at: question.id, pane: 'preview' }, true)}
          >
            {words('build:preview')}
          </Button>
        </span>
      </div>
      <div className={`build three pane-${pane}`}>
        <Outline currentId={question.id} />
        <QuestionEditor key={question.id} question={question} at={at} isFrozen={frozen.has(question.id)} />
        {mayEdit && <Preview at={question.id} />}
      </div>
    </>
  )
}

/** Saved, saving, or kept on this device, and a way back. */
function Saved() {
  const words = useWords()
  const builder = useBuilder()
  const saving = useBuild((state) => state.saving)
  const isToPublish = useBuild(({ head }) => head.version > 0 && head.unpublished_changes)
  const canUndo = useBuild((state) => state.canUndo)
  const canRedo = useBuild((state) => state.canRedo)
  return (
    <>
      <span
        className={saving === 'kept' || saving === 'refused' ? 'warned' : 'faint'}
        role="status"
        data-saving={saving}
      >
        {words(`build:saving.${saving === 'saved' && isToPublish ? 'draft' : saving}`)}
      </span>
      <Button look="quiet" size="square" aria-label={words('frame:undo')} disabled={!canUndo} onClick={builder.undo}>
        <Icon name="undo-2" flips />
      </Button>
      <Button
        look="quiet"
        size="square"
        className="redo"
        aria-label={words('build:redo')}
        disabled={!canRedo}
        onClick={builder.redo}
      >
        <Icon name="undo-2" />
      </Button>
    </>
  )
}

function Refused() {
  const words = useWords()
  const builder = useBuilder()
  const refusal = builder.saver.refusal
  return (
    <p className="note bad strip" role="alert">
      <Icon name="circle-alert" isSmall />
      <span className="grow">
        {words('build:refused')} <span lang="en">{refusal?.issues[0]?.message ?? refusal?.reason}</span>
      </span>
    </p>
  )
}

function Said() {
  const said = useBuild((state) => state.said)
  return (
    <p className="unseen" aria-live="polite">
      {said}
    </p>
  )
}

/** The browser's own undo knows one field alone. Escape leads from a field to its place in the outline. */
function useBuilderKeys(): void {
  const builder = useBuilder()
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      const isOver = () => document.querySelector('[role=dialog], [role=menu]') !== null
      if (key === 'escape' && isTyping(event.target) && !isOver()) {
        focusSteps()
        return document.querySelector<HTMLElement>('main .outline [aria-current]')?.focus()
      }
      if (!(event.metaKey || event.ctrlKey) || event.altKey || (key !== 'z' && key !== 'y')) return
      if (isOver()) return
      event.preventDefault()
      if (key === 'y' || event.shiftKey) builder.redo()
      else builder.undo()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [builder])
}
