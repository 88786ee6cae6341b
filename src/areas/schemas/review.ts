import { isWatched, type Metadata, type Tables } from '../../engines/metadata/index.ts'
import type { Named, TaskRunner } from '../../engines/schemas/index.ts'
import { Problem } from '../../errors.ts'
import { type Candidates, sourceOfVersion } from './candidates.ts'
import { check, prepareCheck, type Verdict, versionsToCheck } from './compatibility.ts'
import type { SchemaRow } from './migrations.ts'
import { compatibilityOf } from './registration.ts'
import type { CompatibilityMode } from './schema.ts'
import { withFaults } from './schema-problems.ts'
import { requireSchema } from './service.ts'
import type { Comparison, CompatibilityCheck } from './tool-schema.ts'
import type { FullVersion } from './version-store.ts'
import { requireVersion } from './versions.ts'

interface Needs {
  readonly metadata: Metadata
  readonly candidates: Candidates
  readonly tasks: TaskRunner
}

interface ToCheck {
  readonly schema: SchemaRow
  readonly mode: CompatibilityMode
  readonly versions: readonly FullVersion[]
}

/** Checks a schema without registering it, and compares two versions. Changes nothing. */
export class Review {
  readonly #needs: Needs
  readonly #asked: WhileStill<ToCheck>

  constructor(needs: Needs) {
    this.#needs = needs
    this.#asked = new WhileStill(needs.metadata, ['schemas', 'schema_versions', 'schema_settings'], charsOf)
  }

  /** Everything that stands in the way of a schema becoming the next version. */
  async compatibility(schemaId: string, body: CompatibilityCheck): Promise<Verdict> {
    const { candidates, tasks } = this.#needs
    const { db } = this.#needs.metadata
    const { schema, mode, versions } = await this.#toCheck(schemaId, body)
    const candidate = await candidates.unparsed(schema.type, body.schema, body.references)
    return check(tasks, await prepareCheck(db, candidate, mode, versions))
  }

  /**
   * The versions to check a candidate against. Kept while the tables don't change, since a build checks many
   * candidates.
   */
  #toCheck(schemaId: string, { mode: asked, version }: CompatibilityCheck): Promise<ToCheck> {
    const { db } = this.#needs.metadata
    return this.#asked.get(`${schemaId} ${asked} ${version}`, async () => {
      const schema = await requireSchema(db, schemaId)
      const mode = asked ?? (await compatibilityOf(db, schema))
      if (mode === 'NONE' || version === undefined) {
        return { schema, mode, versions: await versionsToCheck(db, schemaId, mode) }
      }
      return { schema, mode, versions: [await requireVersion(db, schemaId, String(version))] }
    })
  }

  async compare(schemaId: string, v1: string, v2: string): Promise<Comparison> {
    const {
      metadata: { db },
      tasks
    } = this.#needs
    await requireSchema(db, schemaId)
    const from = await requireVersion(db, schemaId, v1)
    const to = await requireVersion(db, schemaId, v2)
    if (from.type !== to.type) {
      const detail = `Version ${from.number} is ${from.type} and version ${to.number} is ${to.type}; only schemas of one type can be compared.`
      throw new Problem('unprocessable', { detail })
    }
    const [older, newer] = [await this.#named(from), await this.#named(to)]
    const { changes, compatible } = await withFaults(() => tasks.run('compare', { from: older, to: newer }))
    return { from: from.number, to: to.number, changes: [...changes], compatible }
  }

  async #named(version: FullVersion): Promise<Named> {
    const source = await sourceOfVersion(this.#needs.metadata.db, version)
    return { name: `version ${version.number}`, type: version.type, source }
  }
}

const charsOf = ({ versions }: ToCheck) => versions.reduce((sum, { text }) => sum + text.length, 0)

const MAX_ENTRIES = 1000
const MAX_CHARS = 4 * 1024 * 1024
const MAX_CHARS_EACH = 64 * 1024

/**
 * Keeps what was read for as long as the tables it was read from stand still. Only an embedded database, which knows of
 * every change to it, can tell that; elsewhere everything is read anew.
 */
export class WhileStill<T> {
  readonly #metadata: Metadata
  readonly #tables: readonly (keyof Tables)[]
  readonly #charsOf: (found: T) => number
  readonly #kept = new Map<string, T>()
  #chars = 0
  #stamp: string | undefined

  /** `charsOf` says roughly how much memory an entry takes, in characters. Large entries are not kept. */
  constructor(metadata: Metadata, tables: readonly (keyof Tables)[], charsOf: (found: T) => number) {
    this.#metadata = metadata
    this.#tables = tables
    this.#charsOf = charsOf
  }

  async get(key: string, read: () => Promise<T>): Promise<T> {
    const stamp = this.#stampNow()
    if (stamp !== this.#stamp) this.#forget()
    this.#stamp = stamp
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    const found = await read()
    // What was read is out of date if a table changed meanwhile, or if another call has seen a change.
    if (stamp === undefined || stamp !== this.#stamp || stamp !== this.#stampNow()) return found
    const chars = this.#charsOf(found)
    if (chars > MAX_CHARS_EACH) return found
    if (this.#kept.size >= MAX_ENTRIES || this.#chars + chars > MAX_CHARS) this.#forget()
    this.#kept.set(key, found)
    this.#chars += chars
    return found
  }

  #forget(): void {
    this.#kept.clear()
    this.#chars = 0
  }

  #stampNow(): string | undefined {
    if (!isWatched(this.#metadata)) return undefined
    let stamp = ''
    for (const table of this.#tables) stamp += `${this.#metadata.changesOf(table)},`
    return stamp
  }
}
