import type { Clock } from '../../engines/clock.ts'
import type { MakeId } from '../../engines/ids.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import type { Actor } from '../../http/permissions.ts'
import type { Outcome } from '../../http/route.ts'
import { firstStamps, nextStamps, orNotFound } from '../../http/rows.ts'
import type { Lineage } from '../lineage/index.ts'
import { mayEdit, mayView } from './access/rights.ts'
import { contentOf, readContent } from './definition.ts'
import { Problem } from './errors.ts'
import { tellReads, tellRemoved } from './lineage.ts'
import type { DashboardRow, GrantRow } from './migrations.ts'
import { resourcesOf } from './model/data.ts'
import type { Content } from './model/schema.ts'
import type { Dashboard, DashboardCreate, DashboardQuery, DashboardUpdate, Duplicate, DuplicateBody } from './schema.ts'
import type { Shown } from './shown.ts'
import * as store from './store.ts'
import { saveVersion } from './versions/store.ts'
import { factsOf, toDashboard, toListed } from './view.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly lineage: Pick<Lineage, 'saw' | 'removed' | 'ownerRemoved'>
  /** What others of the area keep of a dashboard, counted in words: `2 shares`. */
  keptBeside(db: Db, id: string): Promise<string[]>
}

/** A row with the grants that say who may see it. */
export interface Found {
  readonly row: DashboardRow
  readonly grants: readonly GrantRow[]
}

interface Draft {
  readonly outcome: Outcome<Dashboard>
  insert(tx: Db): Promise<void>
}

type Copied = { readonly id: string; readonly name: string; readonly version: number }

export class Dashboards {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(actor: Actor, query: DashboardQuery) {
    const { db } = this.#needs.metadata
    const { rows, total, nextCursor } = await store.listDashboards(db, actor, query)
    const ids = rows.map(({ id }) => id)
    const grants = Map.groupBy(await store.grantsOfAll(db, ids), ({ dashboard_id }) => dashboard_id)
    const favourites = await store.favouritesAmong(db, actor.id, ids)
    const dashboards = rows.map((row) =>
      toListed(row, { actor, grants: grants.get(row.id) ?? [], isFavourite: favourites.has(row.id) })
    )
    return { dashboards, total, nextCursor }
  }

