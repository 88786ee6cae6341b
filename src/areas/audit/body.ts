import type { AreaBody, AreaNeeds } from '../../area.ts'
import { anchorFile } from '../../platform.ts'
import { createAuditKeys } from './chain.ts'
import { auditRoutes } from './routes.ts'
import { Audit } from './service.ts'

declare module '../../area.ts' {
  interface Services {
    audit: Audit
  }
}

export function auditBody(needs: AreaNeeds): AreaBody {
  const audit = new Audit({
    ...needs,
    keys: createAuditKeys(needs.vault),
    anchorFile: anchorFile(needs.config),
    requireUser: async (id) => (await needs.service('users')).get(id),
    announce: (checkpoint) => needs.log.info({ checkpoint }, 'audit checkpoint')
  })
  return {
    routes: auditRoutes(audit),
    service: audit,
    jobs: { 'audit.checkpoint': () => audit.writeCheckpoints() },
    async stop() {
      await audit.writeCheckpoints()
    }
  }
}
