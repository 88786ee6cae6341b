import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../../engines/metadata/index.ts'
import { type AuditKeys, GENESIS, MAX_LANES, rowHash } from './chain.ts'
import type { AuditHeadRow, AuditRow, CheckpointRow } from './migrations.ts'

const CHUNK = 500

export interface BadRow {
  readonly lane: number
  readonly seq: number
  readonly id: string | null
  readonly reason: 'changed' | 'missing' | 'cut_off' | 'not_ours' | 'head_altered' | 'checkpoint_altered'
  readonly message: string
}

export interface Verification {
  readonly ok: boolean
  readonly rowsChecked: number
  readonly checkpointsChecked: number
  /** The first bad row of the lowest lane that has one. */
  readonly firstBad: BadRow | null
}

/**
 * Checks every row, the end of every chain and every checkpoint. Reads in chunks, so that other requests get their
 * turn.
 */
export async function verifyAudit(db: Db, keys: AuditKeys, anchors: readonly CheckpointRow[]): Promise<Verification> {
  // Checkpoints are read before heads, so that a checkpoint written meanwhile does not seem to lie beyond the end of
  // its lane.
  const newest = await readNewestCheckpoints(db)
  const heads = await db.selectFrom('audit_heads').selectAll().execute()
  const rowLanes = await db.selectFrom('audit_logs').select('lane').distinct().execute()
  const found = [...heads, ...rowLanes, ...anchors, ...newest].map(({ lane }) => lane)
  const lanes = new Set([...Array(MAX_LANES).keys(), ...found])
  const counts = { rowsChecked: 0, checkpointsChecked: 0 }
  for (const lane of [...lanes].sort((a, b) => a - b)) {
    const of = <T extends { lane: number }>(rows: readonly T[]) => rows.find((row) => row.lane === lane)
    const question = { db, keys, lane, head: of(heads), anchor: of(anchors), newest: of(newest), counts }
    const firstBad = await verifyLane(question)
    if (firstBad !== undefined) return { ok: false, ...counts, firstBad }
  }
  return { ok: true, ...counts, firstBad: null }
}

interface LaneQuestion {
  readonly db: Db
  readonly keys: AuditKeys
  readonly lane: number
  readonly head: AuditHeadRow | undefined
  /** The newest checkpoint in the file beside the database, and the newest in the database. */
  readonly anchor: CheckpointRow | undefined
  readonly newest: CheckpointRow | undefined
  readonly counts: { rowsChecked: number; checkpointsChecked: number }
}

async function verifyLane(question: LaneQuestion): Promise<BadRow | undefined> {
  const { db, keys, lane, head, anchor, counts } = question
  let last = { seq: 0, hash: GENESIS }
  const reach = head?.seq ?? 0 // rows beyond may be added while this runs
  for (;;) {
    const rows = await readChunk(db, lane, last.seq, reach)
    const checkpoints = await readCheckpoints(db, lane, last.seq, rows.at(-1)?.seq ?? 0)
    for (const row of rows) {
      const bad = checkRow(row, last) ?? checkCheckpoint(checkpoints.get(row.seq), row, keys)
      if (bad !== undefined) return bad
      if (anchor?.seq === row.seq) {
        const altered = checkCheckpoint(anchor, row, keys)
        if (altered !== undefined) return altered
      }
      last = row
    }
    counts.rowsChecked += rows.length
    counts.checkpointsChecked += checkpoints.size
    if (rows.length < CHUNK) break
    await nextTurn()
  }
  return checkEnd(question, last)
}

