// Builds the programs of the pages into dist/web and the server into dist/server. `--watch` builds the pages again
// after each change.
import { existsSync } from 'node:fs'

const isInstalled = await import('rolldown').then(
  () => true,
  () => false,
)
if (isInstalled) {
  const [{ buildWeb, watchWeb }, { buildServer }] = await Promise.all([
    import('./build/web.ts'),
    import('./build/server.ts'),
  ])
  const started = performance.now()
  await buildWeb()
  if (process.argv.includes('--watch')) watchWeb()
  else await buildServer()
  console.log(
    `built ${process.argv.includes('--watch') ? 'dist/web' : 'dist'} in ${Math.round(performance.now() - started)} ms`,
  )
} else {
  const isBuilt = existsSync(new URL('../dist/server/main.js', import.meta.url))
  console.log(
    `${isBuilt ? 'dist stays as it was built before' : 'There is no dist, and it cannot be built'}: the development ` +
      'packages are not installed. To build it, run `npm ci`. Afterwards `npm prune --omit=dev` takes these packages ' +
      'away again.',
  )
  if (!isBuilt) process.exitCode = 1
}
