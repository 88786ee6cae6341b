import type { Clock } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { invalidField } from '../../../errors.ts'
import { fetchPage } from '../../../http/paging.ts'
import { isReference, resourceName } from '../resource-name.ts'
import type { Classification } from '../service.ts'
import { findClassified } from '../store.ts'
import { effectiveOf } from './effective.ts'
import { dataOf } from './labelled.ts'
import { previewOf } from './preview.ts'
import type { Effective, InheritedQuery, Preview, PreviewOrder } from './schema.ts'
import { toInherited } from './view.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly classification: Pick<Classification, 'requireLevel'>
}

/** Levels that data have because of where they come from. */
export class Inheritance {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(query: InheritedQuery) {
    let select = this.#needs.metadata.db.selectFrom('classification_inherited').selectAll().where('is_shown', '=', 1)
    if (query.resource !== undefined) select = select.where('resource', '=', query.resource)
    if (query.level !== undefined) select = select.where('level', '=', query.level)
    if (query.from !== undefined) select = select.where('from_resource', '=', query.from)
    const { rows, total, nextCursor } = await fetchPage(select, query, { sorts: { resource: 'resource' }, id: 'key' })
    return { inherited: rows.map(toInherited), total, nextCursor }
  }

  async effective(resource: string): Promise<Effective> {
    if (!isReference(resource))
      throw invalidField(
        '/query/resource',
        'must be a data reference, such as object://bucket/key or dataset://namespace/name'
      )
    return effectiveOf(this.#needs.metadata.db, resource)
  }

  async preview({ resource, level, columns = [] }: PreviewOrder): Promise<Preview> {
    const { metadata, clock, classification } = this.#needs
    const name = resourceName(resource)
    if (level !== null) await classification.requireLevel(metadata.db, level, '/level')
    const reference = dataOf(name)
    // What is no data, such as a dashboard, is in no lineage.
    if (reference === undefined) return { changes: [], truncated: false }
    const known = await findClassified(metadata.db, name, JSON.stringify(columns.toSorted()))
    return previewOf(metadata.db, clock, { reference, id: known?.id, columns, level })
  }
}
