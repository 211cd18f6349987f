import { expect, test } from 'vitest'
import { aDraft } from './draft.fixture.ts'
import { changeQuestion, setMember } from './edits.ts'
import { createSaver, restore, type Answer, type LocalDraft, type Saver } from './saver.ts'
import type { Draft, Patch } from './draft.ts'

interface Bench {
  saver: Saver
  sent: Array<{ patch: Patch; etag: string }>
  kept: () => LocalDraft | null
  /** Lets the time of every timer pass. */
  tick(): Promise<void>
  answer(answer: Answer): Promise<void>
  waits: number[]
}

function bench(draft: Draft = aDraft()): Bench {
  const sent: Bench['sent'] = []
  const answers: Array<(answer: Answer) => void> = []
  const waits: number[] = []
  let timers: Array<() => void> = []
  let kept: LocalDraft | null = null
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }
  const saver = createSaver(
    { draft, etag: '"1"' },
    {
      send(patch, etag) {
        sent.push({ patch, etag })
        return new Promise((resolve) => answers.push(resolve))
      },
      keep: (next) => void (kept = next),
      onChange: () => {},
      after(ms, act) {
        waits.push(ms)
        timers.push(act)
        return () => void (timers = timers.filter((each) => each !== act))
      },
    },
  )
  return {
    saver,
    sent,
    waits,
    kept: () => kept,
    async tick() {
      const due = timers
      timers = []
      for (const act of due) act()
      await settle()
    },
    async answer(answer) {
      answers.shift()?.(answer)
      await settle()
    },
  }
}

const titled = (title: string, draft: Draft = aDraft()) => changeQuestion(draft, 'why', { title })
const savedAs = (draft: Draft, etag: string): Answer => ({ kind: 'saved', stored: { draft, etag } })
const titleIn = (draft: Draft) => draft.questions[1]?.title

test('several changes are one request, 0.8 s after the last, with nothing but what changed', async () => {
  const { saver, sent, tick, answer, waits, kept } = bench()
  saver.change(titled('W'))
  saver.change(titled('Wh'))
  const last = titled('Why')
  saver.change(last)
  expect(waits).toEqual([800, 800, 800])
  expect(kept()?.changes).toEqual({ questions: last.questions })
  await tick()
  expect(sent).toEqual([{ patch: { questions: last.questions }, etag: '"1"' }])
  expect(saver.state).toBe('saving')
  await answer(savedAs(last, '"2"'))
  expect([saver.state, saver.stored.etag, kept()]).toEqual(['saved', '"2"', null])
})

test('what is typed while a request is on its way is sent after it, with the new revision', async () => {
  const { saver, sent, tick, answer } = bench()
  const [first, second] = [titled('Why'), titled('Why?')]
  saver.change(first)
  await tick()
  saver.change(second)
  await tick()
  expect(sent).toHaveLength(1)
  await answer(savedAs(first, '"2"'))
  expect(saver.state).toBe('saving')
  await tick()
  expect(sent[1]).toEqual({ patch: { questions: second.questions }, etag: '"2"' })
  await answer(savedAs(second, '"3"'))
  expect(saver.state).toBe('saved')
})

test('without an answer the change stays on this device, and is tried again until it is there', async () => {
  const { saver, sent, tick, answer, kept, waits } = bench()
  saver.change(titled('Why'))
  await tick()
  await answer({ kind: 'failed' })
  expect(saver.state).toBe('kept')
  expect(kept()?.changes).toHaveProperty('questions')
  expect(waits.at(-1)).toBe(1_000)
  saver.change(titled('Why?'))
  expect(saver.state).toBe('kept')
  await tick()
  await answer({ kind: 'failed' })
  await tick()
  await answer(savedAs(titled('Why?'), '"2"'))
  expect([saver.state, sent.length, kept()]).toEqual(['saved', 3, null])
})

test('a change whose answer was lost is no conflict: the server already has it', async () => {
  const { saver, tick, answer } = bench()
  const mine = titled('Why')
  saver.change(mine)
  await tick()
  await answer({ kind: 'failed' })
  await tick()
  await answer({ kind: 'stale', stored: { draft: setMember(mine, 'name', 'Theirs'), etag: '"3"' } })
  expect([saver.state, saver.stored.etag, saver.draft.name]).toEqual(['saved', '"3"', 'Theirs'])
})

