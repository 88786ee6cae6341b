import '../quick-start.js'

const { keepFilesToOwner } = await import('../engines/own-files.ts')
keepFilesToOwner()
const { runCommandLine } = await import('./run.ts')
// Not process.exit(): a server goes on running, and what was printed into a pipe may not have gone out yet.
process.exitCode = await runCommandLine(process.argv.slice(2), process.env)
