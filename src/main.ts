import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Beside the code, because anyone who can write here can change the code as well, unlike in a temporary folder. A
// read-only folder is not an error.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/earshot', import.meta.url)))
// Before the imports, which take a second.
const parent = process.ppid
const { startServer } = await import('./server.ts')

const exitCode = await startServer(process.env, parent)
if (exitCode !== 0) process.exit(exitCode)
