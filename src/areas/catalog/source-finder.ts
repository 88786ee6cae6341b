import type { Bus } from '../../engines/bus/index.ts'
import type { Clock } from '../../engines/clock.ts'
import { Known } from '../../engines/known.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import { Problem } from '../../errors.ts'
import type { AuditTrail } from '../../http/audit-trail.ts'
import { recordChanges, tellChanges } from '../../http/changes.ts'
import { requestFacts } from '../../http/request.ts'
import type { Context } from '../../http/route.ts'
import { orNotFound } from '../../http/rows.ts'
import type { Sources } from './service.ts'
import { findSource, findSourceByName } from './store.ts'

/** How long it may go unnoticed that another replica has renamed or deleted a source. */
const KNOWN_FOR_MS = 1000
const MAX_KNOWN = 10_000
const IDENTIFIER = /^src_[0-9a-z]{26}$/

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly bus: Bus
  readonly audit: AuditTrail
  readonly sources: Sources
}

type Request = Pick<Context<unknown, unknown, unknown>, 'actor' | 'ip' | 'headers' | 'id'>

/** Finds the source of a write. This happens with every write, so the result is remembered for a moment. */
export class SourceFinder {
  readonly #needs: Needs
  /** What is undefined is looked for again each time. */
  readonly #known: Known<string | undefined>

  constructor(needs: Needs) {
    this.#needs = needs
    this.#known = new Known(needs.clock, MAX_KNOWN)
  }

  start(): void {
    this.#needs.bus.subscribe('catalog-source.*', () => this.#known.forget())
  }

  /** The source with this identifier; it has to exist. */
  async byId(id: string): Promise<string> {
    const found = this.#remembered(id, async () => (await findSource(this.#needs.metadata.db, id))?.id)
    return orNotFound(found)
  }

  /** The source with this name or identifier; undefined where no source has the name. */
  async byName(name: string): Promise<string | undefined> {
    if (IDENTIFIER.test(name)) return this.byId(name)
    return this.#remembered(name, async () => (await findSourceByName(this.#needs.metadata.db, name))?.id)
  }

  /** The source with this name, which is made where there is none. */
  async made(name: string, request: Request): Promise<string> {
    return (await this.byName(name)) ?? this.#make(name, request)
  }

  async #remembered(key: string, find: () => Promise<string | undefined>): Promise<string | undefined> {
    return this.#known.get(key, KNOWN_FOR_MS) ?? this.#known.ask(key, find)
  }

  async #make(name: string, request: Request): Promise<string> {
    const { metadata, bus, audit, sources } = this.#needs
    // Looked up in a transaction, which waits for those already begun: another write may have made the source.
    const find = (tx: Db) => findSourceByName(tx, name)
    try {
      const { id, changes } = await metadata.transaction(async (tx) => {
        const row = await find(tx)
        if (row !== undefined) return { id: row.id, changes: [] }
        const { answer, changes } = await sources.create(tx, request.actor, { name })
        await recordChanges(tx, audit, changes, {
          ...requestFacts(request),
          action: 'catalog-source.create',
          status: 201
        })
        return { id: answer.id, changes }
      })
      tellChanges(bus, changes)
      return id
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'name_taken') throw error
      const row = await metadata.transaction(find)
      if (row === undefined) throw error
      return row.id
    }
  }
}
