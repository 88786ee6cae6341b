import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { Vault } from '../../../engines/vault/index.ts'
import { Problem } from '../../../errors.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Outcome } from '../../../http/route.ts'
import { orNotFound } from '../../../http/rows.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import type { Pipeline } from '../definition/schema.ts'
import { revealSecrets } from '../definition/secrets.ts'
import type { Pipelines } from '../definition/service.ts'
import type { Validator } from '../definition/validate.ts'
import { shownNodes } from '../definition/view.ts'
import { requirePipeline } from '../store/pipelines.ts'
import type { VersionRow } from '../store/rows.ts'
import { findVersion, nodesOf, versionOf } from '../store/versions.ts'
import type { PipelineVersion, VersionQuery } from './schema.ts'
import { listVersions } from './store.ts'

const VERSION = /^[1-9]\d{0,8}$/

interface Needs {
  readonly metadata: Metadata
  readonly vault: Vault
  readonly validator: Validator
  readonly pipelines: Pipelines
}

/** What pipelines were before, and copies of them. */
export class Versions {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(pipelineId: string, query: VersionQuery) {
    const { db } = this.#needs.metadata
    const { rows, total, nextCursor } = await listVersions(db, pipelineId, query)
    await requirePipeline(db, pipelineId)
    const versions = rows.map((row) => ({ ...aboutOf(row), nodes: nodesOf(row).length }))
    return { versions, total, nextCursor }
  }

  async get(pipelineId: string, text: string): Promise<PipelineVersion> {
    if (!VERSION.test(text)) throw new Problem('not_found')
    const row = await orNotFound(findVersion(this.#needs.metadata.db, pipelineId, Number(text)))
    return { ...aboutOf(row), nodes: shownNodes(nodesOf(row)) }
  }

  /** Whoever copies a pipeline needs what whoever makes one does. */
  async checkedCopy(actor: Actor, pipelineId: string): Promise<void> {
    const { nodes } = await this.#revealed(this.#needs.metadata.db, pipelineId)
    await this.#needs.validator.check(actor, nodes)
  }

  async duplicate(tx: Db, actor: Actor, pipelineId: string, name: string): Promise<Outcome<Pipeline>> {
    const { nodes, description } = await this.#revealed(tx, pipelineId)
    const outcome = await this.#needs.pipelines.create(tx, actor, { name, description, nodes })
    return { ...outcome, headers: { location: `/api/pipelines/${outcome.answer.id}` } }
  }

  async #revealed(db: Db, pipelineId: string): Promise<{ nodes: PipelineNode[]; description: string }> {
    const row = await requirePipeline(db, pipelineId)
    const version = await versionOf(db, row)
    const nodes = revealSecrets(this.#needs.vault, pipelineId, version)
    return { nodes, description: row.description }
  }
}

const aboutOf = ({ version, created_by: createdBy, created_at: createdAt }: VersionRow) => {
  return { version, createdBy, createdAt }
}
