import { SqlError } from '../../errors.ts'
import type { SqlSettings } from '../../index.ts'
import type { MysqlConnection } from '../connection.ts'

const WANTED: Readonly<Record<string, { readonly is: string; readonly advice: string }>> = {
  log_bin: { is: 'ON', advice: 'add log_bin to the configuration of the server and start it again' },
  binlog_format: { is: 'ROW', advice: "SET GLOBAL binlog_format = 'ROW';" },
  binlog_row_image: { is: 'FULL', advice: "SET GLOBAL binlog_row_image = 'FULL';" },
  binlog_row_metadata: { is: 'FULL', advice: "SET GLOBAL binlog_row_metadata = 'FULL';" },
  log_bin_compress: { is: 'OFF', advice: 'SET GLOBAL log_bin_compress = OFF;' },
  binlog_transaction_compression: { is: 'OFF', advice: 'SET GLOBAL binlog_transaction_compression = OFF;' }
}
/** What only some servers have. */
const OPTIONAL = new Set(['log_bin_compress', 'binlog_transaction_compression'])

/** Refuses a server whose log does not have what is needed, with all that has to be changed. */
export async function requireLog(connection: MysqlConnection): Promise<void> {
  const names = Object.keys(WANTED).map((name) => `'${name}'`)
  const rows = await connection.run(`SHOW GLOBAL VARIABLES WHERE Variable_name IN (${names.join(', ')})`)
  const found = new Map(rows.map(([name, value]) => [String(name).toLowerCase(), String(value).toUpperCase()]))
  const wrong = Object.entries(WANTED).filter(([name, { is }]) => {
    return found.get(name) !== is && !(OPTIONAL.has(name) && !found.has(name))
  })
  if (wrong.length === 0) return
  const is = wrong.map(([name]) => `${name} is ${found.get(name) ?? 'not there'}`).join(', ')
  const advice = wrong.map(([, one]) => one.advice).join(' ')
  throw new SqlError(
    'changes_off',
    `The server does not log what is needed (${is}); an administrator can run: ${advice}`
  )
}

/** The end of the log at the moment of a view of the data: whatever is not in the view comes after it. */
export async function logEnd(connection: MysqlConnection): Promise<{ readonly file: string; readonly at: number }> {
  if (!connection.isMariadb) {
    const [status] = await connection.run('SHOW MASTER STATUS')
    return { file: String(status?.[0]), at: Number(status?.[1]) }
  }
  await connection.command('START TRANSACTION WITH CONSISTENT SNAPSHOT')
  const rows = await connection.run("SHOW STATUS LIKE 'binlog_snapshot_%'")
  const found = new Map(rows.map(([name, value]) => [String(name).toLowerCase(), String(value)]))
  return { file: found.get('binlog_snapshot_file') ?? '', at: Number(found.get('binlog_snapshot_position')) }
}

/** The statements that give what reading a log needs. */
export function grantsFor({ user = 'root', database }: SqlSettings): string {
  const who = `'${user.replaceAll('\\', '\\\\').replaceAll("'", "''")}'@'%'`
  const place = `\`${database.replaceAll('`', '``')}\``
  return `GRANT REPLICATION SLAVE ON *.* TO ${who}; GRANT SELECT ON ${place}.* TO ${who};`
}
