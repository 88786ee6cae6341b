import { declareArea } from '../../area.ts'
import { type Db, hasRows } from '../../engines/metadata/index.ts'

declare module '../../http/permissions.ts' {
  interface Permissions {
    audit: 'admin'
  }
}

export const audit = declareArea({
  name: 'audit',
  about: 'Who changed what and when, in a chain that shows when it was tampered with.',
  paths: ['/api/audit'],
  permissions: ['audit:admin'],
  migrations: {
    ids: ['audit/001-audit', 'audit/002-api-keys'],
    load: async () => (await import('./migrations.ts')).auditMigrations
  },
  jobs: {
    'audit.checkpoint': {
      everyMs: 60_000,
      isNeeded: hasLogs
    }
  },
  // Rows written since the last checkpoint are signed at the end of the server.
  endsWith: hasLogs,
  examine: async (installation) => (await import('./examine.ts')).checkAudit(installation),
  load: async () => (await import('./body.ts')).auditBody
})

function hasLogs(db: Db): Promise<boolean> {
  return hasRows(db.selectFrom('audit_logs'))
}
