import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Outcome, Performed } from '../../../http/route.ts'
import { orNotFound } from '../../../http/rows.ts'
import type { Asker, Guard } from '../../classification/index.ts'
import { viewerOf } from '../data/actor-viewer.ts'
import type { PanelReader } from '../data/reading.ts'
import { readContent } from '../definition.ts'
import { Problem } from '../errors.ts'
import { dataOf } from '../model/data.ts'
import type { Content } from '../model/schema.ts'
import type { Dashboards } from '../service.ts'
import type { SnapshotRow } from '../shares/migrations.ts'
import { recorded } from './recorded.ts'
import type { Snapshot, SnapshotCreate, SnapshotDetail, SnapshotQuery } from './schema.ts'
import * as store from './store.ts'

const MAX_SNAPSHOTS = 100
const MAX_BYTES = 10 * 1024 * 1024

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly dashboards: Dashboards
  readonly reader: PanelReader
  guard(): Promise<Guard>
}

/** Dashboards with the data that they showed at one moment. */
export class Snapshots {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(actor: Actor, id: string, query: SnapshotQuery) {
    const { metadata, dashboards } = this.#needs
    const { rows, total, nextCursor } = await store.listSnapshots(metadata.db, id, query)
    await dashboards.find(metadata.db, actor, id)
    return { snapshots: rows.map(toSnapshot), total, nextCursor }
  }

  /** Whoever looks at it has to be allowed to see the data as they are labelled now. */
  async get(actor: Actor, id: string, snapshotId: string): Promise<SnapshotDetail> {
    const { metadata, dashboards } = this.#needs
    await dashboards.find(metadata.db, actor, id)
    const row = await orNotFound(store.findSnapshot(metadata.db, id, snapshotId))
    await (await this.#needs.guard()).requireAll(actor, JSON.parse(row.reads))
    return { ...toSnapshot(row), content: JSON.parse(row.content), panels: JSON.parse(row.data) }
  }

  /** Reads everything as whoever asks for it, and keeps the answers. */
  async create(asker: Asker, id: string, body: SnapshotCreate, signal: AbortSignal): Promise<Performed<Snapshot>> {
    const { metadata, clock, makeId, dashboards, reader } = this.#needs
    const { actor } = asker
    const { row: dashboard } = await dashboards.requireEdit(metadata.db, actor, id)
    if ((await store.countSnapshots(metadata.db, id)) >= MAX_SNAPSHOTS) throw new Problem('too_many_shares')
    const content = readContent(dashboard)
    const { name, ...request } = body
    const shown = { id, version: dashboard.version, content }
    const { viewer, reads } = recorded(viewerOf(asker, await this.#needs.guard()))
    const panels = await reader.readAll(shown, request, viewer, signal)
    const data = JSON.stringify(panels)
    if (Buffer.byteLength(data) > MAX_BYTES) throw new Problem('snapshot_too_large')
    const row: SnapshotRow = {
      id: makeId('snp'),
      dashboard_id: id,
      name: name ?? content.name,
      content: JSON.stringify(withoutQueries(content)),
      data,
      reads: JSON.stringify([...new Set([...dataOf(content), ...reads])]),
      version: dashboard.version,
      created_by: actor.id,
      created_at: clock.iso()
    }
    const snapshot = toSnapshot(row)
    return {
      answer: snapshot,
      changes: [{ type: 'dashboard-snapshot', id: row.id, after: snapshot }],
      headers: { location: `/api/dashboards/${id}/snapshots/${row.id}` },
      commit: async (tx) => {
        await store.insertSnapshot(tx, row)
      }
    }
  }

  async delete(tx: Db, actor: Actor, id: string, snapshotId: string): Promise<Outcome<null>> {
    await this.#needs.dashboards.requireEdit(tx, actor, id)
    const row = await orNotFound(store.findSnapshot(tx, id, snapshotId))
    await store.deleteSnapshot(tx, snapshotId)
    return { answer: null, changes: [{ type: 'dashboard-snapshot', id: snapshotId, before: toSnapshot(row) }] }
  }
}

/** What is frozen needs no questions, and they would tell where the data lie. */
function withoutQueries(content: Content): Content {
  return {
    ...content,
    panels: content.panels.map(({ query: _, ...panel }) => panel),
    variables: content.variables.map(({ query: _, ...variable }) => variable)
  }
}

const toSnapshot = (row: Omit<SnapshotRow, 'content' | 'data' | 'reads'>): Snapshot => ({
  id: row.id,
  dashboardId: row.dashboard_id,
  name: row.name,
  dashboardVersion: row.version,
  createdBy: row.created_by,
  createdAt: row.created_at
})
