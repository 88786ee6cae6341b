import type { SourceFacts } from './facts.ts'

export const CASSANDRA_FAMILY: readonly SourceFacts[] = [
  {
    id: 'cassandra',
    name: 'Apache Cassandra',
    category: 'databases',
    hint: 'One member of the cluster is called and no other. SELECT on the keyspace is enough; tables are read whole each time.',
    documentationUrl: 'https://cassandra.apache.org/doc/latest/',
    driver: 'cassandra',
    defaults: {},
    isProven: false,
    isIncremental: false
  },
  {
    id: 'scylladb',
    name: 'ScyllaDB',
    category: 'databases',
    hint: 'One member of the cluster is called and no other. SELECT on the keyspace is enough; tables are read whole each time.',
    documentationUrl: 'https://docs.scylladb.com/',
    driver: 'cassandra',
    defaults: {},
    isProven: false,
    isIncremental: false
  }
]
