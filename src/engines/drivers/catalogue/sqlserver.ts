import type { SourceFacts } from './facts.ts'

export const SQL_SERVER_FAMILY: readonly SourceFacts[] = [
  {
    id: 'sqlserver',
    name: 'Microsoft SQL Server',
    category: 'databases',
    hint: 'Logins of the server only, no Windows accounts. The role db_datareader is enough.',
    documentationUrl: 'https://learn.microsoft.com/sql/',
    driver: 'sqlserver',
    defaults: {},
    isProven: false
  },
  {
    id: 'azure-sql',
    name: 'Azure SQL Database',
    category: 'databases',
    hint: 'Set the connection policy of the server to Proxy, and permit the address of this server in its firewall.',
    documentationUrl: 'https://learn.microsoft.com/azure/azure-sql/',
    driver: 'sqlserver',
    defaults: { host: 'my-server.database.windows.net', tls: true },
    isProven: false
  },
  {
    id: 'azure-synapse',
    name: 'Azure Synapse',
    category: 'warehouses',
    hint: 'The dedicated or serverless SQL endpoint of the workspace; its primary keys are not enforced.',
    documentationUrl: 'https://learn.microsoft.com/azure/synapse-analytics/',
    driver: 'sqlserver',
    defaults: { host: 'my-workspace.sql.azuresynapse.net', tls: true },
    isProven: false
  }
]
