import type { SourceFacts } from './facts.ts'

export const GRAPHS: readonly SourceFacts[] = [
  {
    id: 'neo4j',
    name: 'Neo4j',
    category: 'databases',
    hint: 'Version 5.19 or later, by its Query API over HTTP. The role reader is enough.',
    documentationUrl: 'https://neo4j.com/docs/',
    driver: 'neo4j',
    defaults: { database: 'neo4j', user: 'neo4j' },
    isProven: false
  },
  {
    id: 'neo4j-aura',
    name: 'Neo4j Aura',
    category: 'databases',
    hint: 'The host of the instance without its scheme, at port 443.',
    documentationUrl: 'https://neo4j.com/docs/aura/',
    driver: 'neo4j',
    defaults: { host: 'abc12345.databases.neo4j.io', port: 443, tls: true, database: 'neo4j', user: 'neo4j' },
    isProven: false
  }
]
