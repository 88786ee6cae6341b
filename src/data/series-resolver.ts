import { SeriesError } from '../engines/series/errors.ts'
import type { Series } from '../engines/series/index.ts'
import { DataError } from './errors.ts'
import { type DataReference, formatReference } from './reference.ts'
import { type Relation, type RelationResolver, sqlText, sqlTexts } from './relation.ts'

/**
 * An empty relation with all columns, which every file is united with: a file lacks a column whose value is the same
 * for all its points. Times are nanoseconds in UTC without a zone, as in the files: any other type would be computed
 * for every point, and DuckDB could no longer skip files outside the time asked for. `now()::TIMESTAMP` compares with
 * them.
 */
const NO_POINTS =
  'SELECT NULL::VARCHAR AS tag, NULL::TIMESTAMP_NS AS time, NULL::DOUBLE AS value, NULL::VARCHAR AS text, ' +
  'NULL::UTINYINT AS quality WHERE false'

const COLUMNS = 'tag, time, value, text, coalesce(quality, 0)::UTINYINT AS quality'

/** `series://source` and `series://source/tag`, with the columns tag, time, value, text and quality. */
export class SeriesResolver implements RelationResolver {
  readonly scheme = 'series'
  readonly #series: Pick<Series, 'export'>
  readonly #sourceExists: (sourceId: string) => Promise<boolean>

  constructor(series: Pick<Series, 'export'>, sourceExists: (sourceId: string) => Promise<boolean>) {
    this.#series = series
    this.#sourceExists = sourceExists
  }

  async resolve(reference: DataReference): Promise<Relation> {
    const { owner: sourceId, path: tag } = reference
    if (!(await this.#sourceExists(sourceId))) throw new DataError('not_found', `There is no source ${sourceId}.`)
    try {
      const exported = await this.#series.export(sourceId, tag === '' ? undefined : [tag])
      return { sql: selectPoints(exported.files, tag), files: exported.files, release: () => exported.release() }
    } catch (error) {
      if (!(error instanceof SeriesError)) throw error
      const isElsewhere = error.code === 'not_shared' || error.code === 'kept_elsewhere'
      const code = isElsewhere ? 'points_not_shared' : 'unavailable'
      throw new DataError(code, `${formatReference(reference)} can't be read now: ${error.message}`, {
        cause: error
      })
    }
  }
}

function selectPoints(files: readonly string[], tag: string): string {
  const points = `SELECT * FROM read_parquet(${sqlTexts(files)}, union_by_name = true, hive_partitioning = false)`
  const all = files.length === 0 ? NO_POINTS : `${NO_POINTS} UNION ALL BY NAME ${points}`
  return `SELECT ${COLUMNS} FROM (${all})${tag === '' ? '' : ` WHERE tag = ${sqlText(tag)}`}`
}