test('what was typed after a change whose answer was lost is sent too, and is no conflict either', async () => {
  const { saver, sent, tick, answer } = bench()
  saver.change(titled('Why'))
  await tick()
  await answer({ kind: 'failed' })
  saver.change(titled('Why not?'))
  await tick()
  await answer({ kind: 'stale', stored: { draft: titled('Why'), etag: '"2"' } })
  expect([saver.state, titleIn(saver.draft)]).toEqual(['saving', 'Why not?'])
  await tick()
  expect(sent.at(-1)).toEqual({ patch: { questions: titled('Why not?').questions }, etag: '"2"' })
})

test('a second editor is a conflict: mine is written again on theirs, or theirs is taken', async () => {
  for (const way of ['mine', 'theirs']) {
    const { saver, sent, tick, answer } = bench()
    saver.change(titled('Mine'))
    await tick()
    const theirs = setMember(titled('Theirs'), 'name', 'Their name')
    await answer({ kind: 'stale', stored: { draft: theirs, etag: '"7"' } })
    expect(saver.state).toBe('conflict')
    saver.change(changeQuestion(titled('Mine'), 'call', { title: 'Typed during the save' }))
    await tick()
    expect(sent).toHaveLength(1)
    if (way === 'theirs') {
      expect(saver.takeTheirs()).toEqual(theirs)
      expect(saver.state).toBe('saved')
      continue
    }
    const mine = saver.writeMine()
    expect([titleIn(mine), mine.name, mine.questions[3]?.title]).toEqual([
      'Mine',
      'Their name',
      'Typed during the save',
    ])
    await tick()
    expect(sent[1]?.etag).toBe('"7"')
    expect(Object.keys(sent[1]?.patch ?? {})).toEqual(['questions'])
  }
})

test('a refused draft waits for the next change, with the reasons', async () => {
  const { saver, tick, answer, sent } = bench()
  saver.change(titled('Why'))
  await tick()
  await answer({ kind: 'refused', reason: 'Wrong', issues: [{ path: 'questions.1', message: 'Wrong' }] })
  expect([saver.state, saver.refusal?.issues.length]).toEqual(['refused', 1])
  await tick()
  expect(sent).toHaveLength(1)
  saver.change(titled('Why?'))
  await tick()
  expect(sent).toHaveLength(2)
})

test('before publishing everything is sent, and a server that is away says no', async () => {
  const { saver, tick, answer } = bench()
  saver.change(titled('Why'))
  const isThere = saver.flush()
  await tick()
  await answer(savedAs(titled('Why'), '"2"'))
  expect(await isThere).toBe(true)
  saver.change(titled('Why not?'))
  const isAway = saver.flush()
  await answer({ kind: 'failed' })
  expect(await isAway).toBe(false)
})

test('a member that was taken away is sent as null, or as its default where the API takes no null', async () => {
  const { saver, sent, tick, answer } = bench(aDraft({ layout: 'page', proof_of_work: true }))
  const { layout: _, proof_of_work: __, ...rest } = aDraft({ layout: 'page', proof_of_work: true })
  saver.change(rest)
  await tick()
  expect(sent[0]?.patch).toEqual({ layout: null, proof_of_work: false })
  await answer(savedAs(aDraft({ proof_of_work: false }), '"2"'))
  expect(saver.state).toBe('saved')
})

test('what a device kept is found again, and is stale only if somebody else saved since', () => {
  const base = { draft: aDraft({ layout: 'page' }), etag: '"1"' }
  const kept = { base, changes: { name: 'Mine', layout: null, metric: null } }
  const { layout: _, ...mine } = { ...base.draft, name: 'Mine', metric: null }
  expect(restore(kept, base)).toEqual({ draft: mine, isStale: false })
  expect(restore(kept, { draft: mine, etag: '"2"' }).isStale).toBe(false)
  expect(restore(kept, { draft: aDraft(), etag: '"2"' }).isStale).toBe(true)
})
