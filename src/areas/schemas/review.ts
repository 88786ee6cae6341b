import type { Metadata } from '../../engines/metadata/index.ts'
import { Problem } from '../../errors.ts'
import type { Candidates } from './candidates.ts'
import { check, prepareCheck, type Verdict, versionsToCheck } from './compatibility.ts'
import { modeOf } from './registration.ts'
import type { Comparison, CompatibilityCheck } from './review-schema.ts'
import { withFaults } from './schema-problems.ts'
import { requireSchema } from './service.ts'
import { sourceOfVersion } from './sources.ts'
import type { FullVersion } from './version-store.ts'
import { requireVersion } from './versions.ts'
import type { Named } from './workshop/tasks.ts'
import type { Workshop } from './workshop/workshop.ts'

interface Needs {
  readonly metadata: Metadata
  readonly candidates: Candidates
  readonly workshop: Workshop
}

/** What would happen, and what has: nothing here changes anything. */
export class Review {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Everything that stands in the way of a schema becoming the next version. */
  async compatibility(schemaId: string, body: CompatibilityCheck): Promise<Verdict> {
    const {
      metadata: { db },
      candidates,
      workshop
    } = this.#needs
    const schema = await requireSchema(db, schemaId)
    const candidate = await candidates.of(schema.type, body.schema, body.references)
    const mode = body.mode ?? (await modeOf(db, schema))
    const versions =
      body.version === undefined
        ? await versionsToCheck(db, schemaId, mode)
        : [await requireVersion(db, schemaId, String(body.version))]
    return check(workshop, await prepareCheck(db, candidate, mode, mode === 'NONE' ? [] : versions))
  }

  async compare(schemaId: string, v1: string, v2: string): Promise<Comparison> {
    const {
      metadata: { db },
      workshop
    } = this.#needs
    await requireSchema(db, schemaId)
    const from = await requireVersion(db, schemaId, v1)
    const to = await requireVersion(db, schemaId, v2)
    if (from.type !== to.type) {
      const detail = `Version ${from.number} is ${from.type} and version ${to.number} is ${to.type}; only schemas of one type can be compared.`
      throw new Problem('unprocessable', { detail })
    }
    const [older, newer] = [await this.#named(from), await this.#named(to)]
    const { changes, compatible } = await withFaults(() => workshop.run('compare', { from: older, to: newer }))
    return { from: from.number, to: to.number, changes: [...changes], compatible }
  }

  async #named(version: FullVersion): Promise<Named> {
    const source = await sourceOfVersion(this.#needs.metadata.db, version)
    return { name: `version ${version.number}`, type: version.type, source }
  }
}
