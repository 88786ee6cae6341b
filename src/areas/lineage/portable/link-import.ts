import type { Db } from '../../../engines/metadata/index.ts'
import { markInto } from '../../classification/index.ts'
import { findPresent } from '../links/store.ts'
import { typeOf } from '../links/type-of.ts'
import type { EdgeRow, LinkRow, MappingRow } from '../migrations.ts'
import { nodeKey } from '../references.ts'
import type { LineOf } from './lines.ts'

/** Adds a link as another server has it, or what has become of it there since; answers why it can't be. */
export async function addLink(tx: Db, line: LineOf<'link'>): Promise<string | undefined> {
  const type = typeOf(line.from, line.to)
  if (typeof type !== 'string') return `${type.pointer} ${type.message}`
  const row = rowOf(line)
  const before = await tx
    .selectFrom('lineage_links')
    .selectAll()
    .where('id', '=', row.id)
    .forUpdate()
    .executeTakeFirst()
  if (before !== undefined && (before.from_node !== row.from_node || before.to_node !== row.to_node)) {
    return 'is between others than the link of this id here'
  }
  if (before !== undefined && before.version >= row.version) return undefined
  const present = row.ended_at === null ? await findPresent(tx, row) : undefined
  if (present !== undefined && present.id !== row.id)
    return `is between the same two as ${present.id}, which holds here`
  await tx
    .insertInto('lineage_links')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
  await savePeriods(tx, row, type, line)
  await markInto(tx, [row.to_node])
  return undefined
}

const rowOf = (line: LineOf<'link'>): LinkRow => ({
  id: line.id,
  from_node: nodeKey(line.from),
  to_node: nodeKey(line.to),
  note: line.note,
  columns: JSON.stringify(line.columns),
  created_by: line.createdBy,
  created_at: line.createdAt,
  updated_at: line.updatedAt,
  ended_at: line.endedAt,
  version: line.version
})

async function savePeriods(
  tx: Db,
  { from_node, to_node, created_at, created_by, ended_at }: LinkRow,
  type: EdgeRow['type'],
  { periods }: LineOf<'link'>
): Promise<void> {
  const startedMs = Date.parse(created_at)
  const endedMs = ended_at === null ? null : Date.parse(ended_at)
  const lasting = (from: number, to: number | null, who: string) => ({
    started_ms: from,
    ended_ms: to,
    seen_ms: to,
    runs: 0,
    who
  })
  if (endedMs === null || endedMs > startedMs) {
    const edge: EdgeRow = {
      from_node,
      to_node,
      how: 'manual',
      job: '',
      type,
      ...lasting(startedMs, endedMs, created_by)
    }
    await tx
      .insertInto('lineage_edges')
      .values(edge)
      .onConflict((conflict) => conflict.columns(['from_node', 'to_node', 'how', 'started_ms']).doUpdateSet(edge))
      .execute()
  }
  for (const { from, to, kind, who, ...period } of periods) {
    const mapping: MappingRow = {
      job: '',
      how: 'manual',
      from_node,
      from_column: from ?? '',
      to_node,
      to_column: to ?? '',
      kind,
      ...lasting(period.startedMs, period.endedMs, who)
    }
    await tx
      .insertInto('lineage_mappings')
      .values(mapping)
      .onConflict((conflict) => conflict.columns(MAPPING_KEY).doUpdateSet(mapping))
      .execute()
  }
}

const MAPPING_KEY = ['job', 'how', 'from_node', 'from_column', 'to_node', 'to_column', 'kind', 'started_ms'] as const
