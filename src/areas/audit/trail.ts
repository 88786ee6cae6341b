import type { Clock } from '../../engines/clock.ts'
import type { MakeId } from '../../engines/ids.ts'
import { type Metadata, prepare } from '../../engines/metadata/index.ts'
import type { AuditEntry, AuditTrail } from '../../http/audit-trail.ts'
import { type AuditKeys, COLUMNS, MAX_LANES, rowHash } from './chain.ts'
import type { AuditHeadRow, AuditRow } from './migrations.ts'

/**
 * Rows of one lane are chained one after another, so a transaction holds its lane until it commits. SQLite has one
 * writer anyway; on PostgreSQL several lanes let as many transactions commit side by side.
 */
const LANES: Record<Metadata['dialect'], number> = { sqlite: 1, postgres: MAX_LANES }

interface Needs {
  readonly dialect: Metadata['dialect']
  readonly clock: Clock
  readonly makeId: MakeId
  readonly keys: AuditKeys
}

export function createAuditTrail({ dialect, clock, makeId, keys }: Needs): AuditTrail {
  const lanes = LANES[dialect]
  return {
    async append(tx, entry) {
      const lane = laneOf(entry.requestId, lanes)
      const [head] = (await lockHead(tx, { lane })) as [HeadState]
      const content = { lane, seq: head.seq + 1, id: makeId('aud'), time: clock.iso(), ...columnsOf(entry) }
      const next = { lane, seq: content.seq, hash: rowHash(head.hash, content) }
      await insertRow(tx, { ...content, previous_hash: head.hash, hash: next.hash })
      await moveHead(tx, { ...next, code: keys.headCode(next) })
    }
  }
}

type HeadState = Pick<AuditHeadRow, 'seq' | 'hash'>

const lockHead = prepare((db, { lane }: { lane: number }) =>
  db.selectFrom('audit_heads').select(['seq', 'hash']).where('lane', '=', lane).forUpdate()
)

const insertRow = prepare((db, row: AuditRow) =>
  db.insertInto('audit_logs').values(Object.fromEntries(COLUMNS.map((column) => [column, row[column]])) as never)
)

const moveHead = prepare((db, { lane, seq, hash, code }: AuditHeadRow) =>
  db.updateTable('audit_heads').set({ seq, hash, code }).where('lane', '=', lane)
)

/** All rows of a request go to one lane, so that two requests never hold a lane each and wait for the other's. */
function laneOf(requestId: string, lanes: number): number {
  if (lanes === 1) return 0
  let sum = 0
  for (let i = 0; i < requestId.length; i++) sum = (sum * 31 + requestId.charCodeAt(i)) >>> 0
  return sum % lanes
}

function columnsOf(entry: AuditEntry): Omit<AuditRow, 'lane' | 'seq' | 'id' | 'time' | 'previous_hash' | 'hash'> {
  return {
    user_id: entry.user?.id ?? null,
    user_name: wellFormed(entry.user?.name),
    action: entry.action,
    resource_type: entry.resourceType,
    resource_id: wellFormed(entry.resourceId),
    outcome: entry.outcome,
    status: entry.status,
    code: entry.code,
    ip: entry.ip,
    user_agent: entry.userAgent,
    request_id: entry.requestId,
    changes: entry.changes === null ? null : JSON.stringify(entry.changes),
    api_key_id: entry.apiKey?.id ?? null,
    api_key_name: wellFormed(entry.apiKey?.name)
  }
}

/** Half of a surrogate pair, which cutting a text can leave, would be stored as another character than was hashed. */
function wellFormed(text: string | null | undefined): string | null {
  return text?.toWellFormed() ?? null
}
