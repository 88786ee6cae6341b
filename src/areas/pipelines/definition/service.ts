import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Jobs } from '../../../engines/jobs/index.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import type { Vault } from '../../../engines/vault/index.ts'
import { Problem } from '../../../errors.ts'
import type { Uses } from '../../../http/in-use.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Outcome } from '../../../http/route.ts'
import { firstStamps, nextStamps, orNameTaken } from '../../../http/rows.ts'
import type { Classification } from '../../classification/index.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { outputReference } from '../lineage/references.ts'
import { jobOf, type LineageTeller, PROVENANCE } from '../lineage/sightings.ts'
import { type Checkpoint, filesOf } from '../protocol/checkpoint.ts'
import type { RunFigures } from '../protocol/protocol.ts'
import type { RecordRights } from '../rights/records.ts'
import { findPipeline, lockedPipeline, requirePipeline, updatePipeline } from '../store/pipelines.ts'
import type { PipelineRow, VersionRow } from '../store/rows.ts'
import { findRun } from '../store/runs.ts'
import { requireState } from '../store/states.ts'
import { nodesOf, versionOf } from '../store/versions.ts'
import { findCheckpoint } from '../supervisor/runs.ts'
import { forgetAllReaders } from '../upkeep/readers.ts'
import { dropFiles } from '../upkeep/upkeep.ts'
import { keepSecrets, withKnownSecrets } from './keep-secrets.ts'
import type { Pipeline, PipelineCreate, PipelineQuery, PipelineUpdate } from './schema.ts'
import { hideSecrets } from './secrets.ts'
import * as store from './store.ts'
import { saveUses } from './uses.ts'
import { requireSound, toNodes, type Validator } from './validate.ts'
import { type Definition, toDefinition, toListed, toPipeline, withoutWords } from './view.ts'

/** Versions of a definition that are kept. */
const MAX_VERSIONS = 200

export interface PipelineNeeds {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly jobs: Jobs
  readonly vault: Vault
  readonly classification: Classification
  readonly lineage: LineageTeller
  readonly uses: Uses
  readonly validator: Validator
  readonly records: Pick<RecordRights, 'areHidden' | 'requireInputs'>
  figuresOf(runId: string): RunFigures | undefined
}

/** Pipelines as people define them. */
export class Pipelines {
  readonly #needs: PipelineNeeds

  constructor(needs: PipelineNeeds) {
    this.#needs = needs
  }

