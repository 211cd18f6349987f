import type { Reporter } from 'vitest/node'

/** Names the tests that passed at their second run only, so that they are mended before they fail. */
export function repeatedTests(): Reporter {
  return {
    onTestRunEnd(modules) {
      const repeated = modules.flatMap((module) =>
        [...module.children.allTests()]
          .filter((test) => test.diagnostic()?.flaky)
          .map((test) => `  ${module.relativeModuleId} > ${test.fullName}`),
      )
      if (repeated.length === 0) return
      process.stdout.write(
        `\nThese passed at their second run only. Find what they wait for:\n${repeated.join('\n')}\n`,
      )
    },
  }
}
