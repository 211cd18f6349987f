// Checks that no regular expression works longer than in proportion to its text (docs/decisions/0017-fifty-milliseconds.md).
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { BOUNDED } from './expressions/bounded.ts'
import { expressionsIn, MADE, mayGrow } from './expressions/expressions.ts'
import { judge } from './expressions/judging.ts'
import { listFiles, readText, report, ROOT } from './project.ts'

// Judging takes a minute, so the expressions that passed are kept.
const KEPT = `${ROOT}node_modules/.cache/expressions.json`
const OURS = /^(?:src|web)\/.*\.ts$/
const TESTS = /\.test\.ts$|\/testing\/|\.fixture\.ts$/

const files = (await listFiles()).filter((path) => OURS.test(path) && !TESTS.test(path))
const all = (await Promise.all(files.map(async (path) => expressionsIn(path, await readText(path))))).flat()
const isBounded = ({ path, text }: { path: string; text: string }) =>
  BOUNDED.some((one) => one.path === path && one.text === text)
const passed = new Set<string>(JSON.parse(await readFile(KEPT, 'utf8').catch(() => '[]')))
const open = new Map(
  all.flatMap((one) =>
    one.source && !isBounded(one) && mayGrow(one.source) && !passed.has(one.text) ? [[one.text, one.source]] : [],
  ),
)
const verdicts = await judge([...open.values()])
const wrong = new Map([...open.keys()].map((text, n) => [text, verdicts[n] ?? null]))
for (const [text, problem] of wrong) if (problem === null) passed.add(text)
await mkdir(`${ROOT}node_modules/.cache`, { recursive: true })
await writeFile(KEPT, JSON.stringify([...passed]))

const problems = all
  .filter((one) => !isBounded(one))
  .flatMap(({ path, line, text, source }) => {
    const problem = source ? wrong.get(text) : 'is made of parts and cannot be judged'
    return problem ? [`${path}:${line} ${text === MADE ? '' : text} ${problem}`] : []
  })
const stale = BOUNDED.filter(({ path, text }) => !all.some((one) => one.path === path && one.text === text))
report(
  [
    ...problems,
    ...stale.map(({ path, text }) => `scripts/expressions/bounded.ts lists ${text} of ${path}, which is gone`),
  ],
  `${all.length} regular expressions, ${BOUNDED.length} of them on bounded texts`,
)
