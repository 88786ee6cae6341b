// Runs one query, started by process.ts: reads nothing from its surroundings, and ends when the server does.
import { writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { setPriority } from 'node:os'
import type { DuckDBResult } from '@duckdb/node-api'
import { PROCESS_BYTES } from '../limits.ts'
import { batchesOf } from './batches.ts'
import { failureOf, outOfMemory } from './failure.ts'
import type { DataRow, Question, Reply, RunRequest } from './messages.ts'
import { openDatabase, startQuery } from './session.ts'

const MEMORY_CHECK_MS = 25
/** What the server does comes before what its users ask. */
const PRIORITY = 10

/** Not `exit`, which would wait for the threads of DuckDB. */
const end = () => process.kill(process.pid, 'SIGKILL')

process.on('disconnect', end)
setPriority(PRIORITY)
try {
  // Should the machine run out of memory all the same, this is the process to give up.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Not Linux, or not allowed.
}

const connection = await openDatabase()
let batches: AsyncGenerator<DataRow[], boolean> | undefined
let request: RunRequest | undefined

process.on('message', async (question: Question) => {
  try {
    reply(question.kind === 'run' ? await run(question.request) : await next())
  } catch (error) {
    reply({ kind: 'failed', failure: failureOf(error, request as RunRequest) })
  }
})
reply({ kind: 'ready' })
// At the end would be never: the process is killed.
flushCompileCache()

async function run(asked: RunRequest): Promise<Reply> {
  request = asked
  watchMemory(asked)
  const result = await startQuery(connection, asked)
  batches = batchesOf(result, asked.limits.maxRows)
  return { kind: 'columns', columns: columnsOf(result) }
}

async function next(): Promise<Reply> {
  const batch = await (batches as NonNullable<typeof batches>).next()
  return batch.done === true ? { kind: 'end', truncated: batch.value } : { kind: 'rows', rows: batch.value }
}

function columnsOf(result: DuckDBResult): { name: string; type: string }[] {
  const types = result.columnTypes()
  return result.columnNames().map((name, index) => ({ name, type: String(types[index]) }))
}

/** DuckDB does not count all that it takes: a single `repeat` can make gigabytes of text. */
function watchMemory(asked: RunRequest): void {
  const maxBytes = asked.limits.memoryBytes + PROCESS_BYTES
  setInterval(() => {
    if (process.memoryUsage.rss() > maxBytes) reply({ kind: 'failed', failure: outOfMemory(asked) }, end)
  }, MEMORY_CHECK_MS)
}

function reply(message: Reply, sent?: () => void): void {
  process.send?.(message, undefined, {}, () => sent?.())
}
