import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '../../engines/clock.ts'
import type { Metadata } from '../../engines/metadata/index.ts'
import type { AuditKeys } from './chain.ts'
import type { CheckpointRow } from './migrations.ts'

export interface CheckpointNeeds {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly keys: AuditKeys
  /**
   * A file beside the database, so that missing rows are noticed even where their checkpoints were deleted with them.
   */
  readonly anchorFile: string
  readonly announce: (checkpoint: CheckpointRow) => void
}

/** Signs the end of every lane that has grown since its last checkpoint; answers how many. */
export async function writeCheckpoints({
  metadata,
  clock,
  keys,
  anchorFile,
  announce
}: CheckpointNeeds): Promise<number> {
  const written = await metadata.transaction(async (tx) => {
    const heads = await tx.selectFrom('audit_heads').selectAll().where('seq', '>', 0).orderBy('lane').execute()
    const made: CheckpointRow[] = []
    for (const { lane, seq, hash } of heads) {
      const known = await tx
        .selectFrom('audit_checkpoints')
        .select('seq')
        .where('lane', '=', lane)
        .where('seq', '=', seq)
        .executeTakeFirst()
      if (known !== undefined) continue
      const checkpoint = { lane, seq, hash, time: clock.iso() }
      made.push({ ...checkpoint, signature: keys.signCheckpoint(checkpoint) })
    }
    if (made.length > 0) await tx.insertInto('audit_checkpoints').values(made).execute()
    return made
  })
  if (written.length === 0) return 0
  writeAnchors(anchorFile, written)
  for (const checkpoint of written) announce(checkpoint)
  return written.length
}

/** The newest anchor of each lane; a line that was cut by a crash is passed over. */
export function readAnchors(anchorFile: string): CheckpointRow[] {
  if (!existsSync(anchorFile)) return []
  const newest = new Map<number, CheckpointRow>()
  for (const line of readFileSync(anchorFile, 'utf8').split('\n')) {
    try {
      const anchor = JSON.parse(line) as CheckpointRow
      if (anchor.seq > (newest.get(anchor.lane)?.seq ?? 0)) newest.set(anchor.lane, anchor)
    } catch {
      // an empty or incomplete line
    }
  }
  return [...newest.values()]
}

/** Keeps the newest checkpoint of each lane only: its chain vouches for everything before it. */
function writeAnchors(file: string, checkpoints: readonly CheckpointRow[]): void {
  mkdirSync(dirname(file), { recursive: true }) // with a remote database nothing else has made the folder
  const newest = new Map([...readAnchors(file), ...checkpoints].map((anchor) => [anchor.lane, anchor]))
  const aside = `${file}.${process.pid}`
  const handle = openSync(aside, 'w', 0o600)
  try {
    writeFileSync(handle, [...newest.values()].map((anchor) => `${JSON.stringify(anchor)}\n`).join(''))
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(aside, file)
}
