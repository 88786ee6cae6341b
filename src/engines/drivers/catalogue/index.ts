import { CASSANDRA_FAMILY } from './cassandra.ts'
import { CLICKHOUSE } from './clickhouse.ts'
import { DOCUMENT_STORES } from './document-stores.ts'
import type { SourceFacts } from './facts.ts'
import { FILES } from './files.ts'
import { GRAPHS } from './graphs.ts'
import { MACHINES } from './machines.ts'
import { METRICS } from './metrics.ts'
import { MYSQL_FAMILY } from './mysql-family.ts'
import { ORACLE_FAMILY } from './oracle.ts'
import { POSTGRES_FAMILY } from './postgres-family.ts'
import { QUEUES } from './queues.ts'
import { SEARCH } from './search.ts'
import { SQL_SERVER_FAMILY } from './sqlserver.ts'
import { WAREHOUSES } from './warehouses.ts'

const FAMILIES: readonly (readonly SourceFacts[])[] = [
  POSTGRES_FAMILY,
  MYSQL_FAMILY,
  [CLICKHOUSE],
  SEARCH,
  DOCUMENT_STORES,
  SQL_SERVER_FAMILY,
  ORACLE_FAMILY,
  WAREHOUSES,
  GRAPHS,
  CASSANDRA_FAMILY,
  QUEUES,
  FILES,
  MACHINES,
  METRICS
]

/** In the order of their names. */
export const CATALOGUE: readonly SourceFacts[] = FAMILIES.flat().sort((a, b) => (a.name < b.name ? -1 : 1))
