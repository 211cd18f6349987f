import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { ApiProblem } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Note, Skeleton, Status } from '../../../ui/parts.tsx'
import { useMay } from '../../app/me.ts'
import { PeriodPicker } from '../../figures/period-picker.tsx'
import { Missing, Problem } from '../../frame/failure.tsx'
import { SurveyTabs, Screen } from '../../frame/screen.tsx'
import { SURVEY_TONES } from '../../list/states.ts'
import { chipsOf } from '../../list/filter/conditions.ts'
import { useFields, type Field } from '../../list/filter/fields.ts'
import { useGroupWords } from '../../list/filter/chip-words.ts'
import { FilterBar } from '../../list/filter/filter-bar.tsx'
import { Views } from '../../list/filter/views.tsx'
import { formatSpan } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { useReport, useShown, useSurvey, type Survey } from './data.ts'
import { ReportTab } from './report.tsx'
import { ResponsesTab } from './responses-tab.tsx'
import { TABS, wordsFilter, type Going, type ResultsState, type Tab } from './state.ts'
import { WordsTab } from './words-tab.tsx'

/** What do they say, and is it real? */
export function Results() {
  const words = useWords()
  const { surveyId = '' } = useParams({ strict: false })
  const survey = useSurvey(surveyId)
  if (survey.error instanceof ApiProblem && survey.error.status === 404) return <Missing />
  const above = { to: '/app/surveys', label: words('frame:screens.surveys') }
  return (
    <Screen
      title={survey.data?.name ?? words('results:title')}
      above={above}
      end={
        survey.data && (
          <Status tone={SURVEY_TONES[survey.data.state]}>{words(`results:states.${survey.data.state}`)}</Status>
        )
      }
    >
      {survey.error ? (
        <div className="in">
          <Problem error={survey.error} onRetry={() => void survey.refetch()} />
        </div>
      ) : survey.data ? (
        <OfSurvey survey={survey.data} />
      ) : (
        <Skeleton label={words('frame:loading')} />
      )}
    </Screen>
  )
}

const NARROW = matchMedia('(max-width: 760px)')

function OfSurvey({ survey }: { survey: Survey }) {
  const words = useWords()
  const navigate = useNavigate()
  const state: ResultsState = useSearch({ strict: false })
  const mayExport = useMay('exports.manage')
  const isAnonymous = survey.privacy === 'anonymous'
  const shown = useShown(state, isAnonymous)
  const report = useReport(survey.id, shown)
  const fields = useFields('responses', survey.id).filter(({ field }) => field !== 'survey_id')
  const named = useGroupWords(fields, state.compare)
  const isEverybody = state.compare !== undefined && chipsOf(state.compare).length === 0
  const group = isEverybody ? words('results:everybody') : (named ?? words('results:secondGroup'))
  const [isOpened, setOpened] = useState(state.compare !== undefined)
  const isComparing = isOpened || state.compare !== undefined
  // On a phone, two filters would take the first screenful.
  const [isFolded, setFolded] = useState(state.compare !== undefined)
  const tab = isAnonymous && state.tab === 'responses' ? 'report' : (state.tab ?? 'report')
  const change: Going['change'] = (next) =>
    void navigate({
      to: '/app/surveys/$surveyId/results',
      params: { surveyId: survey.id },
      search: (before: ResultsState) => withoutAbsent({ ...before, ...next }),
    } as never)
  const isTwo = !isAnonymous && isComparing && tab === 'report'
  const isNarrow = NARROW.matches
  const isHidden = isTwo && isFolded && isNarrow
  const going = { surveyId: survey.id, state, isAnonymous, change }
  const text = formatSpan(shown.days.from, shown.days.to)
  const views: Record<Tab, ReactNode> | undefined = report.data && {
    report: (
      <ReportTab
        survey={survey}
        report={report.data}
        group={group}
        isOld={report.isPlaceholderData}
        shown={shown}
        going={going}
      />
    ),
    responses: <ResponsesTab going={going} period={report.data.period} />,
    words: <WordsTab going={going} period={isAnonymous ? null : report.data.period} />,
  }
  const end = (
    <div className="end">
      {!isAnonymous && mayExport && report.data && (
        <Link
          className="button quiet usual"
          aria-label={words('results:export')}
          to="/app/exports/new"
          search={{ source: 'responses', filter: wordsFilter(survey.id, report.data.period, state.filter) }}
        >
          <Icon name="file-down" isSmall />
          <span className="wide">{words('results:export')}</span>
        </Link>
      )}
      {!isAnonymous && <Views entity="responses" state={state} onChoose={change} />}
    </div>
  )
  return (
    <>
      <SurveyTabs id={survey.id} current="results" />
      {report.isFetching && report.data && <div className="refetching" />}
      <div className="tools">
        <Tabs going={going} tab={tab} />
        {isNarrow && end}
        <PeriodPicker
          state={state}
          days={shown.days}
          text={text}
          onChange={({ days, from, to }) => change({ days, from, to })}
        />
        {isTwo && isNarrow && (
          <Button look="quiet" aria-expanded={!isFolded} onClick={() => setFolded(!isFolded)}>
            <Icon name="users" isSmall />
            {words('results:groups')}
            <Icon name="chevron-down" isSmall />
          </Button>
        )}
        {!isAnonymous && !isHidden && <First going={going} fields={fields} isComparing={isTwo} />}
        {!isAnonymous && tab === 'report' && !isComparing && (
          <Button aria-label={words('results:compare')} onClick={() => setOpened(true)}>
            <Icon name="users" isSmall />
            {words(isNarrow ? 'results:compareShort' : 'results:compare')}
          </Button>
        )}
        {isTwo && !isHidden && <Beside going={going} fields={fields} onClose={() => setOpened(false)} />}
        {!isNarrow && end}
      </div>
      {isAnonymous && (
        <div className="in" style={{ flex: 'none', paddingBlockEnd: 0 }}>
          <Note icon="shield">{words('results:anonymous')}</Note>
        </div>
      )}
      {report.error && !report.data ? (
        <div className="in">
          <Problem error={report.error} onRetry={() => void report.refetch()} />
        </div>
      ) : (
        (views?.[tab] ?? <Skeleton label={words('frame:loading')} />)
      )}
    </>
  )
}

