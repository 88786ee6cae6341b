import { missingClickhouse, startClickhouse } from '../../../../test/support/servers/clickhouse.ts'
import { PASSWORD, USER } from '../../../../test/support/servers/clickhouse-config.ts'
import { makeFolder } from '../../../../test/support/servers/service.ts'
import { driverContract } from '../testing/contract.ts'
import { LARGE_ROWS, largeStreamSuite } from '../testing/large-streams.ts'
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

largeStreamSuite('a large table of ClickHouse', {
  sourceId: 'clickhouse',
  missing: missingClickhouse(),
  async start() {
    const { nodes, stop } = await startClickhouse(makeFolder('large-clickhouse'))
    const [node] = nodes
    if (node === undefined) throw new Error('no server was started')
    const rows = `SELECT number AS id, concat('row ', toString(number)) AS label FROM numbers(${LARGE_ROWS})`
    const made = await fetch(node.url, {
      method: 'POST',
      headers: { 'x-clickhouse-user': USER, 'x-clickhouse-key': PASSWORD },
      body: `CREATE TABLE large ENGINE = MergeTree ORDER BY id AS ${rows}`
    })
    if (!made.ok) throw new Error(await made.text())
    const { hostname: host, port } = new URL(node.url)
    return {
      config: { host, port: Number(port), database: 'default', user: USER, password: PASSWORD },
      stream: 'large',
      cursor: 'id',
      counted: 'id',
      stop,
      async restart() {
        await node.kill()
        await node.start()
      }
    }
  }
})
