import { missingClickhouse, startClickhouse } from '../../../../../test/support/servers/clickhouse.ts'
import { PASSWORD, USER } from '../../../../../test/support/servers/clickhouse-config.ts'
import { sqlSuite } from '../../testing/sql-suite.ts'

sqlSuite('ClickHouse', {
  kind: 'clickhouse',
  missing: missingClickhouse(),
  async start(folder) {
    const server = await startClickhouse(folder)
    const [node] = server.nodes
    const { hostname: host, port } = new URL(node?.url ?? '')
    return {
      settings: { kind: 'clickhouse', host, port: Number(port), user: USER, password: PASSWORD, database: 'default' },
      away: async () => node?.kill(),
      back: async () => node?.start(),
      stop: () => server.stop()
    }
  }
})
