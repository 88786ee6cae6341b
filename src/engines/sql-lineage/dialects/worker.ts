import { parentPort } from 'node:worker_threads'
import { init, Parser } from '@guanmingchiu/sqlparser-ts'
import { nothingKnown, type StatementLineage } from '../lineage.ts'
import { sqlErrorOf } from './errors.ts'
import { lineageOfDialect } from './lineage-of-dialect.ts'
import type { DialectOrder, DialectReply } from './thread.ts'

const NAMES = { postgres: 'postgresql', mysql: 'mysql', bigquery: 'bigquery' } as const

await init()

const tell = (reply: DialectReply) => parentPort?.postMessage(reply)

parentPort?.on('message', (order: DialectOrder) => {
  tell('begun')
  tell(lineageOf(order))
})

function lineageOf({ dialect, sql, known }: DialectOrder): StatementLineage {
  let tree: string
  try {
    tree = Parser.parseToJson(sql, NAMES[dialect])
  } catch (error) {
    const what = sqlErrorOf(error)
    if (what === undefined) throw error
    return nothingKnown(`The SQL can not be read: ${what}`)
  }
  return lineageOfDialect(JSON.parse(tree), known, dialect)
}
