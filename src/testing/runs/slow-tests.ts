import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Names the tests of some projects that took longer than `mostMs`, so that the fast tier stays fast. */
export function slowTests({ projects, mostMs }: { projects: string[]; mostMs: number }): Reporter {
  return {
    onTestRunEnd(modules) {
      const slow = modules
        .filter(({ project }) => projects.includes(project.name))
        .flatMap((module) => [...module.children.allTests()].map((test) => ({ ms: durationOf(test), module, test })))
        .filter(({ ms }) => ms > mostMs)
        .toSorted((a, b) => b.ms - a.ms)
      if (slow.length === 0) return
      const lines = slow.map(({ ms, module, test }) => `  ${(ms / 1_000).toFixed(1)} s  ${nameOf(module, test)}`)
      process.stdout.write(
        `\nThese took more than ${mostMs / 1_000} s. Make them smaller, or move them to a .slow.test.ts:\n${lines.join('\n')}\n`,
      )
    },
  }
}

function durationOf(test: TestCase): number {
  return test.diagnostic()?.duration ?? 0
}

function nameOf(module: TestModule, test: TestCase): string {
  return `${module.relativeModuleId} > ${test.fullName}`
}