/** Checks that the chain, which is whole as far as it goes, ends exactly where it should. */
async function checkEnd({ db, keys, lane, head, anchor, newest }: LaneQuestion, last: { seq: number; hash: string }) {
  if (head === undefined && lane < MAX_LANES) {
    return bad(lane, 0, null, 'head_altered', 'The record of where the chain ends was removed.')
  }
  if (head !== undefined && head.seq > 0 && !keys.isHeadCode(head, head.code)) {
    return bad(lane, head.seq, null, 'head_altered', 'The record of where the chain ends was altered.')
  }
  if (newest !== undefined && newest.seq > last.seq && !keys.isSignature(newest, newest.signature)) {
    return bad(lane, newest.seq, null, 'checkpoint_altered', 'The newest checkpoint was altered.')
  }
  const known = Math.max(head?.seq ?? 0, anchor?.seq ?? 0, newest?.seq ?? 0)
  if (last.seq < known) {
    return bad(lane, last.seq + 1, null, 'cut_off', `Rows ${last.seq + 1} to ${known} were cut off.`)
  }
  if (head !== undefined && head.hash !== last.hash) {
    return bad(lane, last.seq, null, 'changed', 'The last row is not the one that was written.')
  }
  const stray = await readStray(db, lane)
  if (stray === undefined) return undefined
  return bad(lane, stray.seq, stray.id, 'not_ours', 'The row was not written by this server.')
}

function checkRow(row: AuditRow, last: { seq: number; hash: string }): BadRow | undefined {
  if (row.seq !== last.seq + 1) {
    return bad(row.lane, last.seq + 1, null, 'missing', `Rows ${last.seq + 1} to ${row.seq - 1} were removed.`)
  }
  if (row.previous_hash !== last.hash || row.hash !== rowHash(last.hash, row)) {
    return bad(row.lane, row.seq, row.id, 'changed', 'The row is not as it was written.')
  }
  return undefined
}

function checkCheckpoint(checkpoint: CheckpointRow | undefined, row: AuditRow, keys: AuditKeys): BadRow | undefined {
  if (checkpoint === undefined) return undefined
  if (!keys.isSignature(checkpoint, checkpoint.signature)) {
    return bad(row.lane, row.seq, row.id, 'checkpoint_altered', 'The checkpoint at this row was altered.')
  }
  if (checkpoint.hash !== row.hash) {
    return bad(row.lane, row.seq, row.id, 'changed', 'The row is not the one that a signed checkpoint names.')
  }
  return undefined
}

function readChunk(db: Db, lane: number, after: number, reach: number) {
  return db
    .selectFrom('audit_logs')
    .selectAll()
    .where('lane', '=', lane)
    .where('seq', '>', after)
    .where('seq', '<=', reach)
    .orderBy('seq')
    .limit(CHUNK)
    .execute()
}

/** A row outside its chain: before the first, or after the end that the lane has at the time of this query. */
function readStray(db: Db, lane: number) {
  const end = db.selectFrom('audit_heads').select('seq').where('lane', '=', lane)
  return db
    .selectFrom('audit_logs')
    .select(['seq', 'id'])
    .where('lane', '=', lane)
    .where((row) => row.or([row('seq', '<', 1), row('seq', '>', row.fn.coalesce(end, row.lit(0)))]))
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
}

function readNewestCheckpoints(db: Db): Promise<CheckpointRow[]> {
  const newest = db.selectFrom('audit_checkpoints').select((row) => ['lane', row.fn.max('seq').as('seq')])
  return db
    .selectFrom('audit_checkpoints as checkpoint')
    .innerJoin(newest.groupBy('lane').as('newest'), (join) =>
      join.onRef('newest.lane', '=', 'checkpoint.lane').onRef('newest.seq', '=', 'checkpoint.seq')
    )
    .selectAll('checkpoint')
    .execute()
}

async function readCheckpoints(db: Db, lane: number, after: number, to: number): Promise<Map<number, CheckpointRow>> {
  const rows = await db
    .selectFrom('audit_checkpoints')
    .selectAll()
    .where('lane', '=', lane)
    .where('seq', '>', after)
    .where('seq', '<=', to)
    .execute()
  return new Map(rows.map((row) => [row.seq, row]))
}

function bad(lane: number, seq: number, id: string | null, reason: BadRow['reason'], message: string): BadRow {
  return { lane, seq, id, reason, message }
}
