import mysql from 'mysql2/promise'
import { missingMariadb, startMariadb } from '../../../../test/support/servers/mariadb.ts'
import { makeFolder } from '../../../../test/support/servers/service.ts'
import { driverContract } from '../testing/contract.ts'
import { LARGE_ROWS, largeStreamSuite } from '../testing/large-streams.ts'
import { handlesOf, largeTable, sqlUnderTest } from '../testing/sql.ts'

/** What was committed outlasts the end of the process. */
const KEEPS_COMMITS = ['--innodb-flush-log-at-trx-commit=2']

driverContract('MariaDB as a source', {
  sourceId: 'mariadb',
  missing: missingMariadb(),
  async start() {
    const started = await startMariadb(makeFolder('drivers-mariadb'), KEEPS_COMMITS)
    const { host, port, user, password, database } = started
    const server = { host, port, user, password, database }
    const execute = async (statement: string) => {
      const client = await mysql.createConnection({ host, port, user: 'root' })
      await client.query(statement)
      await client.end()
    }
    return sqlUnderTest({
      settings: { kind: 'mysql', ...server },
      hasTls: true,
      async makeStranger() {
        await execute(`create user 'odd''reader' identified by 'strange'`)
        return { user: "odd'reader", password: 'strange' }
      },
      execute,
      ...handlesOf(started)
    })
  }
})

largeStreamSuite('a large table of MariaDB', {
  sourceId: 'mariadb',
  missing: missingMariadb(),
  async start() {
    const server = await startMariadb(makeFolder('large-mariadb'), KEEPS_COMMITS)
    const { host, port, user, password, database } = server
    const client = await mysql.createConnection({ host, port, user, password, database })
    await client.query(
      `create table large (primary key (id)) select seq as id, concat('row ', seq) as label from seq_0_to_${LARGE_ROWS - 1}`
    )
    await client.end()
    return largeTable(server, 'large')
  }
})
