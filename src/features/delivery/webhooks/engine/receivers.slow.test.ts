import { execFileSync, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

interface Language {
  /** The file of the guide, and where it is put. */
  code: [name: string, path: string]
  runner: [path: string, text: string]
  more?: [path: string, text: string]
  prepare?: string[]
  /** Gets the body, the timestamp, the signature, the secret and the time as arguments. Prints true or false. */
  run: string[]
}

const LANGUAGES: Record<string, Language> = {
  Go: {
    code: ['verify.go', 'hooks/verify.go'],
    more: ['go.mod', 'module guide\n\ngo 1.20\n'],
    runner: [
      'main.go',
      `package main

import (
	"fmt"
	"guide/hooks"
	"os"
	"strconv"
	"time"
)

func main() {
	now, _ := strconv.ParseInt(os.Args[5], 10, 64)
	fmt.Println(hooks.Verify([]byte(os.Args[1]), os.Args[2], os.Args[3], []string{os.Args[4]}, time.Unix(now, 0)))
}
`,
    ],
    prepare: ['go', 'build', '-o', 'guide', '.'],
    run: ['./guide'],
  },
  PHP: {
    code: ['verify.php', 'verify.php'],
    runner: [
      'run.php',
      `<?php require 'verify.php'; echo verify($argv[1], $argv[2], $argv[3], [$argv[4]], (int) $argv[5]) ? 'true' : 'false';`,
    ],
    run: ['php', 'run.php'],
  },
  Java: {
    code: ['Verify.java', 'Verify.java'],
    runner: [
      'Run.java',
      `import static java.nio.charset.StandardCharsets.UTF_8;

class Run {
  public static void main(String[] a) throws Exception {
    System.out.println(Verify.verify(a[0].getBytes(UTF_8), a[1], a[2], java.util.List.of(a[3]), Long.parseLong(a[4])));
  }
}
`,
    ],
    prepare: ['javac', '-encoding', 'UTF-8', 'Verify.java', 'Run.java'],
    run: ['java', '-Dfile.encoding=UTF-8', '-Dsun.jnu.encoding=UTF-8', 'Run'],
  },
}
// Letters of arguments depend on the locale of Java, so the body is plain here. The guide is tried with others in
// TypeScript and Python.
const BODY = '{"id":"evt_1","type":"response.completed"}'
const SECRET = 'whsec_a-secret-of-the-test'
const SENT_AT = 1_772_445_642
const SIGNATURE = `v1=${createHmac('sha256', SECRET).update(`${SENT_AT}.${BODY}`).digest('hex')}`

const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

const installed = Object.entries(LANGUAGES).filter(([, { prepare, run }]) => {
  const [command = ''] = prepare ?? run
  return spawnSync(command, [command === 'go' ? 'version' : '-version']).error === undefined
})

test.each(installed)('the %s of the guide accepts the signed bytes in time, and nothing else', async (_, language) => {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-guide-'))
  folders.push(folder)
  const { code, runner, more, prepare, run } = language
  const files = [[code[1], await guideCode(code[0])], runner, ...(more ? [more] : [])]
  for (const [path = '', text = ''] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const [tool = '', ...parts] = prepare ?? ['true']
  execFileSync(tool, parts, { cwd: folder })
  const verdict = (body: string, timestamp: string, signature: string, secret: string, now: number) => {
    const [command = '', ...args] = [...run, body, timestamp, signature, secret, String(now)]
    return execFileSync(command, args, { cwd: folder, encoding: 'utf8' }).trim()
  }
  const sent = String(SENT_AT)
  expect(verdict(BODY, sent, SIGNATURE, SECRET, SENT_AT + 300)).toBe('true')
  expect(verdict(BODY, sent, SIGNATURE, SECRET, SENT_AT + 301)).toBe('false')
  expect(verdict(`${BODY} `, sent, SIGNATURE, SECRET, SENT_AT)).toBe('false')
  expect(verdict(BODY, String(SENT_AT + 1), SIGNATURE, SECRET, SENT_AT)).toBe('false')
  expect(verdict(BODY, sent, SIGNATURE, 'whsec_another', SENT_AT)).toBe('false')
  expect(verdict(BODY, 'now', SIGNATURE, SECRET, SENT_AT)).toBe('false')
})

async function guideCode(name: string): Promise<string> {
  const guide = await readFile(new URL('../../../../../docs/webhooks.md', import.meta.url), 'utf8')
  const [, code] = guide.split(` ${name}\n`)
  return code?.slice(0, code.indexOf('```')) ?? ''
}
