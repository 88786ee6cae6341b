import { enableCompileCache } from 'node:module'
import { keepFilesToOwner } from '../engines/own-files.ts'

keepFilesToOwner()

enableCompileCache(new URL('../../node_modules/.cache/millrace', import.meta.url).pathname)

const { runCommandLine } = await import('./run.ts')
// Not process.exit(): a server goes on running, and what was printed into a pipe may not have gone out yet.
process.exitCode = await runCommandLine(process.argv.slice(2), process.env)
