// Exits with 0 while this container's process answers. A worker without WORKER_PORT has nothing to ask.
const { PORT = '8080', ROLE, WORKER_PORT } = process.env
const port = ROLE === 'worker' ? WORKER_PORT : PORT
if (port) {
  const answer = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(2_000) }).catch(
    () => null,
  )
  process.exit(answer?.ok ? 0 : 1)
}
