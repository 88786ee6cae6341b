import type { Db } from '../../../engines/metadata/index.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Outcome } from '../../../http/route.ts'
import { Problem } from '../errors.ts'
import type { Dashboards } from '../service.ts'

const MAX_FAVOURITES = 1000

/** The dashboards that somebody wants to find quickly. Doing either twice changes nothing. */
export class Favourites {
  readonly #dashboards: Dashboards

  constructor(dashboards: Dashboards) {
    this.#dashboards = dashboards
  }

  async add(tx: Db, actor: Actor, id: string): Promise<Outcome<null>> {
    await this.#dashboards.find(tx, actor, id)
    const { count } = await tx
      .selectFrom('dashboard_favourites')
      .where('user_id', '=', actor.id)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (Number(count) >= MAX_FAVOURITES) throw new Problem('too_many_favourites')
    await tx
      .insertInto('dashboard_favourites')
      .values({ user_id: actor.id, dashboard_id: id })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return { answer: null, changes: [{ type: 'dashboard-favourite', id, after: { user: actor.id } }] }
  }

  async remove(tx: Db, actor: Actor, id: string): Promise<Outcome<null>> {
    await this.#dashboards.find(tx, actor, id)
    await tx.deleteFrom('dashboard_favourites').where('user_id', '=', actor.id).where('dashboard_id', '=', id).execute()
    return { answer: null, changes: [{ type: 'dashboard-favourite', id, before: { user: actor.id } }] }
  }
}
