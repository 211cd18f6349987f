// Checks that no regular expression works longer than in proportion to its text
// (docs/decisions/0017-fifty-milliseconds.md).
import { readFile, writeFile } from 'node:fs/promises'
import { BOUNDED } from '../expressions/bounded.ts'
import { expressionsIn, MADE, mayGrow } from '../expressions/expressions.ts'
import { judge } from '../expressions/judging.ts'
import { listFiles, readText, report, ROOT } from '../project.ts'

// Judging takes a minute, so the expressions that passed are kept and committed. `--all` judges them again.
const KEPT = `${ROOT}scripts/expressions/judged.json`
const OURS = /^(?:src|web)\/.*\.ts$/
const TESTS = /\.test\.ts$|\/testing\/|\.fixture\.ts$/

const files = (await listFiles()).filter((path) => OURS.test(path) && !TESTS.test(path))
const all = (await Promise.all(files.map(async (path) => expressionsIn(path, await readText(path))))).flat()
const isBounded = ({ path, text }: { path: string; text: string }) =>
  BOUNDED.some((one) => one.path === path && one.text === text)
const kept = await readFile(KEPT, 'utf8')
const passed = new Set<string>(process.argv.includes('--all') ? [] : JSON.parse(kept))
const open = new Map(
  all.flatMap((one) =>
    one.source && !isBounded(one) && mayGrow(one.source) && !passed.has(one.text) ? [[one.text, one.source]] : [],
  ),
)
const verdicts = await judge([...open.values()])
const wrong = new Map([...open.keys()].map((text, n) => [text, verdicts[n] ?? null]))
for (const [text, problem] of wrong) if (problem === null) passed.add(text)
const used = [...passed].filter((text) => all.some((one) => one.text === text)).toSorted()
const now = `${JSON.stringify(used, null, 2)}\n`
if (now !== kept) await writeFile(KEPT, now)

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
