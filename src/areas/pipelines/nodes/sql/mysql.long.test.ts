import { missingMariadb, startMariadb } from '../../../../../test/support/servers/mariadb.ts'
import { sqlSuite } from '../../testing/sql-suite.ts'

sqlSuite('MariaDB', {
  kind: 'mysql',
  missing: missingMariadb(),
  async start(folder) {
    const server = await startMariadb(folder)
    const { host, port, user, password, database } = server
    return {
      settings: { kind: 'mysql', host, port, user, password, database },
      away: () => server.stop(),
      back: () => server.restart(),
      stop: () => server.stop()
    }
  }
})
