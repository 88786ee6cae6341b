import type { DriverName, SourceFacts } from './catalogue/facts.ts'
import type { Driver } from './index.ts'

/** What stands behind each driver is loaded when it is first used. */
const LOADERS: Readonly<Record<Exclude<DriverName, 'declared'>, () => Promise<Driver>>> = {
  postgres: async () => (await import('./sql/driver.ts')).sqlDriver('postgres'),
  mysql: async () => (await import('./sql/driver.ts')).sqlDriver('mysql'),
  clickhouse: async () => (await import('./sql/driver.ts')).sqlDriver('clickhouse'),
  redis: async () => (await import('./queues/redis/driver.ts')).redisDriver,
  nats: async () => (await import('./queues/nats/driver.ts')).natsDriver,
  mqtt: async () => (await import('./queues/mqtt/driver.ts')).mqttDriver,
  rabbitmq: async () => (await import('./queues/rabbitmq/driver.ts')).rabbitDriver,
  kafka: async () => (await import('./queues/kafka/driver.ts')).kafkaDriver,
  modbus: async () => (await import('./modbus/driver.ts')).modbusDriver,
  snmp: async () => (await import('./snmp/driver.ts')).snmpDriver,
  influxdb: async () => (await import('./influxdb/driver.ts')).influxDriver,
  prometheus: async () => (await import('./prometheus/driver.ts')).prometheusDriver,
  opcua: async () => (await import('./opcua/driver.ts')).opcuaDriver,
  sftp: async () => (await import('./sftp/driver.ts')).sftpDriver,
  ftp: async () => (await import('./ftp/driver.ts')).ftpDriver,
  s3: async () => (await import('./objects/driver.ts')).objectsDriver('s3'),
  azure: async () => (await import('./objects/driver.ts')).objectsDriver('azure'),
  gcs: async () => (await import('./objects/driver.ts')).objectsDriver('gcs'),
  'http-file': async () => (await import('./http-file/driver.ts')).httpFileDriver,
  sqlite: async () => (await import('./file-databases/driver.ts')).fileDatabaseDriver('sqlite'),
  duckdb: async () => (await import('./file-databases/driver.ts')).fileDatabaseDriver('duckdb'),
  'google-sheets': async () => (await import('./google-sheets/driver.ts')).sheetsDriver(),
  elasticsearch: async () => (await import('./search/driver.ts')).searchDriver('elasticsearch'),
  opensearch: async () => (await import('./search/driver.ts')).searchDriver('opensearch'),
  mongodb: async () => (await import('./mongodb/driver.ts')).mongoDriver,
  sqlserver: async () => (await import('./sqlserver/driver.ts')).sqlServerDriver,
  trino: async () => (await import('./trino/driver.ts')).trinoDriver,
  snowflake: async () => (await import('./snowflake/driver.ts')).snowflakeDriver(),
  bigquery: async () => (await import('./bigquery/driver.ts')).bigQueryDriver(),
  oracle: async () => (await import('./oracle/driver.ts')).oracleDriver,
  neo4j: async () => (await import('./neo4j/driver.ts')).neo4jDriver,
  cassandra: async () => (await import('./cassandra/driver.ts')).cassandraDriver
}

/** The driver of a source that has code of its own; that of an entry is made of the entry. */
export function driverOf({ driver }: SourceFacts): Promise<Driver> {
  if (driver === 'declared') throw new Error('a declared source has its entry for a driver')
  return LOADERS[driver]()
}
