import './errors.ts'
import { declareArea } from '../../area.ts'

declare module '../../engines/bus/index.ts' {
  interface Events {
    'lineage-node.updated': { readonly id: string }
  }
}

declare module '../../http/params.ts' {
  interface Resources {
    lineage: 'lineage-node'
  }
}

declare module '../../http/permissions.ts' {
  interface Permissions {
    lineage: 'read' | 'write'
  }
}

export const lineage = declareArea({
  name: 'lineage',
  about: 'Where data came from, what it became, and what breaks if it stops.',
  paths: ['/api/lineage', '/api/v1'],
  permissions: ['lineage:read', 'lineage:write'],
  migrations: {
    ids: ['lineage/001-graph'],
    load: async () => (await import('./migrations.ts')).lineageMigrations
  },
  load: async () => (await import('./body.ts')).lineageBody
})
