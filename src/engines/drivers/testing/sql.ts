import type { SqlServer as DatabaseServer } from '../../../../test/support/servers/sql-server.ts'
import { createOutbound } from '../../outbound/index.ts'
import { openSql, type SqlColumn, type SqlSettings } from '../../sql/index.ts'
import type { SourceConfig } from '../index.ts'
import type { RunningSource } from './contract.ts'
import type { LargeStream } from './large-streams.ts'

interface SqlServer extends Pick<RunningSource, 'makeStranger' | 'execute' | 'present' | 'stop' | 'restart'> {
  readonly settings: SqlSettings
  /** Its certificate is nobody’s whom this machine trusts. */
  readonly hasTls: boolean
}

const ROWS = 25_000

/** A database with a table `readings`, for the contract of drivers. */
export async function sqlUnderTest({ settings, hasTls, ...server }: SqlServer): Promise<RunningSource> {
  const columns: SqlColumn[] = [
    { name: 'id', type: 'integer', nullable: false },
    { name: 'label', type: 'text', nullable: true }
  ]
  const ids = Array.from({ length: ROWS }, (_, i) => i + 1)
  const values = [ids, ids.map((id) => `row ${id}`)]
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  const database = await openSql(settings, { outbound })
  await database.write({ table: 'readings', columns, values, rows: ROWS, keys: ['id'], create: true })
  await database.close()
  await outbound.close()
  const { kind, ...config } = settings
  return {
    ...server,
    config: config as unknown as SourceConfig,
    secrets: [String(settings.password)],
    steps: ['resolve', 'policy', 'connect', 'tls', 'authenticate', 'list', 'read'],
    wrong: {
      'a name that is none': fault({ host: 'nowhere.invalid' }, 'resolve', 'unknown_host', '/host'),
      'a closed port': fault({ port: 1 }, 'connect', 'unreachable', '/port'),
      'a wrong password': fault({ password: 'wrong' }, 'authenticate', 'wrong_credentials', '/password'),
      'a database that is not there': fault({ database: 'absent' }, 'authenticate', 'not_found', '/database'),
      'encryption that is not there or that nobody vouches for': fault(
        { tls: true, ...(hasTls && { host: 'localhost' }) },
        'tls',
        'tls_failed',
        '/tls'
      )
    },
    stream: {
      name: 'readings',
      kind: 'table',
      columns: ['id integer', 'label text'],
      keys: kind === 'clickhouse' ? [] : ['id'],
      cursors: ['id'],
      column: 'id',
      values: ids,
      cursor: 'id'
    }
  }
}

const fault = (changes: SourceConfig, step: RunningSource['steps'][number], code: string, pointer: string) => ({
  changes,
  step,
  code,
  pointer
})

/** What the suites do with a server that is a process of its own. */
export function handlesOf({ present, stop, restart }: DatabaseServer) {
  return {
    async present(certificate: Parameters<typeof present>[0]) {
      await present(certificate)
      return { host: 'localhost', tls: true }
    },
    stop: () => stop(),
    async restart() {
      await stop('SIGKILL')
      await restart()
    }
  }
}

/** A table whose column `id` counts. */
export function largeTable(server: DatabaseServer, stream: string): LargeStream {
  const { host, port, user, password, database } = server
  const config = { host, port, user, password, database }
  return { config, stream, cursor: 'id', counted: 'id', ...handlesOf(server) }
}
