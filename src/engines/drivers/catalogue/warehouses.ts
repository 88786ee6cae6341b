import type { SourceFacts } from './facts.ts'

export const WAREHOUSES: readonly SourceFacts[] = [
  {
    id: 'trino',
    name: 'Trino',
    category: 'warehouses',
    hint: 'Connect to the coordinator. A password is sent with encryption only; reading by a cursor has the cluster sort the table.',
    documentationUrl: 'https://trino.io/docs/current/',
    driver: 'trino',
    defaults: { tls: true },
    isProven: false
  },
  {
    id: 'starburst',
    name: 'Starburst',
    category: 'warehouses',
    hint: 'In Starburst Galaxy the user ends with a slash and the name of the role.',
    documentationUrl: 'https://docs.starburst.io/',
    driver: 'trino',
    defaults: { host: 'my-cluster.trino.galaxy.starburst.io', tls: true },
    isProven: false
  },
  {
    id: 'snowflake',
    name: 'Snowflake',
    category: 'warehouses',
    authentication: 'token',
    hint: 'A programmatic access token; names are in capitals unless they were made in quotes. Each statement starts the warehouse.',
    documentationUrl: 'https://docs.snowflake.com/',
    driver: 'snowflake',
    defaults: {},
    isProven: false
  },
  {
    id: 'bigquery',
    name: 'Google BigQuery',
    category: 'warehouses',
    authentication: 'key',
    hint: 'A service account with the roles BigQuery Job User and, on the dataset, BigQuery Data Viewer. Statements cost by what they scan.',
    documentationUrl: 'https://cloud.google.com/bigquery/docs',
    driver: 'bigquery',
    defaults: {},
    isProven: false
  }
]
