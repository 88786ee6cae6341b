import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Outcome } from '../../../http/route.ts'
import { orNotFound } from '../../../http/rows.ts'
import { Problem } from '../errors.ts'
import type { VersionRow } from '../migrations.ts'
import type { Content } from '../model/schema.ts'
import type { Dashboard } from '../schema.ts'
import type { Dashboards } from '../service.ts'
import { differenceOf } from './difference.ts'
import type { DashboardVersion, Difference, VersionQuery } from './schema.ts'
import { findVersion, listVersions } from './store.ts'

const VERSION = /^[1-9]\d{0,8}$/

interface Needs {
  readonly metadata: Metadata
  readonly dashboards: Dashboards
}

/** What dashboards were before. */
export class Versions {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(actor: Actor, id: string, query: VersionQuery) {
    const { metadata, dashboards } = this.#needs
    const { rows, total, nextCursor } = await listVersions(metadata.db, id, query)
    await dashboards.find(metadata.db, actor, id)
    return { versions: rows.map(aboutOf), total, nextCursor }
  }

  async get(actor: Actor, id: string, version: string): Promise<DashboardVersion> {
    const { metadata, dashboards } = this.#needs
    await dashboards.find(metadata.db, actor, id)
    const row = await this.#find(metadata.db, id, version)
    return { ...aboutOf(row), content: contentOf(row) }
  }

  async difference(actor: Actor, id: string, version: string, to: number | undefined): Promise<Difference> {
    const { metadata, dashboards } = this.#needs
    const { row } = await dashboards.find(metadata.db, actor, id)
    const before = await this.#find(metadata.db, id, version)
    const after = await this.#find(metadata.db, id, String(to ?? row.version))
    const changes = differenceOf(contentOf(before), contentOf(after))
    return { from: before.version, to: after.version, changes }
  }

  /** A restored version is a new one with the same content: nothing of what came between is lost. */
  async restore(tx: Db, actor: Actor, id: string, version: string): Promise<Outcome<Dashboard>> {
    const { dashboards } = this.#needs
    const found = await dashboards.editable(tx, actor, id)
    const row = await this.#find(tx, id, version)
    return dashboards.change(tx, actor, found, contentOf(row), `Version ${row.version} restored`)
  }

  #find(db: Db, id: string, version: string): Promise<VersionRow> {
    if (!VERSION.test(version)) throw new Problem('not_found')
    return orNotFound(findVersion(db, id, Number(version)))
  }
}

const contentOf = ({ content }: VersionRow): Content => JSON.parse(content) as Content

const aboutOf = ({ version, message, changed_by: changedBy, changed_at: changedAt }: VersionRow) => {
  return { version, message, changedBy, changedAt }
}
