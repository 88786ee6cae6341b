import type { Jobs } from '../../engines/jobs/index.ts'
import type { Area } from '../../http/route.ts'
import { auditMigrations } from './migrations.ts'
import { auditRoutes } from './routes.ts'
import type { Audit } from './service.ts'

export { createAuditKeys } from './chain.ts'
export { readAnchors } from './checkpoints.ts'
export { Audit } from './service.ts'
export { createAuditTrail } from './trail.ts'
export { verifyAudit } from './verify.ts'

const CHECKPOINT_EVERY_MS = 60_000

export function auditArea(audit: Audit, jobs: Jobs): Area {
  jobs.every('audit.checkpoint', CHECKPOINT_EVERY_MS, () => audit.writeCheckpoints())
  return {
    name: 'audit',
    about: 'Who changed what and when, in a chain that shows when it was tampered with.',
    migrations: auditMigrations,
    routes: auditRoutes(audit),
    async stop() {
      await audit.writeCheckpoints()
    }
  }
}
