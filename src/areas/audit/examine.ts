import type { Db } from '../../engines/metadata/index.ts'
import { type Finding, fail, type Installation, ok, warn } from '../../finding.ts'
import { anchorFile, vaultFits } from '../../platform.ts'
import { createAuditKeys } from './chain.ts'
import { readAnchors } from './checkpoints.ts'

/** The server writes a checkpoint each minute in which something happened. */
const LATE_MS = 600_000
const SUBJECT = 'audit trail'

/** Checks the ends of the chains only; `millrace audit verify` checks every row. */
export async function checkAudit({ config, metadata, vault }: Installation): Promise<Finding[]> {
  if (metadata === undefined || vault === undefined) return []
  const { db } = metadata
  if (!(await vaultFits(db, vault))) return [] // every proof would look forged
  const anchors = readAnchors(anchorFile(config))
  const newest = await newestCheckpoint(db)
  const heads = await db.selectFrom('audit_heads').selectAll().where('seq', '>', 0).execute()
  const keys = createAuditKeys(vault)
  const forged = [...anchors, ...(newest === undefined ? [] : [newest])].some(
    (checkpoint) => !keys.isSignature(checkpoint, checkpoint.signature)
  )
  const shortened = anchors.some(({ lane, seq }) => seq > (heads.find((head) => head.lane === lane)?.seq ?? 0))
  if (forged || shortened || heads.some((head) => !keys.isHeadCode(head, head.code))) {
    return [fail(SUBJECT, "it was tampered with or cut off: 'millrace audit verify' says where")]
  }
  return [describe(newest, await rowTime(db, 'asc'), await rowTime(db, 'desc'))]
}

function describe(
  newest: { lane: number; seq: number; time: string } | undefined,
  firstRow: string | undefined,
  lastRow: string | undefined
): Finding {
  if (firstRow === undefined || lastRow === undefined) return ok(SUBJECT, 'empty')
  const found = newest === undefined ? 'no checkpoint yet' : `newest checkpoint ${newest.time}`
  if (Date.parse(lastRow) - Date.parse(newest?.time ?? firstRow) > LATE_MS) {
    return warn(SUBJECT, `${found}, but rows up to ${lastRow}: a running server writes one each minute; see its log`)
  }
  return ok(SUBJECT, newest === undefined ? found : `${found}, at row ${newest.seq} of lane ${newest.lane}`)
}

function newestCheckpoint(db: Db) {
  return db.selectFrom('audit_checkpoints').selectAll().orderBy('time', 'desc').limit(1).executeTakeFirst()
}

async function rowTime(db: Db, order: 'asc' | 'desc'): Promise<string | undefined> {
  const row = await db.selectFrom('audit_logs').select('time').orderBy('id', order).limit(1).executeTakeFirst()
  return row?.time
}
