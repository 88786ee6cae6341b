import type { SourceFacts } from './facts.ts'

export const POSTGRES_FAMILY: readonly SourceFacts[] = [
  {
    id: 'postgres',
    name: 'PostgreSQL',
    category: 'databases',
    hint: 'A user with SELECT on the tables is enough. Reads run in read-only transactions.',
    documentationUrl: 'https://www.postgresql.org/docs/current/',
    driver: 'postgres',
    defaults: {},
    isProven: true,
    hasChanges: true
  },
  {
    id: 'timescaledb',
    name: 'TimescaleDB',
    category: 'databases',
    hint: 'Hypertables are listed as tables, without the chunks that they are made of.',
    documentationUrl: 'https://docs.timescale.com/',
    driver: 'postgres',
    defaults: { database: 'tsdb' },
    isProven: false
  },
  {
    id: 'cockroachdb',
    name: 'CockroachDB',
    category: 'databases',
    hint: 'Its usual port is 26257; clusters in the cloud want encryption, and the name of the cluster before that of the database.',
    documentationUrl: 'https://www.cockroachlabs.com/docs/',
    driver: 'postgres',
    defaults: { port: 26257, database: 'defaultdb', tls: true },
    isProven: false
  },
  {
    id: 'yugabytedb',
    name: 'YugabyteDB',
    category: 'databases',
    hint: 'This is its YSQL interface, at port 5433.',
    documentationUrl: 'https://docs.yugabyte.com/',
    driver: 'postgres',
    defaults: { port: 5433, database: 'yugabyte', user: 'yugabyte' },
    isProven: false
  },
  {
    id: 'greenplum',
    name: 'Greenplum',
    category: 'warehouses',
    hint: 'Connect to the coordinator, not to a segment.',
    documentationUrl: 'https://techdocs.broadcom.com/us/en/vmware-tanzu/data-solutions/tanzu-greenplum.html',
    driver: 'postgres',
    defaults: { user: 'gpadmin' },
    isProven: false
  },
  {
    id: 'redshift',
    name: 'Amazon Redshift',
    category: 'warehouses',
    hint: 'Its usual port is 5439. The cluster or workgroup has to be reachable from this server.',
    documentationUrl: 'https://docs.aws.amazon.com/redshift/',
    driver: 'postgres',
    defaults: { host: 'my-cluster.abc123.eu-west-1.redshift.amazonaws.com', port: 5439, database: 'dev', tls: true },
    isProven: false
  },
  {
    id: 'materialize',
    name: 'Materialize',
    category: 'warehouses',
    hint: 'Its usual port is 6875; the password is an app password.',
    documentationUrl: 'https://materialize.com/docs/',
    driver: 'postgres',
    defaults: { port: 6875, database: 'materialize', tls: true },
    isProven: false
  },
  {
    id: 'neon',
    name: 'Neon',
    category: 'databases',
    hint: 'Use the host of the pooled connection where many read at once; the first connection wakes a database that sleeps.',
    documentationUrl: 'https://neon.tech/docs',
    driver: 'postgres',
    defaults: { host: 'ep-cool-name-123456.eu-central-1.aws.neon.tech', database: 'neondb', tls: true },
    isProven: false,
    hasChanges: true
  },
  {
    id: 'supabase',
    name: 'Supabase',
    category: 'databases',
    hint: 'The user of the pooler is postgres followed by a dot and the id of the project.',
    documentationUrl: 'https://supabase.com/docs/guides/database',
    driver: 'postgres',
    defaults: { host: 'aws-0-eu-central-1.pooler.supabase.com', database: 'postgres', tls: true },
    isProven: false,
    hasChanges: true
  },
  {
    id: 'alloydb',
    name: 'Google AlloyDB',
    category: 'databases',
    hint: 'Connect to its private address, or to one on which the AlloyDB Auth Proxy listens.',
    documentationUrl: 'https://cloud.google.com/alloydb/docs',
    driver: 'postgres',
    defaults: { database: 'postgres' },
    isProven: false,
    hasChanges: true
  },
  {
    id: 'aurora-postgres',
    name: 'Amazon Aurora PostgreSQL',
    category: 'databases',
    hint: 'Use the endpoint of the readers, so that reads do not take from what writes.',
    documentationUrl: 'https://docs.aws.amazon.com/AmazonRDS/latest/AuroraUserGuide/',
    driver: 'postgres',
    defaults: { host: 'my-cluster.cluster-ro-abc123.eu-west-1.rds.amazonaws.com', tls: true },
    isProven: false,
    hasChanges: true
  }
]
