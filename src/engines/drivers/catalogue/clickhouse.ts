import type { SourceFacts } from './facts.ts'

export const CLICKHOUSE: SourceFacts = {
  id: 'clickhouse',
  name: 'ClickHouse',
  category: 'warehouses',
  hint: 'This is its HTTP interface: port 8123, or 8443 with encryption.',
  documentationUrl: 'https://clickhouse.com/docs',
  driver: 'clickhouse',
  defaults: { user: 'default', database: 'default' },
  isProven: true
}
