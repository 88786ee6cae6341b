import { type Clock, toIso } from '../../../engines/clock.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { deleted, type Outcome, updated } from '../../../http/route.ts'
import { keyOf, unknownNode } from '../graph/asked.ts'
import { toNode } from '../graph/details.ts'
import type { NodeRow, RunRow } from '../migrations.ts'
import type { LastRun } from '../schema.ts'
import { type DatedFacts, dated, type Said } from './facts.ts'
import * as listing from './listing.ts'
import { removeNode } from './removal.ts'
import type { NodeDetails, NodeQuery, NodeUpdate, Run, RunQuery } from './schema.ts'
import { saveNodes } from './store.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
}

/** Data and jobs one by one, and what people say of them. */
export class Nodes {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(query: NodeQuery) {
    const { metadata, clock } = this.#needs
    const { rows, total, nextCursor } = await listing.listNodes(metadata.db, query)
    return { nodes: rows.map((row) => toNode(row, clock.now())), total, nextCursor }
  }

  async get(id: string): Promise<NodeDetails> {
    const { metadata } = this.#needs
    return this.#detailsOf(metadata, await required(listing.findNode(metadata.db, keyOf(id, '/params/id'))))
  }

  async runs(id: string, query: RunQuery) {
    const { db } = this.#needs.metadata
    const { key } = await required(listing.findNode(db, keyOf(id, '/params/id')))
    const { rows, total, nextCursor } = await listing.listRuns(db, key, query)
    return { runs: rows.map(toRun), total, nextCursor }
  }

  /** What a person says counts from now on, whatever automation tells; null takes it back. */
  async update(tx: Db, id: string, change: NodeUpdate): Promise<Outcome<NodeDetails>> {
    const reader = { dialect: this.#needs.metadata.dialect, db: tx }
    const before = await required(listing.lockNode(tx, keyOf(id, '/params/id')))
    const { said = [0, {}] } = JSON.parse(before.facts) as DatedFacts
    const next = Object.entries({ ...said[1], ...change }).filter(([, value]) => value !== null)
    // Later than what was said before, even within one millisecond.
    const timeMs = Math.max(this.#needs.clock.now(), said[0] + 1)
    await saveNodes(tx, new Map([[id, dated({ said: Object.fromEntries(next) as Said }, timeMs)]]))
    const after = await required(listing.findNode(tx, before.key))
    return updated('lineage-node', await this.#detailsOf(reader, before), await this.#detailsOf(reader, after))
  }

  async delete(tx: Db, id: string): Promise<Outcome<null>> {
    const reader = { dialect: this.#needs.metadata.dialect, db: tx }
    const row = await required(listing.lockNode(tx, keyOf(id, '/params/id')))
    const before = await this.#detailsOf(reader, row)
    await removeNode(tx, row)
    return deleted('lineage-node', before)
  }

  async #detailsOf(reader: listing.Reader, row: NodeRow): Promise<NodeDetails> {
    const nowMs = this.#needs.clock.now()
    const sight = await listing.sightOf(reader, row.key, nowMs)
    const { said } = JSON.parse(row.facts) as DatedFacts
    return {
      ...toNode(row, nowMs, Number.POSITIVE_INFINITY),
      said: Object.keys(said?.[1] ?? {}) as NodeDetails['said'],
      firstSeenAt: sight.firstMs === null ? null : toIso(sight.firstMs),
      lastSeenAt: sight.lastMs === null ? null : toIso(sight.lastMs),
      edgesIn: sight.edgesIn,
      edgesOut: sight.edgesOut,
      runs: sight.runs,
      lastRun: toLastRun((await listing.newestRuns(reader, [row.key])).get(row.key))
    }
  }
}

async function required(looking: Promise<NodeRow | undefined>): Promise<NodeRow> {
  const row = await looking
  if (row === undefined) throw unknownNode()
  return row
}

export const toLastRun = (row: listing.ShownRun | undefined): LastRun =>
  row === undefined
    ? null
    : { id: row.id, state: row.state, stateAt: toIso(row.state_ms), error: row.error, startedAt: toIso(row.start_ms) }

const toRun = (row: RunRow): Run => ({
  id: row.id,
  how: row.how,
  state: row.state,
  stateAt: toIso(row.state_ms),
  error: row.error,
  startedAt: toIso(row.start_ms),
  wholeAt: row.whole_ms === null ? null : toIso(row.whole_ms),
  parent: row.parent_job === null ? null : { job: row.parent_job, run: row.parent_run ?? '' }
})
