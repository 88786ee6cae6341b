import mysql from 'mysql2/promise'
import { missingMariadb, startMariadb } from '../../../../test/support/servers/mariadb.ts'
import { makeFolder } from '../../../../test/support/servers/service.ts'
import { driverContract } from '../testing/contract.ts'
import { sqlUnderTest } from '../testing/sql.ts'

driverContract('MariaDB as a source', {
  sourceId: 'mariadb',
  missing: missingMariadb(),
  async start() {
    const {
      stop,
      restart,
      present,
      certificate: _,
      certifiedName: __,
      ...server
    } = await startMariadb(makeFolder('drivers-mariadb'))
    const execute = async (statement: string) => {
      const { host, port } = server
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
      async present(certificate) {
        await present(certificate)
        return { host: 'localhost', tls: true }
      },
      stop: () => stop(),
      restart
    })
  }
})
