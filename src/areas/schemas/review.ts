import type { Metadata } from '../../engines/metadata/index.ts'
import type { Named, TaskRunner } from '../../engines/schemas/index.ts'
import { Problem } from '../../errors.ts'
import type { Candidates } from './candidates.ts'
import { check, prepareCheck, type Verdict, versionsToCheck } from './compatibility.ts'
import type { SchemaRow } from './migrations.ts'
import { modeOf } from './registration.ts'
import type { Comparison, CompatibilityCheck } from './review-schema.ts'
import type { CompatibilityMode } from './schema.ts'
import { withFaults } from './schema-problems.ts'
import { requireSchema } from './service.ts'
import { sourceOfVersion } from './sources.ts'
import type { FullVersion } from './version-store.ts'
import { requireVersion } from './versions.ts'
import { WhileStill } from './while-still.ts'

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

/** What would happen, and what has: nothing here changes anything. */
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

  /** What a candidate is held against; the same for all that come while nothing changes, as when a build checks many. */
  #toCheck(schemaId: string, { mode: asked, version }: CompatibilityCheck): Promise<ToCheck> {
    const { db } = this.#needs.metadata
    return this.#asked.get(`${schemaId} ${asked} ${version}`, async () => {
      const schema = await requireSchema(db, schemaId)
      const mode = asked ?? (await modeOf(db, schema))
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
