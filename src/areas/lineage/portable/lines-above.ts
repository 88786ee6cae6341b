import type { Db } from '../../../engines/metadata/index.ts'
import { Problem } from '../../../errors.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { RequireEnds } from '../links/levels.ts'
import { findPresent } from '../links/store.ts'
import { nodeKey } from '../references.ts'
import type { Numbered, Refused } from './import.ts'

/** Lines that would change a link that holds here, which the caller has not the clearance for: a level may have come by it. */
export async function linesAbove(
  db: Db,
  requireEnds: RequireEnds,
  actor: Actor,
  lines: readonly Numbered[]
): Promise<Refused[]> {
  const refused: Refused[] = []
  for (const { number, line } of lines) {
    if (line.type !== 'link') continue
    const { id, version, from, to } = line
    const present = await findPresent(db, { from_node: nodeKey(from), to_node: nodeKey(to) })
    if (present === undefined || (present.id === id && present.version >= version)) continue
    try {
      await requireEnds(actor, line)
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'above_clearance')) throw error
      refused.push({ line: number, message: `would change a link that holds here. ${error.detail}` })
    }
  }
  return refused
}
