import { startServer } from './server.ts'

const exitCode = await startServer(process.env)
if (exitCode !== 0) process.exit(exitCode)
