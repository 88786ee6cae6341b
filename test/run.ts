// `npm test`: the files that use a database on SQLite and then on PostgreSQL, the others once. A file that uses one but
// is about something else begins with a line `// Once: <what it is about>`.
import { fork } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { loads } from './support/imports.ts'
import { makeMemoryFolder } from './support/memory-folder.ts'
import { startPostgres } from './support/postgres.ts'
import type { FileResult } from './support/reporter.ts'

/** One more than can run at once: there is always one that waits for a disk, a process or a lease. */
const WORKERS = Math.min(availableParallelism() + 1, 8)

const root = join(import.meta.dirname, '..')
const [isLong, wanted] = [process.argv.includes('--long'), process.argv.slice(2).filter((word) => word !== '--long')]
// The longest first, so that nothing is waited for at the end.
const patterns = isLong
  ? ['test/long/*.test.ts', 'src/**/*.long.test.ts']
  : ['test/process/*.test.ts', 'test/*.test.ts', 'test/schemas/*.test.ts', 'src/**/*.test.ts']
const all = patterns
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .filter((file) => isLong || !file.endsWith('.long.test.ts'))
const files = wanted.length === 0 ? all : all.filter((file) => wanted.some((part) => file.includes(part)))
const database = join(root, 'test/support/database.ts')
const onBoth = files.filter((file) => loads(join(root, file), database) && !isMarkedOnce(join(root, file)))

function isMarkedOnce(file: string): boolean {
  return readFileSync(file, 'utf8').startsWith('// Once: ')
}

const memoryFolder = makeMemoryFolder()
const total = { passed: 0, failed: 0, skipped: 0 }

/** Has a process run file after file until none is left or one fails, which may have left anything behind. */
function work(queue: string[], where: string, postgresUrl: string | undefined): Promise<void> {
  const worker = fork(new URL('support/worker.ts', import.meta.url), {
    cwd: root,
    execArgv: [
      '--import=./test/support/lean-runner.ts',
      '--test-reporter=./test/support/reporter.ts',
      '--disable-warning=DeprecationWarning'
    ],
    env: {
      ...process.env,
      // Compiled code is shared by all that run.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/millrace'),
      TEST_POSTGRES_URL: postgresUrl,
      TEST_MEMORY_FOLDER: memoryFolder
    }
  })
  let file: string | undefined
  let failed = 0
  const next = () => {
    file = failed > 0 ? undefined : queue.shift()
    worker.send({ file })
  }
  worker.on('message', (result: FileResult) => {
    console.log(`${String(result.passed).padStart(4)} passed  ${file}${where}  ${Math.round(result.ms)} ms`)
    total.passed += result.passed
    total.skipped += result.skipped
    failed = result.failed
    next()
  })
  next()
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => {
      if (file !== undefined || (code !== 0 && failed === 0)) {
        console.log(`FAILED   ${file ?? 'after the last test'}${where}: the process ended with ${signal ?? code}`)
        failed = 1
      }
      total.failed += failed
      resolve()
    })
  })
}

console.log(`on both databases: ${onBoth.length} files; without a database: ${files.length - onBoth.length} files`)
const startedMs = performance.now()
const starting = onBoth.length > 0 ? startPostgres() : undefined
const [onSqlite, onPostgres] = [[...files], [...onBoth]]

async function workThrough(): Promise<void> {
  while (onSqlite.length > 0) await work(onSqlite, '', undefined)
  const postgres = await starting
  while (onPostgres.length > 0) await work(onPostgres, ' on PostgreSQL', postgres?.url)
}

await Promise.all([starting, ...Array.from({ length: WORKERS }, workThrough)])
await (await starting)?.stop()

console.log(`\n${Math.round((performance.now() - startedMs) / 1000)} s`)
const { passed, failed, skipped } = total
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
// In CI everything that a suite needs has been installed, so nothing may be skipped.
const skippedInCi = process.env.CI === 'true' && skipped > 0
process.exitCode = files.length === 0 || failed > 0 || skippedInCi ? 1 : 0
