import type { KindRow, ScanRow, SuggestionRow } from '../migrations.ts'
import type { Kind, Scan, Suggestion } from './schema.ts'

export function toKind({ kind, level, enabled, version, updated_at }: KindRow): Kind {
  return { kind, level, enabled: enabled === 1, version, updatedAt: updated_at }
}

export function toSuggestion(row: SuggestionRow): Suggestion {
  return {
    id: row.id,
    resource: row.resource,
    column: row.column_name,
    kind: row.kind,
    level: row.level,
    confidence: row.confidence / 1000,
    evidence: JSON.parse(row.evidence),
    status: row.status,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
    note: row.note,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  }
}

export function toScan(row: ScanRow): Scan {
  const { error_code: code, error_message: message } = row
  return {
    id: row.id,
    resource: row.resource,
    cause: row.cause,
    rowsRead: row.rows_read,
    columnsRead: row.columns_read,
    columnsLeftOut: row.columns_left_out,
    error: code === null ? null : { code, message: message ?? '' },
    version: row.version,
    createdAt: row.created_at,
    scannedAt: row.updated_at
  }
}
