import { Problem } from '../../../errors.ts'
import { requireRead } from '../../../http/data-rights.ts'
import { can } from '../../../http/permissions.ts'
import type { Asker, Guard } from '../../classification/index.ts'
import type { Viewer } from './viewer.ts'

/** Somebody with a role or an API key, who sees what these allow. */
export function viewerOf(asker: Asker, guard: Pick<Guard, 'masksFor' | 'requireTags'>): Viewer {
  const { actor } = asker
  return {
    requireRead: (reference) => requireRead(actor, reference),
    masksFor: (relations) => guard.masksFor(asker, relations),
    requireTags: (sourceId, tags) => guard.requireTags(actor, sourceId, tags),
    requireLineage() {
      const permission = 'lineage:read'
      if (!can(actor, permission)) throw new Problem('permission_denied', { members: { permission } })
    }
  }
}
