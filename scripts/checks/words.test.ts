import { expect, test } from 'vitest'
import { refusedIn, refusedNames } from './words.ts'

test.each([
  ['src/a.ts', 'const model_tells = whoeverAsks\nconst tellsApart = "what-tells-a"'],
  ['src/a.ts', '// The reason. What is it?\nconst What = "What you see"'],
  ['src/a.ts', "const url = 'https://example.com/' // The noun, and what follows."],
  ['migrations/a.sql', '-- The noun.\nselect 1 -- the rest'],
  ['a.md', '# What it is\n\n| What it shows | Where |\n|---|---|\n| A noun | here |\n\n**What is it?** A thing.'],
  ['src/a.ts', '// Who is it?\n// A noun that is.'],
  ['a.md', 'A thing.\n\n```sh\n# What runs.\n```\n\nWhatever comes. It says what it is.'],
])('fine: %s %j', (path, text) => {
  expect(refusedIn(path, text)).toEqual([])
})

test.each([
  ['src/a.ts', "const a = 1\ntest('tells a thing', () => {})", 'src/a.ts:2 "tells"'],
  ['src/a.ts', '\n// Whoever asks.', 'src/a.ts:2 "Whoever"'],
  ['src/a.ts', "const text = 'it is nobody’s'", 'src/a.ts:1 "nobody’s"'],
  ['migrations/a.sql', "-- A row is nobody's.", 'migrations/a.sql:1 "nobody\'s"'],
  ['src/a.ts', '/** Who may answer. */', 'src/a.ts:1 "Who"'],
  ['a.md', 'A noun. That is it.', 'a.md:1 "That"'],
  ['src/a.ts', '/** What pages show. */', 'src/a.ts:1 "What"'],
  ['src/a.ts', '/**\n * A noun. Of those,\n * one.\n */', 'src/a.ts:2 "Of those"'],
  ['src/a.ts', 'run() // A noun.\n// That which\n// is it.', 'src/a.ts:2 "That which"'],
  ['migrations/a.sql', 'select 1;\n-- What counts.', 'migrations/a.sql:2 "What"'],
  ['a.md', 'A noun (a part).\nWhat is left stays. Why?', 'a.md:2 "What"'],
  ['a.md', '- A noun\n- What is it', 'a.md:2 "What"'],
  ['a.md', '| A | B |\n|---|---|\n| What it is | x |', 'a.md:3 "What"'],
  ['a.md', '```sh\nls\n```\n\n**What it costs.** Much.', 'a.md:5 "What"'],
])('refused: %s %j', (path, text, start) => {
  expect(refusedIn(path, text)).toEqual([expect.stringMatching(new RegExp(`^${start}: \\w`))])
})

test.each([
  ['src/a/search-results.ts', 'export function keptInside() {}\nconst isTold = 1'],
  ['src/a/caller-gone.ts', 'export const Token = 1\nexport const KEPT = 1'],
  ['web/a/leftovers.css', 'export function isTold() {}'],
])('a name that is fine: %s %j', (path, text) => {
  expect(refusedNames(path, text)).toEqual([])
})

test.each([
  ['src/a/found.store.ts', '', 'src/a/found.store.ts begins with "found"'],
  ['web/a/kept-pages.tsx', '', 'web/a/kept-pages.tsx begins with "kept"'],
  ['src/a.ts', '\nexport async function listToldEvents() {}', 'src/a.ts:2 "listToldEvents"'],
  ['src/a.ts', 'export interface Kept {}', 'src/a.ts:1 "Kept"'],
  ['src/a.ts', 'export const openBegun = 1', 'src/a.ts:1 "openBegun"'],
])('a name that is refused: %s %j', (path, text, start) => {
  expect(refusedNames(path, text)).toEqual([expect.stringMatching(new RegExp(`^${start}: \\w`))])
})
