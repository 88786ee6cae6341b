import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { Problem } from '../../../errors.ts'
import type { Actor } from '../../../http/permissions.ts'
import { created, deleted, type Outcome, updated } from '../../../http/route.ts'
import { firstStamps, nextStamps, orNameTaken, orNotFound } from '../../../http/rows.ts'
import type { InhibitionRow } from '../silences/migrations.ts'
import type { Inhibition, InhibitionCreate, InhibitionQuery, InhibitionUpdate } from './schema.ts'
import * as store from './store.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
}

/** Each look at alerts reads all of them. */
const MAX_INHIBITIONS = 200

/** Alerts that nobody is told of while others are open. Whoever tells of alerts looks at them each time. */
export class Inhibitions {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(query: InhibitionQuery) {
    const { rows, total, nextCursor } = await store.listInhibitions(this.#needs.metadata.db, query)
    return { inhibitions: rows.map(store.toInhibition), total, nextCursor }
  }

  async get(id: string): Promise<Inhibition> {
    return store.toInhibition(await orNotFound(store.findInhibition(this.#needs.metadata.db, id)))
  }

  async create(tx: Db, actor: Actor, body: InhibitionCreate): Promise<Outcome<Inhibition>> {
    const { clock, makeId } = this.#needs
    if ((await store.countInhibitions(tx)) >= MAX_INHIBITIONS) {
      throw new Problem('invalid_request', {
        detail: `There are ${MAX_INHIBITIONS} inhibitions, and there can’t be more. Delete some, or make one with patterns in place of several.`
      })
    }
    const row: InhibitionRow = {
      id: makeId('inh'),
      name: body.name,
      source: JSON.stringify(body.source),
      target: JSON.stringify(body.target),
      equal: JSON.stringify(body.equal ?? []),
      enabled: body.enabled === false ? 0 : 1,
      created_by: actor.id,
      ...firstStamps(clock)
    }
    await orNameTaken(() => store.insertInhibition(tx, row))
    return created('alert-inhibition', store.toInhibition(row))
  }

  async update(tx: Db, id: string, body: InhibitionUpdate): Promise<Outcome<Inhibition>> {
    const before = await orNotFound(store.lockInhibition(tx, id))
    const row: InhibitionRow = {
      ...before,
      name: body.name ?? before.name,
      source: body.source === undefined ? before.source : JSON.stringify(body.source),
      target: body.target === undefined ? before.target : JSON.stringify(body.target),
      equal: body.equal === undefined ? before.equal : JSON.stringify(body.equal),
      enabled: body.enabled === undefined ? before.enabled : Number(body.enabled),
      ...nextStamps(before, this.#needs.clock)
    }
    await orNameTaken(() => store.updateInhibition(tx, row))
    return updated('alert-inhibition', store.toInhibition(before), store.toInhibition(row))
  }

  async delete(tx: Db, id: string): Promise<Outcome<null>> {
    const row = await orNotFound(store.lockInhibition(tx, id))
    await store.deleteInhibition(tx, id)
    return deleted('alert-inhibition', store.toInhibition(row))
  }
}