  async folders(actor: Actor) {
    const rows = await store.listFolders(this.#needs.metadata.db, actor)
    return { folders: rows.map(({ folder, dashboards }) => ({ folder, dashboards: Number(dashboards) })) }
  }

  async get(actor: Actor, id: string): Promise<Dashboard> {
    const { db } = this.#needs.metadata
    return this.#seen(db, actor, await this.find(db, actor, id))
  }

  /** What an actor may see of a dashboard, for those who read its data or draw it. */
  async shown(actor: Actor, id: string): Promise<Shown> {
    const { row } = await this.find(this.#needs.metadata.db, actor, id)
    return { id, version: row.version, content: readContent(row) }
  }

  /** Dashboards that may not be seen are not found. */
  async find(db: Db, actor: Actor, id: string): Promise<Found> {
    return this.#visible(db, actor, await orNotFound(store.findDashboard(db, id)))
  }

  /** The dashboard for a change; those who may see and not change it are told so. */
  async editable(tx: Db, actor: Actor, id: string): Promise<Found> {
    const found = await this.#visible(tx, actor, await orNotFound(store.lockDashboard(tx, id)))
    if (!mayEdit(actor, found.row, found.grants)) throw new Problem('not_yours_to_edit')
    return found
  }

  /** The same without a lock, for what is kept beside the dashboard. */
  async requireEdit(db: Db, actor: Actor, id: string): Promise<Found> {
    const found = await this.find(db, actor, id)
    if (!mayEdit(actor, found.row, found.grants)) throw new Problem('not_yours_to_edit')
    return found
  }

  async create(tx: Db, actor: Actor, body: DashboardCreate, copiedFrom?: Copied): Promise<Outcome<Dashboard>> {
    const { outcome, insert } = this.draft(actor, body, copiedFrom)
    await insert(tx)
    return outcome
  }

  /** A dashboard that is not written yet; throws everything that is wrong with it. */
  draft(actor: Actor, body: DashboardCreate, copiedFrom?: Copied): Draft {
    const { everyone = 'edit', message = '', ...said } = body
    const { clock, makeId } = this.#needs
    const content = contentOf(said)
    const row: DashboardRow = {
      id: makeId('dsh'),
      ...columnsOf(content),
      everyone,
      owner_id: actor.id,
      owner_name: actor.name,
      copied_from: copiedFrom === undefined ? null : JSON.stringify(copiedFrom),
      ...firstStamps(clock)
    }
    const insert = async (tx: Db) => {
      await store.insertDashboard(tx, row)
      await this.#saved(tx, row, content, actor, message)
    }
    const outcome: Outcome<Dashboard> = {
      answer: toDashboard(row, { actor, grants: [], isFavourite: false }),
      changes: [{ type: 'dashboard', id: row.id, after: factsOf(row) }],
      headers: { location: `/api/dashboards/${row.id}` }
    }
    return { outcome, insert }
  }

  async update(tx: Db, actor: Actor, id: string, body: DashboardUpdate): Promise<Outcome<Dashboard>> {
    const { message = '', ...said } = body
    const found = await this.editable(tx, actor, id)
    return this.change(tx, actor, found, contentOf(said, readContent(found.row)), message)
  }

  /** Gives a dashboard another content; the one before stays in its history. */
  async change(
    tx: Db,
    actor: Actor,
    { row: before, grants }: Found,
    content: Content,
    message: string
  ): Promise<Outcome<Dashboard>> {
    const row: DashboardRow = { ...before, ...columnsOf(content), ...nextStamps(before, this.#needs.clock) }
    await store.updateDashboard(tx, row)
    await this.#saved(tx, row, content, actor, message)
    return {
      answer: await this.#seen(tx, actor, { row, grants }),
      changes: [{ type: 'dashboard', id: row.id, before: factsOf(before), after: factsOf(row) }]
    }
  }

  async delete(tx: Db, actor: Actor, id: string): Promise<Outcome<null>> {
    const { row } = await this.editable(tx, actor, id)
    await store.deleteDashboard(tx, id)
    await tellRemoved(tx, this.#needs.lineage, row)
    return { answer: null, changes: [{ type: 'dashboard', id, before: factsOf(row) }] }
  }

  /** A copy is its maker's own: nothing that was given to others on the original is given on it. */
  async duplicate(tx: Db, actor: Actor, id: string, { name }: DuplicateBody): Promise<Outcome<Duplicate>> {
    const { row, grants } = await this.find(tx, actor, id)
    const content = readContent(row)
    const copied = { id, name: row.name, version: row.version }
    const body = { ...content, name: name ?? `${row.name} (copy)`.slice(-200), everyone: row.everyone }
    const outcome = await this.create(tx, actor, body, copied)
    const notCopied = [...(grants.length > 0 ? [counted(grants.length, 'grant')] : [])]
    notCopied.push(...(await this.#needs.keptBeside(tx, id)))
    if (row.version > 1) notCopied.push(`its history of ${row.version} versions`)
    return { ...outcome, answer: { ...outcome.answer, notCopied } }
  }

  async #visible(db: Db, actor: Actor, row: DashboardRow): Promise<Found> {
    const grants = await store.grantsOf(db, row.id)
    if (!mayView(actor, row, grants)) throw new Problem('not_found')
    return { row, grants }
  }

  async #seen(db: Db, actor: Actor, { row, grants }: Found): Promise<Dashboard> {
    const isFavourite = (await store.favouritesAmong(db, actor.id, [row.id])).has(row.id)
    return toDashboard(row, { actor, grants, isFavourite })
  }

  /** What goes with a content that was written. */
  async #saved(tx: Db, row: DashboardRow, content: Content, actor: Actor, message: string): Promise<void> {
    await store.saveTags(tx, row.id, content.tags)
    await store.saveUses(tx, row.id, resourcesOf(content))
    await saveVersion(tx, row, actor, message)
    await tellReads(tx, this.#needs.lineage, row)
  }
}

const columnsOf = (content: Content) => ({
  name: content.name,
  description: content.description,
  folder: content.folder,
  panels: content.panels.length,
  content: JSON.stringify(content)
})

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
