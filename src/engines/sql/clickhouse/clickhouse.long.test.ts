import { missingClickhouse, startClickhouse } from '../../../../test/support/servers/clickhouse.ts'
import { PASSWORD, USER } from '../../../../test/support/servers/clickhouse-config.ts'
import { makeFolder } from '../../../../test/support/servers/service.ts'
import { sqlContract } from '../testing/contract.ts'
import type { UnderTest } from '../testing/under-test.ts'
import { serversOfClickhouse } from './testing/servers.ts'
import { typesOfClickhouse } from './testing/types.ts'

const clickhouse: UnderTest = {
  missing: missingClickhouse(),
  async start() {
    const folder = makeFolder('sql-clickhouse')
    const { nodes, stop } = await startClickhouse(folder)
    const [node] = nodes
    if (node === undefined) throw new Error('no server was started')
    const { hostname, port } = new URL(node.url)
    return {
      settings: {
        kind: 'clickhouse',
        host: hostname,
        port: Number(port),
        database: 'default',
        user: USER,
        password: PASSWORD
      },
      folder,
      stop,
      async restart() {
        await node.kill()
        await node.start()
      }
    }
  },
  endless: `select number + 1 as i, '${'x'.repeat(1000)}' as t from system.numbers`,
  underWay: `select query from system.processes where query not like '%system.processes%'`,
  slow: 'select sleep(3) from system.numbers',
  latest: (table) => `select * from ${table} final`,
  hasTransactions: false,
  earliestTime: '1970-01-01',
  hasNonFinite: true
}

sqlContract('ClickHouse', clickhouse, (given) => {
  typesOfClickhouse(given)
  serversOfClickhouse(given)
})
