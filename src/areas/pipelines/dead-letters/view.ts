import { MASK_TEXT } from '../../../data/mask.ts'
import type { Origin } from '../contract/source.ts'
import type { DeadLetterRow } from '../store/rows.ts'
import { recordOf } from '../supervisor/letter-search.ts'
import type { DeadLetter } from './schema.ts'
import type { ListedRow } from './store.ts'

export function toLetter(row: ListedRow): DeadLetter {
  const isCut = row.size_chars > row.record.length
  return {
    id: row.id,
    runId: row.run_id,
    nodeId: row.node_id,
    inputId: row.input_id,
    code: row.code,
    reason: row.reason,
    origin: row.origin === null ? null : (JSON.parse(row.origin) as Origin),
    record: isCut ? row.record : shown(row.record),
    recordTruncated: isCut,
    createdAt: row.created_at,
    replayedAt: row.replayed_at
  }
}

export const plain = <R>(row: R): R => row

/** A dead letter of which nothing is shown that was in the record; the reason may quote it. */
export function masked<R extends Partial<Pick<DeadLetterRow, 'record' | 'reason'>>>(row: R): R {
  const size_chars = MASK_TEXT.length
  return { ...row, reason: MASK_TEXT, ...('record' in row && { record: MASK_TEXT, record_rest: null, size_chars }) }
}

/** The columns of an export, in their order. */
export const EXPORTED = [
  'id',
  'runId',
  'nodeId',
  'inputId',
  'code',
  'reason',
  'origin',
  'createdAt',
  'replayedAt',
  'record'
] as const

/** As CSV has it: what is no text as JSON. */
export function toCells(row: DeadLetterRow): Record<(typeof EXPORTED)[number], string | null> {
  return {
    id: row.id,
    runId: row.run_id,
    nodeId: row.node_id,
    inputId: row.input_id,
    code: row.code,
    reason: row.reason,
    origin: row.origin,
    createdAt: row.created_at,
    replayedAt: row.replayed_at,
    record: plainNumbers(recordOf(row))
  }
}

/** JSON with whole numbers as everybody writes them: 3, where SQL has 3.0. Texts are left alone, and so is what is no JSON. */
function plainNumbers(text: string): string {
  if (!text.startsWith('{')) return text
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|(-?\d+)\.0(?=[,}\]])/gs, (all, whole?: string) => whole ?? all)
}

export function toLine(row: DeadLetterRow): object {
  const { origin, record, ...cells } = toCells(row)
  return { ...cells, origin: origin === null ? null : JSON.parse(origin), record: shown(record as string) }
}

/** A record as what it is, and anything else as the text that was received. */
export function shown(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : text
  } catch {
    return text
  }
}
