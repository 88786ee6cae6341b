import { formatReference } from '../../../data/reference.ts'
import { requireRead } from '../../../http/data-rights.ts'
import { type Actor, can } from '../../../http/permissions.ts'
import type { Guard } from '../../classification/index.ts'
import type { Viewer } from '../data/viewer.ts'
import { ERRORS, Problem } from '../errors.ts'
import type { ShareRow } from './migrations.ts'

/** Pictures show it without the title of the error, so it begins with what is wrong. */
const ABOVE = `The data are classified higher than this link may show. ${ERRORS.share_above_level.detail}`

type Asked = Pick<Guard, 'isAbove' | 'requireAll'>

/**
 * Whoever has a link sees what the link was made for, and nothing that whoever made it may not see now. Nothing is masked:
 * what is above is refused, so that a picture never mixes what is with what is hidden.
 */
export function shareViewer(share: Pick<ShareRow, 'shows_rank' | 'max_rows'>, maker: Actor, guard: Asked): Viewer {
  const require = async (data: readonly string[]) => {
    await requireShown(share, maker, guard, data)
  }
  return {
    maxRows: share.max_rows,
    requireRead: (reference) => requireRead(maker, reference),
    requireLineage() {
      const permission = 'lineage:read'
      if (!can(maker, permission)) throw new Problem('permission_denied', { members: { permission } })
    },
    masksFor: async (relations) => {
      await require(Object.values(relations))
      return new Map()
    },
    requireTags: (sourceId, tags = ['']) =>
      require(tags.map((path) => formatReference({ scheme: 'series', owner: sourceId, path })))
  }
}

/** Refuses data that a link may not show, whatever the reason. */
export async function requireShown(
  { shows_rank }: Pick<ShareRow, 'shows_rank'>,
  maker: Actor,
  guard: Asked,
  data: readonly string[]
): Promise<void> {
  if (await guard.isAbove(data, shows_rank)) throw new Problem('share_above_level', { detail: ABOVE })
  try {
    await guard.requireAll(maker, data)
  } catch (error) {
    // What the maker may not see, and why, is not for viewers.
    throw new Problem('share_above_level', { detail: ABOVE, cause: error })
  }
}
