import { BoundedMap } from '../../engines/bounded-map.ts'
import type { Bus } from '../../engines/bus/index.ts'
import type { Clock } from '../../engines/clock.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import { Problem } from '../../errors.ts'
import type { AuditTrail } from '../../http/audit-trail.ts'
import { recordChanges, tellChanges } from '../../http/changes.ts'
import { requestFacts } from '../../http/request.ts'
import type { Context } from '../../http/route.ts'
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
  readonly #known = new BoundedMap<string, { id: string; untilMs: number }>(MAX_KNOWN)
  #generation = 0

  constructor(needs: Needs) {
    this.#needs = needs
  }

  start(): void {
    this.#needs.bus.subscribe('catalog-source.*', () => {
      this.#generation++
      this.#known.clear()
    })
  }

  /** The source with this identifier; it has to exist. */
  async byId(id: string): Promise<string> {
    return this.#remembered(id, async () => {
      const row = await findSource(this.#needs.metadata.db, id)
      if (row === undefined) throw new Problem('not_found')
      return row.id
    })
  }

  /** The source with this name or identifier; where no source has the name, one is made. */
  async byName(name: string, request: Request): Promise<string> {
    if (IDENTIFIER.test(name)) return this.byId(name)
    return this.#remembered(name, async () => {
      const row = await findSourceByName(this.#needs.metadata.db, name)
      return row?.id ?? this.#make(name, request)
    })
  }

  async #remembered(key: string, find: () => Promise<string>): Promise<string> {
    const { clock } = this.#needs
    const entry = this.#known.get(key)
    if (entry !== undefined && clock.elapsed() < entry.untilMs) return entry.id
    const asked = this.#generation
    const untilMs = clock.elapsed() + KNOWN_FOR_MS
    const id = await find()
    // If sources changed during the lookup, the result serves this write only.
    if (asked === this.#generation) this.#known.set(key, { id, untilMs })
    return id
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
