import '../quick-start.js'

const { keepFilesToOwner } = await import('../engines/own-files.ts')
keepFilesToOwner()
// Whoever reads the output may have had enough of it (`millrace apply … | head`): the work goes on without a word.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error
  })
}
const { runCommandLine } = await import('./run.ts')
// Not process.exit(): a server goes on running, and what was printed into a pipe may not have gone out yet.
process.exitCode = await runCommandLine(process.argv.slice(2), process.env)
