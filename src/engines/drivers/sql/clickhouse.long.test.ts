import { missingClickhouse, startClickhouse } from '../../../../test/support/servers/clickhouse.ts'
import { PASSWORD, USER } from '../../../../test/support/servers/clickhouse-config.ts'
import { makeFolder } from '../../../../test/support/servers/service.ts'
import { driverContract } from '../testing/contract.ts'
import { sqlUnderTest } from '../testing/sql.ts'

driverContract('ClickHouse as a source', {
  sourceId: 'clickhouse',
  missing: missingClickhouse(),
  async start() {
    const { nodes, stop } = await startClickhouse(makeFolder('drivers-clickhouse'))
    const [node] = nodes
    if (node === undefined) throw new Error('no server was started')
    const { hostname: host, port } = new URL(node.url)
    return sqlUnderTest({
      settings: { kind: 'clickhouse', host, port: Number(port), database: 'default', user: USER, password: PASSWORD },
      hasTls: false,
      stop,
      async restart() {
        await node.kill()
        await node.start()
      }
    })
  }
})
