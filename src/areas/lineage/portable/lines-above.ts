import type { Db } from '../../../engines/metadata/index.ts'
import { Problem } from '../../../errors.ts'
import type { Actor } from '../../../http/permissions.ts'
import { type Above, lowering, type Written, writtenName } from '../columns/lowering.ts'
import type { RequireEnds } from '../links/levels.ts'
import { findPresent } from '../links/store.ts'
import { nodeKey } from '../references.ts'
import type { Numbered, Refused } from './import.ts'
import type { Line } from './lines.ts'

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

/** Lines that tell columns which would take a level away that the caller may not see. */
export async function columnsAbove(
  db: Db,
  classification: () => Promise<Above>,
  actor: Actor,
  lines: readonly Numbered[]
): Promise<Refused[]> {
  const told = lines.map(({ number, line }) => ({ number, written: writtenOf(line) }))
  const left = await lowering(
    db,
    classification,
    actor,
    told.flatMap(({ written }) => written)
  )
  return told
    .filter(({ written }) => written.some((one) => left.has(writtenName(one))))
    .map(({ number }) => ({
      line: number,
      message: 'tells columns of data whose level you may not see, and could take it away'
    }))
}

function writtenOf(line: Line): Written[] {
  if (line.type !== 'runs' && line.type !== 'past') return []
  const facts = line.type === 'runs' ? line.facts : [line.fact]
  return facts.flatMap((fact) => (fact.length > 2 ? [{ job: nodeKey(line.job), data: fact[2] as string }] : []))
}