  async list(query: PipelineQuery) {
    const { rows, total, nextCursor } = await store.listPipelines(this.#needs.metadata.db, query)
    return { pipelines: rows.map(toListed), total, nextCursor }
  }

  async get(actor: Actor, id: string): Promise<Pipeline> {
    const { metadata, records } = this.#needs
    const row = await requirePipeline(metadata.db, id)
    const pipeline = await this.#show(metadata.db, row, await versionOf(metadata.db, row))
    if (pipeline.error === null && pipeline.run?.error == null) return pipeline
    return (await records.areHidden(actor, id)) ? withoutWords(pipeline) : pipeline
  }

  /** A new definition, checked; to be done before its transaction. */
  async checked(actor: Actor, body: PipelineCreate): Promise<Definable> {
    const nodes = toNodes(body.nodes)
    await this.#needs.validator.check(actor, nodes)
    return { ...body, nodes }
  }

  /** A change of a definition, checked with the secrets that it leaves as they are. */
  async checkedUpdate(actor: Actor, id: string, body: PipelineUpdate): Promise<DefinitionChange> {
    const { metadata, vault, validator, records } = this.#needs
    // What it reads no more is no longer what its dead letters are hidden for.
    await records.requireInputs(actor, id)
    const { nodes: sent, ...rest } = body
    if (sent === undefined) return rest
    const nodes = toNodes(sent)
    const row = await findPipeline(metadata.db, id)
    if (row === undefined) {
      requireSound(nodes) // as for every body: that it is no definition is known before what it would change
      throw new Problem('not_found')
    }
    requireState(row, 'update')
    const { nodes: kept, bound } = withKnownSecrets(vault, id, nodes, await versionOf(metadata.db, row))
    if (bound.length > 0) {
      requireSound(nodes) // where a secret goes can't be told of what is no definition
      throw new Problem('secret_bound', { errors: bound })
    }
    await validator.check(actor, kept)
    return { ...rest, nodes }
  }

  async create(tx: Db, actor: Actor, body: Definable): Promise<Outcome<Pipeline>> {
    const { outcome, insert } = this.draft(actor, body)
    await insert(tx)
    return outcome
  }

  /** A new pipeline that `insert` makes there; its nodes hold their secrets. */
  draft(actor: Actor, body: Definable): { outcome: Outcome<Pipeline>; insert(tx: Db): Promise<void> } {
    const { clock, makeId } = this.#needs
    const row: PipelineRow = {
      id: makeId('pl'),
      name: body.name,
      description: body.description ?? '',
      status: 'stopped',
      error: null,
      node_count: body.nodes.length,
      run_id: null,
      run_count: 0,
      letters_upto: null,
      created_by: actor.id,
      ...firstStamps(clock)
    }
    const version = this.#versionFor(actor, row, body.nodes)
    const answer = toPipeline(row, version, undefined, { ms: clock.now() })
    return {
      outcome: { answer, changes: [{ type: 'pipeline', id: row.id, after: toDefinition(row, version) }] },
      async insert(tx) {
        await orNameTaken(() => store.insertPipeline(tx, row))
        await store.insertVersion(tx, version)
        await saveUses(tx, row.id, body.nodes)
      }
    }
  }

  async update(tx: Db, actor: Actor, id: string, change: DefinitionChange): Promise<Outcome<Pipeline>> {
    const { clock, lineage, vault } = this.#needs
    const before = await lockedPipeline(tx, id)
    requireState(before, 'update')
    const known = await versionOf(tx, before)
    const nodes = keepSecrets(vault, id, change.nodes ?? nodesOf(known), known)
    const row: PipelineRow = {
      ...before,
      name: change.name ?? before.name,
      description: change.description ?? before.description,
      node_count: nodes.length,
      ...nextStamps(before, clock)
    }
    await orNameTaken(() => updatePipeline(tx, id, row))
    for (const node of row.name === before.name ? [] : [jobOf(id), outputReference(id)])
      await lineage.called(tx, node, row.name)
    const version = this.#versionFor(actor, row, nodes)
    await store.insertVersion(tx, version)
    await saveUses(tx, id, nodes)
    const run = before.run_id === null ? undefined : await findRun(tx, before.run_id)
    // What the last run began with, and what a checkpoint that is still to be gone on from speaks of.
    const kept = [run?.version ?? 0, (await findCheckpoint(tx, id))?.version ?? 0]
    await store.deleteVersions(tx, id, row.version - MAX_VERSIONS, kept)
    return this.#changed(tx, toDefinition(before, known), row, version)
  }

  /** Refuses those who may not see what it reads, as for every change; to be done before the transaction. */
  requireDeletable(actor: Actor, id: string): Promise<void> {
    return this.#needs.records.requireInputs(actor, id)
  }

  async delete(tx: Db, id: string, force: boolean): Promise<Outcome<null>> {
    const { jobs, classification, lineage, uses } = this.#needs
    const row = await lockedPipeline(tx, id)
    requireState(row, 'delete')
    if (!force) await uses.requireUnused(tx, { type: 'pipeline', id })
    const version = await versionOf(tx, row)
    const saved = await findCheckpoint(tx, id)
    const readers = await forgetAllReaders(tx, jobs, row)
    if (saved !== undefined) await dropFiles(tx, jobs, filesOf(JSON.parse(saved.checkpoint) as Checkpoint))
    await classification.forget(tx, `pipeline://${id}`)
    await lineage.removed(tx, jobOf(id), PROVENANCE)
    await lineage.ownerRemoved(tx, outputReference(id))
    await store.deletePipeline(tx, id)
    // The slots of these names are dropped a moment later.
    const dropped = readers.map(({ connectorId, reader }) => ({ connectorId, reader }))
    const before = { ...toDefinition(row, version), ...(dropped.length > 0 && { droppedReaders: dropped }) }
    return { answer: null, changes: [{ type: 'pipeline', id, before }] }
  }

  async #changed(tx: Db, before: Definition, row: PipelineRow, version: VersionRow): Promise<Outcome<Pipeline>> {
    const after = toDefinition(row, version)
    const answer = await this.#show(tx, row, version)
    return { answer, changes: [{ type: 'pipeline', id: row.id, before, after }] }
  }

  async #show(db: Db, row: PipelineRow, version: VersionRow): Promise<Pipeline> {
    const run = row.run_id === null ? undefined : await findRun(db, row.run_id)
    const live = run?.ended_at === null ? this.#needs.figuresOf(run.id) : undefined
    return toPipeline(row, version, run, { ms: this.#needs.clock.now(), live })
  }

  #versionFor(actor: Actor, row: PipelineRow, nodes: readonly PipelineNode[]): VersionRow {
    const { nodes: hidden, sealed } = hideSecrets(this.#needs.vault, row.id, nodes)
    return {
      pipeline_id: row.id,
      version: row.version,
      nodes: JSON.stringify(hidden),
      secrets: sealed,
      created_by: actor.id,
      created_at: row.updated_at
    }
  }
}

export type Definable = Omit<PipelineCreate, 'nodes'> & { readonly nodes: readonly PipelineNode[] }
type DefinitionChange = Omit<PipelineUpdate, 'nodes'> & { readonly nodes?: readonly PipelineNode[] }
