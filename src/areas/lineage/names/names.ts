import type { Db } from '../../../engines/metadata/index.ts'
import { deleteRows, insertRows } from '../claims/fact-rows.ts'
import type { EdgeRow } from '../migrations.ts'
import { saveNodes } from '../nodes/store.ts'
import { nodeKey } from '../references.ts'
import type { Provenance } from '../sighting.ts'

/** Somebody says that two references name the same data, or that one is what the other was called before. */
export interface NameNews {
  readonly from: string
  readonly to: string
  readonly type: 'same' | 'renamed'
  /** When it was so at the latest. */
  readonly timeMs: number
  readonly provenance: Provenance
}

/**
 * Writes edges between names. Told again, or in another order, it comes to the same: it is so since the earliest time, and
 * what is said to be the same is not shown as renamed.
 */
export async function addNames(tx: Db, news: readonly NameNews[]): Promise<void> {
  const apart = news.filter(({ from, to }) => from !== to)
  await saveNodes(tx, new Map(apart.flatMap(({ from, to }) => [[from, {}] as const, [to, {}] as const])))
  for (const one of apart) await addName(tx, one)
}

async function addName(tx: Db, { from, to, type, timeMs, provenance: { how, who } }: NameNews): Promise<void> {
  const row: EdgeRow = {
    from_node: nodeKey(from),
    to_node: nodeKey(to),
    how,
    started_ms: timeMs,
    ended_ms: null,
    job: '',
    type,
    seen_ms: null,
    runs: 0,
    who
  }
  const known = await tx
    .selectFrom('lineage_edges')
    .selectAll()
    .where('from_node', '=', row.from_node)
    .where('to_node', '=', row.to_node)
    .where('how', '=', how)
    .where('job', '=', '')
    .where('type', 'in', ['same', 'renamed'])
    .forUpdate()
    .execute()
  // Two who told it first at the same time have written a row each.
  const all = [...known, row]
  const first = all.reduce((a, b) => (isEarlier(b, a) ? b : a))
  const wanted = { ...first, type: all.some((one) => one.type === 'same') ? ('same' as const) : type }
  if (known.length === 1 && known[0] === first && known[0].type === wanted.type) return
  await deleteRows(tx, known)
  await insertRows(tx, [wanted])
}

const isEarlier = (a: EdgeRow, b: EdgeRow): boolean =>
  a.started_ms < b.started_ms || (a.started_ms === b.started_ms && (a.who ?? '') < (b.who ?? ''))
