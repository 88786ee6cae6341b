// Reads one database file, which may be made to harm whoever opens it: started by speaker.ts, gets nothing from its surroundings, and ends when the server does.
import { setPriority } from 'node:os'
import { FileFault, type OpenDatabase, type Question, type Reply, type Row } from './messages.ts'

const MEMORY_CHECK_MS = 50
const MAX_MEMORY_BYTES = 1.5 * 1024 ** 3
/** Lower priority than the server. */
const PRIORITY = 10

/** Kills the process, because `exit` would wait for the threads of DuckDB. */
const end = () => process.kill(process.pid, 'SIGKILL')
process.on('disconnect', end)
setPriority(PRIORITY)
setInterval(() => {
  if (process.memoryUsage.rss() > MAX_MEMORY_BYTES) reply(failed('Reading it takes more memory than it may'), end)
}, MEMORY_CHECK_MS).unref()

let database: OpenDatabase | undefined
let batches: AsyncIterator<readonly Row[]> | undefined

process.on('message', async (question: Question) => {
  try {
    reply(await answerTo(question))
  } catch (error) {
    reply(failed(error instanceof FileFault ? error.message : 'The file can’t be read; it may be damaged'))
  }
})

async function answerTo(question: Question): Promise<Reply> {
  switch (question.kind) {
    case 'open':
      database = await open(question)
      return { kind: 'done' }
    case 'run':
      batches = database?.run(question.statement)[Symbol.asyncIterator]()
      return { kind: 'done' }
    case 'next': {
      const batch = await batches?.next()
      return { kind: 'rows', rows: batch === undefined || batch.done === true ? [] : batch.value }
    }
  }
}

async function open({ database: kind, path }: Extract<Question, { kind: 'open' }>): Promise<OpenDatabase> {
  if (kind === 'sqlite') return (await import('./sqlite.ts')).openSqlite(path)
  return (await import('./duckdb.ts')).openDuckdb(path)
}

const failed = (message: string): Reply => ({ kind: 'failed', message })

function reply(message: Reply, sent?: () => void): void {
  process.send?.(message, undefined, {}, () => sent?.())
}
