import type { IncomingMessage } from 'node:http'
import { watchCaller } from '../../../http/caller.ts'
import { ingest, type Route, read } from '../../../http/route.ts'
import { SqlAnswer, SqlQuestion, SqlRecord } from './schema.ts'
import type { SqlStatements } from './service.ts'

/** `statements` are loaded by the first request. */
export function sqlRoutes(statements: () => Promise<SqlStatements>): Route[] {
  const errors = ['overloaded', 'query_timeout', 'unprocessable'] as const
  return [
    read(
      {
        method: 'POST',
        path: '/lineage/sql',
        operationId: 'readLineageOfSql',
        summary: 'Find out which columns of a SQL statement come from which',
        description:
          'The statement is read, and neither run nor recorded. What can not be followed is told in `notUnderstood`, never guessed.',
        permission: 'lineage:read',
        body: SqlQuestion,
        answer: SqlAnswer,
        errors
      },
      ({ body, raw }) => whileCalled(raw, async (signal) => (await statements()).ask(body, signal))
    ),
    ingest(
      {
        path: '/lineage/sql/record',
        operationId: 'recordLineageOfSql',
        summary: 'Record what a SQL statement of a job reads and writes',
        description:
          'As one run of the job, now. Where all of the statement is understood, what older runs have read and written and this one does not is over. A statement of which nothing is understood is not recorded: look at `recorded`.',
        permission: 'lineage:write',
        body: SqlRecord,
        answer: SqlAnswer,
        errors
      },
      ({ body, actor, raw }) => whileCalled(raw, async (signal) => (await statements()).record(actor, body, signal))
    )
  ]
}

async function whileCalled<T>(raw: IncomingMessage, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const caller = watchCaller(raw)
  try {
    return await work(caller.signal)
  } finally {
    caller.release()
  }
}
