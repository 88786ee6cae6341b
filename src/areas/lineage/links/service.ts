import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { invalidField, Problem } from '../../../errors.ts'
import type { Actor } from '../../../http/permissions.ts'
import { created, deleted, type Outcome, updated } from '../../../http/route.ts'
import { firstStamps, nextStamps, orNameTaken, orNotFound } from '../../../http/rows.ts'
import type { EdgeRow } from '../migrations.ts'
import { saveNodes } from '../nodes/store.ts'
import { nodeKey } from '../references.ts'
import type { RequireEnds } from './levels.ts'
import * as periods from './periods.ts'
import type { Link, LinkCreate, LinkQuery, LinkUpdate } from './schema.ts'
import * as store from './store.ts'
import { typeOf } from './type-of.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly requireEnds: RequireEnds
}

/** Edges that people draw. What jobs tell leaves them alone. */
export class Links {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(query: LinkQuery) {
    const { rows, total, nextCursor } = await store.listLinks(this.#needs.metadata.db, query)
    return { links: rows.map(store.toLink), total, nextCursor }
  }

  async get(id: string): Promise<Link> {
    return store.toLink(await orNotFound(store.findLink(this.#needs.metadata.db, id)))
  }

  async create(tx: Db, actor: Actor, body: LinkCreate): Promise<Outcome<Link>> {
    const { clock, makeId } = this.#needs
    const { from, to, note = '', columns = [] } = body
    const type = requireType(from, to)
    if (type !== 'links' && columns.length > 0) throw invalidField('/columns', BETWEEN_DATA)
    requireValues(columns)
    const row = {
      id: makeId('lnk'),
      from_node: nodeKey(from),
      to_node: nodeKey(to),
      note,
      columns: JSON.stringify(columns),
      created_by: actor.id,
      ended_at: null,
      ...firstStamps(clock)
    }
    const there = await store.findPresent(tx, row)
    if (there !== undefined) throw new Problem('name_taken', { detail: taken(there.id), members: { linkId: there.id } })
    await saveNodes(
      tx,
      new Map([
        [from, {}],
        [to, {}]
      ])
    )
    await orNameTaken(() => store.insertLink(tx, row), taken('Another link'))
    await periods.begin(tx, row, type, columns, Date.parse(row.created_at), actor.id)
    return created('lineage-link', store.toLink({ ...row, from, to }))
  }

  /** Whether the caller may end the link, or have it say something else of columns: asked before the transaction of the change. */
  async requireEnds(actor: Actor, id: string): Promise<void> {
    const { metadata, requireEnds } = this.#needs
    await requireEnds(actor, await orNotFound(store.findLink(metadata.db, id)))
  }

  async update(tx: Db, actor: Actor, id: string, body: LinkUpdate): Promise<Outcome<Link>> {
    const { clock } = this.#needs
    const before = await this.#lock(tx, id, 'update')
    if ((body.columns?.length ?? 0) > 0 && typeOf(before.from, before.to) !== 'links')
      throw invalidField('/columns', BETWEEN_DATA)
    requireValues(body.columns ?? [])
    const row = {
      ...before,
      note: body.note ?? before.note,
      columns: body.columns === undefined ? before.columns : JSON.stringify(body.columns),
      ...nextStamps(before, clock)
    }
    await store.updateLink(tx, row)
    if (body.columns !== undefined) await periods.change(tx, before, body.columns, Date.parse(row.updated_at), actor.id)
    return updated('lineage-link', store.toLink(before), store.toLink(row))
  }

  /** It ends: what was true before stays so. */
  async delete(tx: Db, id: string): Promise<Outcome<null>> {
    const { clock } = this.#needs
    const before = await this.#lock(tx, id, 'delete')
    const stamps = nextStamps(before, clock)
    await store.updateLink(tx, { ...before, ...stamps, ended_at: stamps.updated_at })
    await periods.end(tx, before, Date.parse(stamps.updated_at))
    return deleted('lineage-link', store.toLink(before))
  }

  async #lock(tx: Db, id: string, operation: string): Promise<store.FoundLink> {
    const row = await orNotFound(store.lockLink(tx, id))
    if (row.ended_at === null) return row
    throw new Problem('illegal_transition', {
      detail: `The link ended at ${row.ended_at}, and the past is not changed. POST /api/lineage/links draws it anew.`,
      members: { currentStatus: 'ended', allowedFrom: ['present'], operation }
    })
  }
}

const BETWEEN_DATA = 'are for links between data: a job has none'
/** What becomes of values; the other kinds decide which rows there are, and in what order. */
const OF_VALUES: ReadonlySet<string> = new Set(['identity', 'computed', 'masked'])

function requireValues(columns: Link['columns']): void {
  const at = columns.findIndex(({ to, kind }) => to === null && OF_VALUES.has(kind))
  if (at < 0) return
  const kind = columns[at]?.kind
  throw invalidField(`/columns/${at}/to`, `must name the column that its values go to, since the kind is ${kind}`)
}

const taken = (which: string) => `${which} is between the same two already: change that, or end it first.`

function requireType(from: string, to: string): EdgeRow['type'] {
  const type = typeOf(from, to)
  if (typeof type !== 'string') throw invalidField(type.pointer, type.message)
  return type
}
