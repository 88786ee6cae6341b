import { type Clock, toIso } from '../../engines/clock.ts'
import type { Metadata } from '../../engines/metadata/index.ts'
import { invalidField, Problem } from '../../errors.ts'
import { toCsv, toNdjson } from '../../http/rows-export.ts'
import { type AuditKeys, COLUMNS } from './chain.ts'
import { type CheckpointNeeds, readAnchors, writeCheckpoints } from './checkpoints.ts'
import type { CheckpointRow } from './migrations.ts'
import type { ActivityQuery, AuditQuery } from './schema.ts'
import { countLogs, exportLogs, listCheckpoints, listLogs, toLog } from './store.ts'
import { verifyAudit } from './verify.ts'

const ACTIVITY_DAYS = 30

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly keys: AuditKeys
  readonly anchorFile: string
  readonly announce: (checkpoint: CheckpointRow) => void
  /** Throws `not_found` for an unknown user. */
  readonly requireUser: (id: string) => Promise<unknown>
}

export class Audit {
  readonly #needs: Needs & CheckpointNeeds
  #verifying = false

  constructor(needs: Needs) {
    this.#needs = needs
  }

  list(query: AuditQuery) {
    requireOrder(query)
    return this.#page(query)
  }

  async #page(query: AuditQuery) {
    const { rows, total, nextCursor } = await listLogs(this.#needs.metadata.db, query)
    return { logs: rows.map(toLog), total, nextCursor }
  }

  export(query: AuditQuery, format: 'csv' | 'ndjson'): AsyncGenerator<string> {
    requireOrder(query)
    const rows = exportLogs(this.#needs.metadata.db, query)
    // Columns have the names under which they are hashed: so an export can be checked without this server.
    return format === 'csv' ? toCsv(COLUMNS, rows) : toNdjson(rows)
  }

  async activity(user: string, query: ActivityQuery) {
    requireOrder(query)
    const { clock, metadata, requireUser } = this.#needs
    const from = query.from ?? toIso(clock.now() - ACTIVITY_DAYS * 86_400_000)
    const to = query.to ?? toIso(clock.now() + 1)
    const filter = { user, from, to }
    const page = await this.#page({ ...query, ...filter })
    await requireUser(user)
    const days = await countLogs(metadata.db, filter, 'day')
    const actions = await countLogs(metadata.db, filter, 'action')
    return {
      userId: user,
      from,
      to,
      perDay: days.map(({ value, count }) => ({ day: value, count })),
      perAction: actions.map(({ value, count }) => ({ action: value, count })),
      ...page
    }
  }

  async verify() {
    if (this.#verifying) throw new Problem('busy')
    this.#verifying = true
    const startedMs = performance.now()
    try {
      const { metadata, keys, anchorFile } = this.#needs
      const result = await verifyAudit(metadata.db, keys, readAnchors(anchorFile))
      return { ...result, elapsedMs: Math.round(performance.now() - startedMs) }
    } finally {
      this.#verifying = false
    }
  }

  async checkpoints(query: { limit?: number; cursor?: string; sort?: string }) {
    const { rows, total, nextCursor } = await listCheckpoints(this.#needs.metadata.db, query)
    return { checkpoints: rows, total, nextCursor }
  }

  writeCheckpoints(): Promise<number> {
    return writeCheckpoints(this.#needs)
  }
}

/** Refuses a range whose end is before its beginning: an empty list would be taken for an answer. */
function requireOrder({ from, to }: { readonly from?: string; readonly to?: string }): void {
  if (from === undefined || to === undefined || Date.parse(from) <= Date.parse(to)) return
  throw invalidField('/query/from', `is after to, so nothing can lie between them: ${from} and ${to}`)
}
