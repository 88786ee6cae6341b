// Runs queries of the same data, one after the other, started by process.ts: reads nothing from its surroundings, and ends when the server does.
import { writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { setPriority } from 'node:os'
import type { DuckDBResult } from '@duckdb/node-api'
import { PROCESS_BYTES } from '../limits.ts'
import { batchesOf, type Ended } from './batches.ts'
import { failureOf, outOfMemory } from './failure.ts'
import { lineageIn } from './lineage.ts'
import type { DataRow, Question, Reply, RunRequest } from './messages.ts'
import { reducedBatches } from './reduction/reduced-batches.ts'
import { lockIn, openDatabase, parse, startAgain, startQuery } from './session.ts'
import { wishesOf } from './wishes.ts'

const MEMORY_CHECK_MS = 25
const PROGRESS_MS = 250
/** Lower priority than the server: its work comes before queries of users. */
const PRIORITY = 10

/** Kills the process, because `exit` would wait for the threads of DuckDB. */
const end = () => process.kill(process.pid, 'SIGKILL')

process.on('disconnect', end)
setPriority(PRIORITY)
try {
  // If the machine runs out of memory, the system kills this process first.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Not Linux, or not allowed.
}

const connection = await openDatabase()
let batches: AsyncGenerator<DataRow[], Ended> | undefined
let request: RunRequest | undefined
let isAnswering = false

process.on('message', async (question: Question) => {
  isAnswering = true
  try {
    reply(await answerTo(question))
  } catch (error) {
    reply({ kind: 'failed', failure: failureOf(error, request as RunRequest) })
  } finally {
    isAnswering = false
  }
})
reply({ kind: 'ready' })
// Flushed now, because the process is killed at the end.
flushCompileCache()

async function answerTo(question: Question): Promise<Reply> {
  if (question.kind === 'next') return next()
  const isFirst = request === undefined
  request = question.request
  if (isFirst) watchMemory(request)
  if (question.kind === 'run') return run(request, isFirst)
  if (question.kind === 'wishes') return { kind: 'wishes', wishes: await wishesIn(request, question.aliases) }
  return { kind: 'lineage', lineage: await lineageIn(connection, request, question.known) }
}

async function run(asked: RunRequest, isFirst: boolean): Promise<Reply> {
  if (isFirst) await lockIn(connection, asked)
  // Not while files are looked at: of a statement it is told how far that is.
  if (isFirst && asked.tellsProgress === true) tellProgress()
  const result = await startQuery(connection, asked)
  batches = batchesFor(result, asked)
  return { kind: 'columns', columns: columnsOf(result) }
}

function batchesFor(result: DuckDBResult, asked: RunRequest): AsyncGenerator<DataRow[], Ended> {
  const { sql, reduction } = asked
  const { maxRows } = asked.limits
  if (reduction === undefined) return batchesOf(result, maxRows)
  const again = (other: string) => startAgain(connection, asked, other)
  return reducedBatches(result, { sql, maxRows, reduction, again })
}

async function wishesIn(asked: RunRequest, aliases: readonly string[]) {
  await lockIn(connection, asked)
  return wishesOf(await parse(connection, asked.sql), aliases, asked.parameters)
}

async function next(): Promise<Reply> {
  const batch = await (batches as NonNullable<typeof batches>).next()
  return batch.done === true ? { kind: 'end', ...batch.value } : { kind: 'rows', rows: batch.value }
}

function columnsOf(result: DuckDBResult): { name: string; type: string }[] {
  const types = result.columnTypes()
  return result.columnNames().map((name, index) => ({ name, type: String(types[index]) }))
}

/**
 * Watches the memory of the process: DuckDB does not count all that it takes, and a single `repeat` can make
 * gigabytes.
 */
function watchMemory(asked: RunRequest): void {
  const maxBytes = asked.limits.memoryBytes + PROCESS_BYTES
  setInterval(() => {
    if (process.memoryUsage.rss() > maxBytes) reply({ kind: 'failed', failure: outOfMemory(asked) }, end)
  }, MEMORY_CHECK_MS)
}

/** DuckDB says -1 where it does not know. */
function tellProgress(): void {
  let told = -1
  setInterval(() => {
    const percent = isAnswering ? Math.floor(connection.progress.percentage) : -1
    if (percent >= 0 && percent !== told) reply({ kind: 'progress', percent })
    told = percent
  }, PROGRESS_MS)
}

function reply(message: Reply, sent?: () => void): void {
  process.send?.(message, undefined, {}, () => sent?.())
}
