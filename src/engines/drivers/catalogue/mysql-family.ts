import type { SourceFacts } from './facts.ts'

export const MYSQL_FAMILY: readonly SourceFacts[] = [
  {
    id: 'mysql',
    name: 'MySQL',
    category: 'databases',
    hint: 'A user with SELECT on the database is enough. An encrypted connection needs the name of the host, not its address.',
    documentationUrl: 'https://dev.mysql.com/doc/',
    driver: 'mysql',
    defaults: {},
    isProven: false,
    hasChanges: true
  },
  {
    id: 'mariadb',
    name: 'MariaDB',
    category: 'databases',
    hint: 'A user with SELECT on the database is enough. An encrypted connection needs the name of the host, not its address.',
    documentationUrl: 'https://mariadb.com/kb/en/documentation/',
    driver: 'mysql',
    defaults: {},
    isProven: true,
    hasChanges: true
  },
  {
    id: 'tidb',
    name: 'TiDB',
    category: 'databases',
    hint: 'Its usual port is 4000.',
    documentationUrl: 'https://docs.pingcap.com/',
    driver: 'mysql',
    defaults: { port: 4000, database: 'test' },
    isProven: false
  },
  {
    id: 'singlestore',
    name: 'SingleStore',
    category: 'warehouses',
    hint: 'Connect to an aggregator.',
    documentationUrl: 'https://docs.singlestore.com/',
    driver: 'mysql',
    defaults: {},
    isProven: false
  },
  {
    id: 'planetscale',
    name: 'PlanetScale',
    category: 'databases',
    hint: 'Use a password of the role reader, and the host that it was made for.',
    documentationUrl: 'https://planetscale.com/docs',
    driver: 'mysql',
    defaults: { host: 'aws.connect.psdb.cloud', tls: true },
    isProven: false
  },
  {
    id: 'aurora-mysql',
    name: 'Amazon Aurora MySQL',
    category: 'databases',
    hint: 'Use the endpoint of the readers, so that reads do not take from what writes.',
    documentationUrl: 'https://docs.aws.amazon.com/AmazonRDS/latest/AuroraUserGuide/',
    driver: 'mysql',
    defaults: { host: 'my-cluster.cluster-ro-abc123.eu-west-1.rds.amazonaws.com', tls: true },
    isProven: false,
    hasChanges: true
  }
]
