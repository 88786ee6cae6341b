import { parseReference } from '../../../data/reference.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Classification, Guard } from '../../classification/index.ts'

/** Refuses those who may not see what a link is between, by the references of its ends. */
export type RequireEnds = (actor: Actor, ends: { readonly from: string; readonly to: string }) => Promise<void>

/** What the area of classification says of who may see some data. */
type Levels = Pick<Classification, 'requireOutside'> & { readonly guard: Pick<Guard, 'requireAll'> }

/** Without the link, a level that has come by it would go, and whoever may not see data may not lower their level. */
export function requireEndsWith(levels: () => Promise<Levels>): RequireEnds {
  return async (actor, { from, to }) => {
    const classification = await levels()
    const { data = [], others = [] } = Object.groupBy([from, to], (end) =>
      'problem' in parseReference(end) ? 'others' : 'data'
    )
    await classification.guard.requireAll(actor, data)
    await classification.requireOutside(actor, others)
  }
}
