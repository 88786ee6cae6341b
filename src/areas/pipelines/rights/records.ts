import type { Metadata } from '../../../engines/metadata/index.ts'
import type { Actor } from '../../../http/permissions.ts'
import type { Asker, Guard } from '../../classification/index.ts'
import { outputReference } from '../lineage/references.ts'
import { inputReferences } from './references.ts'

interface Needs {
  readonly metadata: Metadata
  readonly guard: Pick<Guard, 'requireAll' | 'maskFor' | 'maskOf'>
}

/**
 * Who may see records on their way through a pipeline: in dead letters, and in what nodes say of them. They hold whatever the
 * pipeline reads, under names that nodes may have changed, so that they are masked as a whole.
 */
export class RecordRights {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Whether records are masked for the caller; refuses where a level says so. */
  async areMasked(asker: Asker, pipelineId: string): Promise<boolean> {
    return (await this.#needs.guard.maskFor(asker, await this.#dataOf(pipelineId))) !== undefined
  }

  /** Whether what is said of records is left out of something else that the caller may see. */
  async areHidden(actor: Pick<Actor, 'role'>, pipelineId: string): Promise<boolean> {
    return (await this.#needs.guard.maskOf(actor, await this.#dataOf(pipelineId))) !== undefined
  }

  /** Refuses those who may not see what the pipeline reads, before it does so on their behalf. */
  async requireInputs(actor: Pick<Actor, 'role'>, pipelineId: string): Promise<void> {
    await this.#needs.guard.requireAll(actor, await inputReferences(this.#needs.metadata.db, pipelineId))
  }

  /** Refuses those who may not see all of them, before the pipeline does something with them on their behalf. */
  async requireAll(actor: Pick<Actor, 'role'>, pipelineId: string): Promise<void> {
    await this.#needs.guard.requireAll(actor, await this.#dataOf(pipelineId))
  }

  async #dataOf(pipelineId: string): Promise<readonly string[]> {
    return [...(await inputReferences(this.#needs.metadata.db, pipelineId)), outputReference(pipelineId)]
  }
}
