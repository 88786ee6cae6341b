// Runs the test files that test/run.ts hands to it, one after the other. To load the platform and warm it up takes a
// second of processor time, which files that share a process spend once. reporter.ts tells what came of each.
import { tmpdir } from 'node:os'
import { describe } from 'node:test'
import { isLong } from '../runner/suites.ts'
import { fixSeedInCi } from './fixed-seed.ts'
import { isAboutCrashes } from './memory-folder.ts'

const FILE_LIMIT_MS = 180_000
const LONG_FILE_LIMIT_MS = 1_800_000
const EXIT_LIMIT_MS = 15_000
const onDisk = tmpdir()
const inMemory = process.env.TEST_MEMORY_FOLDER ?? onDisk

fixSeedInCi()
process.on('message', ({ file }: { file?: string }) => {
  if (file === undefined) return end()
  process.env.TMPDIR = isAboutCrashes(file) ? onDisk : inMemory
  // Each file is a suite, so that what it does before and after tests concerns its own alone.
  const timeout = isLong(file) ? LONG_FILE_LIMIT_MS : FILE_LIMIT_MS
  describe(file, { timeout }, async () => {
    await import(`../../${file}`)
  })
})

/** Ends when nothing keeps the process alive any more, or reports what a test has left open. */
function end(): void {
  process.channel?.unref()
  const giveUp = () => {
    console.log(`still open after the last test: ${process.getActiveResourcesInfo().join(', ')}`)
    process.exit(1) // with `exit`, so that the processes it started are ended too
  }
  setTimeout(giveUp, EXIT_LIMIT_MS).unref()
}
