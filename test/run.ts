// `npm test`; `node test/run.ts --help` says what else it can run.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { changedPaths, concerned } from './runner/changed.ts'
import { type Kind, type Options, readOptions, USAGE } from './runner/options.ts'
import { processorMs } from './runner/processor-time.ts'
import { findFiles, placeSuite, type Suite } from './runner/suites.ts'
import { Tally } from './runner/tally.ts'
import { longestFirst, readTimes, writeTimes } from './runner/times.ts'
import { makeMemoryFolder } from './support/memory-folder.ts'
import { startPostgres } from './support/postgres.ts'
import type { FileResult } from './support/reporter.ts'
import { Yardstick } from './support/yardstick.ts'

/** Two more than can run at once: there are always some that wait for a disk, a process or a lease. */
const WORKERS = Math.min(availableParallelism() + 2, 8)

/**
 * A process that holds more runs no other file: each collection looks at all of it, which has taken a test of memory two minutes of the
 * processor instead of three seconds, and one of changes of a database five instead of 15 seconds.
 */
const MOST_HEAP_BYTES = 200 * 1024 * 1024

const root = join(import.meta.dirname, '..')
/** Compiled code is shared by all that run. */
const COMPILED = join(root, 'node_modules/.cache/millrace')

/** Has a process run file after file until none is left, it holds too much, or one fails, which may have left anything behind. */
function work(queue: string[], where: string, tally: Tally, env: NodeJS.ProcessEnv): Promise<void> {
  const worker = fork(new URL('support/worker.ts', import.meta.url), {
    cwd: root,
    execArgv: [
      '--import=./test/support/lean-runner.ts',
      '--test-reporter=./test/support/reporter.ts',
      '--disable-warning=DeprecationWarning'
    ],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, ...env }
  })
  let file: string | undefined
  let failed = 0
  let heapBytes = 0
  let usedMs = 0
  const next = () => {
    file = failed > 0 || heapBytes > MOST_HEAP_BYTES ? undefined : queue.shift()
    worker.send({ file })
  }
  worker.on('message', (result: FileResult) => {
    const nowMs = processorMs(worker.pid as number)
    const used = nowMs === undefined ? undefined : nowMs - usedMs
    const { isToRepeat } = tally.add({ file: file as string, where, ...result, processorMs: used })
    if (isToRepeat) queue.push(file as string)
    usedMs = nowMs ?? 0
    failed = result.failed
    heapBytes = result.heapBytes
    next()
  })
  next()
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => {
      if (file !== undefined || (code !== 0 && failed === 0)) {
        tally.fail(`${file ?? 'after the last test'}${where}: the process ended with ${signal ?? code}`)
      }
      resolve()
    })
  })
}

/** On a fresh clone. Whatever goes wrong there goes wrong in tests too, which say what it is. */
async function compile(env: NodeJS.ProcessEnv): Promise<void> {
  if (existsSync(COMPILED)) return
  const options = { cwd: root, env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, TMPDIR: env.TEST_MEMORY_FOLDER } }
  await once(fork(new URL('support/compile.ts', import.meta.url), { ...options, stdio: 'ignore' }), 'exit')
}

function suitesOf(kind: Kind, { onlyChanged, words }: Options): Suite[] {
  const found = findFiles(root, kind, words)
  const files = onlyChanged ? concerned(root, found, changedPaths(root)) : found
  return files.map((file) => placeSuite(root, file, kind))
}

async function runSuites(options: Options): Promise<boolean> {
  const suites = options.kinds.flatMap((kind) => suitesOf(kind, options))
  const [times, filesOf] = [readTimes(), (some: readonly Suite[]) => some.map(({ file }) => file)]
  const onSqlite = longestFirst(filesOf(suites.filter((suite) => suite.onSqlite)), times)
  const onPostgres = longestFirst(filesOf(suites.filter((suite) => suite.onPostgres)), times)
  console.log(`on SQLite or without a database: ${onSqlite.length} files; on PostgreSQL: ${onPostgres.length} files`)
  if (onSqlite.length + onPostgres.length === 0) return options.onlyChanged

  const [tally, yardstick] = [new Tally(), new Yardstick()]
  const env = { TEST_MEMORY_FOLDER: makeMemoryFolder() }
  const starting = onPostgres.length > 0 ? startPostgres(env.TEST_MEMORY_FOLDER) : undefined
  await compile(env)
  const workThrough = async () => {
    while (onSqlite.length > 0) await work(onSqlite, '', tally, env)
    const postgres = await starting
    const postgresEnv = { ...env, TEST_POSTGRES_URL: postgres?.url }
    while (onPostgres.length > 0) await work(onPostgres, ' on PostgreSQL', tally, postgresEnv)
  }
  await Promise.all([starting, ...Array.from({ length: WORKERS }, workThrough)])
  await (await starting)?.stop()
  if (options.remember) writeTimes(root, tally.secondsOf())
  return tally.finish(yardstick.close())
}

try {
  const options = readOptions(process.argv.slice(2))
  if (options.help) console.log(USAGE)
  else process.exitCode = (await runSuites(options)) ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
