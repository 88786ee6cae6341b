import { missingMariadb, startMariadb } from '../../../../test/support/servers/mariadb.ts'
import { makeFolder } from '../../../../test/support/servers/service.ts'
import { sqlContract } from '../testing/contract.ts'
import { secureContract } from '../testing/secure.ts'
import type { UnderTest } from '../testing/under-test.ts'
import { typesOfMysql } from './testing/types.ts'

const mysql: UnderTest = {
  missing: missingMariadb(),
  async start() {
    const { stop, restart, certificate, certifiedName, ...settings } = await startMariadb(makeFolder('sql-mariadb'))
    return { settings: { kind: 'mysql', ...settings }, certificate, certifiedName, stop: () => stop(), restart }
  },
  endless: `select seq as i, repeat('x', 1000) as t from seq_1_to_1000000000`,
  underWay: `select info from information_schema.processlist where info is not null and id <> connection_id()`,
  slow: 'select sleep(60)',
  latest: (table) => `select * from ${table}`,
  hasTransactions: true,
  earliestTime: '1000-01-01',
  hasNonFinite: false
}

sqlContract('MariaDB', mysql, (given) => {
  secureContract(given, `show session status like 'ssl_version'`)
  typesOfMysql(given)
})
