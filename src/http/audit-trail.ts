import type { Db } from '../engines/metadata/index.ts'

export interface AuditEntry {
  readonly user: { readonly id: string; readonly name: string } | null
  /** The API key that the user called with, by the name it had then: a key can be deleted. */
  readonly apiKey: { readonly id: string; readonly name: string } | null
  /** `<noun>.<verb>` of the operation, or `sign-in` for a token that was not accepted. */
  readonly action: string
  readonly resourceType: string
  readonly resourceId: string | null
  readonly outcome: 'success' | 'refused' | 'failed'
  readonly status: number
  /** The code of the problem, where there was one. */
  readonly code: string | null
  readonly ip: string
  readonly userAgent: string | null
  readonly requestId: string
  readonly changes: FieldChanges | null
}

/** Field → what it was and what it became. */
export type FieldChanges = Record<string, { from?: unknown; to?: unknown }>

/** Where the route helper writes what happened; the `audit` area keeps it. */
export interface AuditTrail {
  /** Adds a row within the transaction of the change that it describes. */
  append(tx: Db, entry: AuditEntry): Promise<void>
}

const BOOKKEEPING = new Set(['version', 'updatedAt'])
const MAX_VALUE_CHARS = 2000

/** The differences between two states of a resource as the API shows it: that form holds no secrets. */
export function fieldChanges(before: object = {}, after: object = {}): FieldChanges {
  const changes: FieldChanges = {}
  const old = before as Record<string, unknown>
  const now = after as Record<string, unknown>
  for (const field of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (BOOKKEEPING.has(field) || old[field] === now[field]) continue
    const from = JSON.stringify(old[field])
    const to = JSON.stringify(now[field])
    if (from === to) continue
    changes[field] = {
      ...(from !== undefined && { from: bounded(old[field], from) }),
      ...(to !== undefined && { to: bounded(now[field], to) })
    }
  }
  return changes
}

function bounded(value: unknown, text: string): unknown {
  if (text.length <= MAX_VALUE_CHARS) return value
  // The cut may go through the middle of a character.
  return `${text.slice(0, MAX_VALUE_CHARS).toWellFormed()}… (${text.length} characters)`
}
