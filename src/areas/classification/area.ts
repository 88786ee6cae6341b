import { declareArea } from '../../area.ts'

declare module '../../engines/bus/index.ts' {
  interface Events {
    'classification-level.created': { readonly id: string }
    'classification-level.updated': { readonly id: string }
    'classification-level.deleted': { readonly id: string }
    'classification.created': { readonly id: string }
    'classification.updated': { readonly id: string }
    'classification.deleted': { readonly id: string }
  }
}

declare module '../../http/params.ts' {
  interface Resources {
    classification: 'classification-level' | 'classification'
  }
}

declare module '../../http/permissions.ts' {
  interface Permissions {
    classification: 'read' | 'write' | 'admin'
  }
}

export const classification = declareArea({
  name: 'classification',
  about: 'Levels of secrecy, and what has which.',
  paths: ['/api/classification'],
  permissions: ['classification:read', 'classification:write', 'classification:admin'],
  migrations: {
    ids: ['classification/001-classification'],
    load: async () => (await import('./migrations.ts')).classificationMigrations
  },
  load: async () => (await import('./body.ts')).classificationBody
})
