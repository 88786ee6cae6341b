import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DataError } from '../../../data/errors.ts'
import type { DataReference } from '../../../data/reference.ts'
import type { Relation, RelationResolver, ResolvePlace } from '../../../data/relation.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { type Output, outputsOf } from '../lineage/output.ts'
import { findPipeline } from '../store/pipelines.ts'
import { findVersion, nodesOf } from '../store/versions.ts'

interface Needs {
  readonly metadata: Metadata
  readonly objects: RelationResolver
  readonly series: RelationResolver
}

/** `pipeline://id`: all that the pipeline has put out, columns of the same name being one. */
export class PipelineResolver implements RelationResolver {
  readonly scheme = 'pipeline'
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async resolve({ owner: id }: DataReference, place: ResolvePlace): Promise<Relation> {
    const outputs = await this.#outputsOf(id)
    const relations: Relation[] = []
    const release = async () => {
      for (const relation of relations) await relation.release()
    }
    try {
      for (const output of outputs) relations.push(...(await this.#resolveOne(output, place, relations.length)))
    } catch (error) {
      await release()
      throw error
    }
    if (relations.length === 0) throw new DataError('nothing_matches', `The pipeline ${id} has put nothing out yet.`)
    const sql = relations.map((relation) => `SELECT * FROM (${relation.sql})`).join(' UNION ALL BY NAME ')
    return { sql, files: relations.flatMap(({ files }) => files), release }
  }

  async #outputsOf(id: string): Promise<readonly Output[]> {
    const { db } = this.#needs.metadata
    const row = await findPipeline(db, id)
    const version = row && (await findVersion(db, id, row.version))
    if (version === undefined) throw new DataError('not_found', `There is no pipeline ${id}.`)
    const outputs = outputsOf(id, nodesOf(version))
    if (outputs.length > 0) return outputs
    throw new DataError('reference_invalid', `The pipeline ${id} has neither a series nor an object sink to read from.`)
  }

  /** Empty where nothing has been written there yet. */
  async #resolveOne(output: Output, place: ResolvePlace, index: number): Promise<Relation[]> {
    const { objects, series } = this.#needs
    if (output.kind === 'series') {
      const reference = { scheme: 'series', owner: output.sourceId, path: output.tag ?? '' } as const
      return [await series.resolve(reference, place)]
    }
    const folder = join(place.folder, `output-${index}`)
    await mkdir(folder, { recursive: true })
    try {
      const reference = { scheme: 'object', owner: output.bucket, path: output.pattern } as const
      return [await objects.resolve(reference, { ...place, folder })]
    } catch (error) {
      if (error instanceof DataError && error.code === 'nothing_matches') return []
      throw error
    }
  }
}
