import { expect, test } from 'vitest'
import { refusedIn } from './check-words.ts'

test.each([
  ['src/a.ts', 'const model_tells = whoeverAsks\nconst tellsApart = "what-tells-a"'],
  ['src/a.ts', '// The reason. What is it?\nconst What = "What you see"'],
  ['src/a.ts', "const url = 'https://example.com/' // The noun, and what follows."],
  ['migrations/a.sql', '-- The noun.\nselect 1 -- the rest'],
  ['a.md', '# What it is\n\n| What it shows | Where |\n|---|---|\n| A noun | here |\n\n**What is it?** A thing.'],
  ['a.md', 'A thing.\n\n```sh\n# What runs.\n```\n\nWhatever comes. It says what it is.'],
])('fine: %s %j', (path, text) => {
  expect(refusedIn(path, text)).toEqual([])
})

test.each([
  ['src/a.ts', "const a = 1\ntest('tells a thing', () => {})", 'src/a.ts:2 "tells"'],
  ['src/a.ts', '\n// Whoever asks.', 'src/a.ts:2 "Whoever"'],
  ['src/a.ts', "const text = 'it is nobody’s'", 'src/a.ts:1 "nobody’s"'],
  ['migrations/a.sql', "-- A row is nobody's.", 'migrations/a.sql:1 "nobody\'s"'],
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
