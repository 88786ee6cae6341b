import { fileURLToPath } from 'node:url'
import { type Finding, fail, ok } from '../../finding.ts'

const SUBJECT = 'sql fence'

/** Tests which of the layers around the SQL of users hold on this machine. */
export async function checkSqlFence(): Promise<Finding[]> {
  const open = await filesOpenedAnyway()
  if (open.length > 0) return [fail(SUBJECT, `DuckDB does what it was told not to: ${open.join('; ')}`)]
  const layers = 'functions and relations by list, processes of their own, no files but those given, settings locked'
  const user =
    process.getuid?.() === 0 ? 'as root, where a user who can do nothing else would hold more' : 'not as root'
  return [ok(SUBJECT, `${layers}; no namespace around the processes, ${user}`)]
}

/** The files that DuckDB opens although it is shut off as for the SQL of users. */
async function filesOpenedAnyway(): Promise<string[]> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const { SHUT_OFF } = await import('../../engines/sql-options.ts')
  const instance = await DuckDBInstance.create(':memory:', { ...SHUT_OFF, threads: '1' })
  const connection = await instance.connect()
  await connection.run('SET enable_external_access = false')
  await connection.run('SET lock_configuration = true')
  const path = fileURLToPath(import.meta.url)
  const attempts = [
    ['reads a file', `SELECT content FROM read_text('${path.replaceAll("'", "''")}')`],
    ['changes a setting', 'SET threads = 2'],
    ['opens files again', 'SET enable_external_access = true'],
    ['loads an extension', 'INSTALL httpfs']
  ] as const
  const open: string[] = []
  for (const [what, sql] of attempts) {
    const isDone = await connection.run(sql).then(
      () => true,
      () => false
    )
    if (isDone) open.push(what)
  }
  connection.closeSync()
  instance.closeSync()
  return open
}
