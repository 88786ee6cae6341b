import './errors.ts'
import { declareArea } from '../../area.ts'

declare module '../../engines/bus/index.ts' {
  interface Events {
    'schema.created': { readonly id: string }
    'schema.updated': { readonly id: string }
    'schema.deleted': { readonly id: string }
    'schema-version.created': { readonly id: string }
    'schema-version.updated': { readonly id: string }
    'schema-version.deleted': { readonly id: string }
    'schema-settings.updated': { readonly id: string }
  }
}

declare module '../../http/params.ts' {
  interface Resources {
    schemas: 'schema' | 'schema-content'
  }
}

declare module '../../http/permissions.ts' {
  interface Permissions {
    schemas: 'read' | 'write' | 'admin'
  }
}

export const schemas = declareArea({
  name: 'schemas',
  about: 'Schemas of data in Avro, JSON Schema and Protobuf, their versions, and which of them get on with each other.',
  // Clients of Confluent Schema Registry are given the second path as the address of their registry.
  paths: ['/api/schemas', '/schema-registry'],
  permissions: ['schemas:read', 'schemas:write', 'schemas:admin'],
  migrations: {
    ids: ['schemas/001-schemas'],
    load: async () => (await import('./migrations.ts')).schemasMigrations
  },
  load: async () => (await import('./body.ts')).schemasBody
})
