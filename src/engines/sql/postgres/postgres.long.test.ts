import { makeFolder } from '../../../../test/support/servers/service.ts'
import { startSqlPostgres } from '../../../../test/support/servers/sql-postgres.ts'
import { sqlContract } from '../testing/contract.ts'
import { secureContract } from '../testing/secure.ts'
import type { UnderTest } from '../testing/under-test.ts'
import { typesOfPostgres } from './testing/types.ts'

const postgres: UnderTest = {
  missing: undefined,
  async start() {
    const { stop, restart, certificate, certifiedName, ...settings } = await startSqlPostgres(
      makeFolder('sql-postgres')
    )
    return { settings: { kind: 'postgres', ...settings }, certificate, certifiedName, stop: () => stop(), restart }
  },
  endless: `with recursive n(i) as (select 1::bigint union all select i + 1 from n)
    select i, repeat('x', 1000) as t from n`,
  underWay: `select query from pg_stat_activity
    where state <> 'idle' and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  slow: 'select pg_sleep(60)',
  latest: (table) => `select * from ${table}`,
  hasTransactions: true,
  earliestTime: '0001-01-01',
  hasNonFinite: true
}

sqlContract('PostgreSQL', postgres, (given) => {
  secureContract(given, 'select ssl from pg_stat_ssl where pid = pg_backend_pid()')
  typesOfPostgres(given)
})