function Tabs({ going, tab }: { going: Going; tab: Tab }) {
  const words = useWords()
  return (
    <nav className="segmented" aria-label={words('results:views')}>
      {TABS.filter((each) => each !== 'responses' || !going.isAnonymous).map((each) => (
        <Link
          key={each}
          to="/app/surveys/$surveyId/results"
          params={{ surveyId: going.surveyId }}
          search={{ ...going.state, tab: each }}
          activeOptions={{ includeSearch: true }}
          aria-current={each === tab ? 'page' : undefined}
        >
          {words(`results:tabs.${each}`)}
        </Link>
      ))}
    </nav>
  )
}

interface Group {
  going: Going
  fields: Field[]
}

/** The filter of the screen. Beside another group, it has a name too. */
function First({ going: { state, change }, fields, isComparing }: Group & { isComparing: boolean }) {
  const words = useWords()
  const bar = (
    <FilterBar
      fields={fields}
      filter={state.filter}
      hasPeople
      onChange={(filter) => change({ filter })}
      {...(isComparing && { verb: words('results:filterFirst') })}
    />
  )
  if (!isComparing) return bar
  return (
    <span className="filters">
      <span className="soft">{words('results:first')}</span>
      {chipsOf(state.filter).length === 0 && <Everybody />}
      {bar}
    </span>
  )
}

function Everybody() {
  const words = useWords()
  return (
    <span className="pill">
      <span className="value">{words('results:everybody')}</span>
    </span>
  )
}

/** A second filter, whose group is compared in place of the period before. */
function Beside({ going: { state, change }, fields, onClose }: Group & { onClose: () => void }) {
  const words = useWords()
  const isEverybody = state.compare !== undefined && chipsOf(state.compare).length === 0
  return (
    <span className="filters">
      <span className="soft">{words('results:against')}</span>
      {isEverybody && <Everybody />}
      <FilterBar
        label={words('results:filterOther')}
        verb={words('results:filterOther')}
        fields={fields}
        filter={state.compare}
        hasPeople
        onChange={(compare) => change({ compare: compare ?? { all: [] } })}
      />
      {state.compare === undefined && (
        <Button look="quiet" onClick={() => change({ compare: { all: [] } })}>
          {words('results:everybody')}
        </Button>
      )}
      <Button
        look="quiet"
        onClick={() => {
          onClose()
          change({ compare: undefined })
        }}
      >
        {words('results:againstBefore')}
      </Button>
    </span>
  )
}

function withoutAbsent(state: ResultsState): ResultsState {
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined)) as ResultsState
}
