import { parentPort } from 'node:worker_threads'
import { init, Parser } from '@guanmingchiu/sqlparser-ts'
import { nothingKnown, type StatementLineage } from '../lineage.ts'
import { lineageOfDialect } from './lineage-of-dialect.ts'
import type { DialectOrder } from './thread.ts'

const NAMES = { postgres: 'postgresql', mysql: 'mysql' } as const

await init()

parentPort?.on('message', (order: DialectOrder) => parentPort?.postMessage(lineageOf(order)))

function lineageOf({ dialect, sql, known }: DialectOrder): StatementLineage {
  let tree: string
  try {
    tree = Parser.parseToJson(sql, NAMES[dialect])
  } catch (error) {
    const message = String((error as Error).message)
    // Anything else is WebAssembly out of memory or stack, after which it answers nothing any more.
    if (!message.startsWith('sql parser error:')) throw error
    return nothingKnown(message.replace('sql parser error:', 'The SQL can not be read:'))
  }
  return lineageOfDialect(JSON.parse(tree), known)
}
