import { mkdir, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { sqlName, sqlText } from '../../../data/relation.ts'
import { OneOf } from '../../../http/schemas.ts'
import { Type } from '../../../http/type.ts'
import { columnList } from '../host/columns.ts'
import type { StateTable } from '../host/state-table.ts'
import { ColumnName, Config, type ConfigOf } from './config-parts.ts'
import { NodeFault } from './context.ts'
import { sinkType } from './node-type.ts'
import type { Publication, Sink, SinkContext, Wrote } from './sink.ts'
import type { Flow } from './steps.ts'

const FORMATS = {
  parquet: { options: 'FORMAT parquet, COMPRESSION zstd', contentType: 'application/vnd.apache.parquet' },
  csv: { options: 'FORMAT csv, HEADER true', contentType: 'text/csv' },
  ndjson: { options: 'FORMAT json', contentType: 'application/x-ndjson' }
} as const

const DEFAULT_ROLL_ROWS = 1_000_000
const DEFAULT_ROLL_SECONDS = 60
const MAX_FILES_AT_ONCE = 1000

const ObjectSinkConfig = Config({
  bucket: Type.String({ minLength: 3, maxLength: 63, description: 'Name of the bucket' }),
  prefix: Type.String({
    maxLength: 500,
    pattern: '^(?!/)(?!.*//).*$',
    description: 'What the keys begin with, such as `readings/`'
  }),
  format: OneOf(['parquet', 'csv', 'ndjson'], 'The form of the objects'),
  partitionBy: Type.Optional(
    Type.Array(ColumnName('A column'), {
      minItems: 1,
      maxItems: 4,
      description: 'Objects go into folders named `column=value`'
    })
  ),
  rollRows: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 50_000_000,
      description: `An object is closed with so many records; ${DEFAULT_ROLL_ROWS} unless said`
    })
  ),
  rollSeconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 86_400,
      description: `An object is closed after so long; ${DEFAULT_ROLL_SECONDS} unless said`
    })
  )
})
type ObjectSinkConfig = ConfigOf<typeof ObjectSinkConfig>

export const objectSink = sinkType<ObjectSinkConfig>({
  type: 'object',
  about: 'Writes records into objects of a bucket, each of which appears as a whole.',
  config: ObjectSinkConfig,
  delivery: 'exactly-once',
  references: ({ bucket, prefix }) => [`object://${bucket}/${prefix}*`],
  open: async (context) => new ObjectSink(context)
})

/** Records wait in a table that outlives crashes; a checkpoint that empties it names the objects that they become. */
class ObjectSink implements Sink {
  readonly #context: SinkContext<ObjectSinkConfig>
  readonly #waiting: StateTable
  /** Since when records wait. */
  #sinceMs: number | undefined

  constructor(context: SinkContext<ObjectSinkConfig>) {
    this.#context = context
    this.#waiting = context.state('waiting')
    this.#sinceMs = (context.memo as { sinceMs?: number } | undefined)?.sinceMs
  }

  async write(flow: Flow): Promise<Wrote> {
    const taken = await this.#waiting.insert(flow.sql, flow.columns)
    if (taken > 0) this.#sinceMs ??= this.#context.now()
    return { taken, written: taken, rejected: [] }
  }

  async prepare({ epoch, last }: { epoch: number; last: boolean }): Promise<Publication[]> {
    const { config, now } = this.#context
    const { rollRows = DEFAULT_ROLL_ROWS, rollSeconds = DEFAULT_ROLL_SECONDS } = config
    const isOld = this.#sinceMs !== undefined && now() - this.#sinceMs >= rollSeconds * 1000
    if (this.#waiting.rows === 0 || !(last || isOld || this.#waiting.rows >= rollRows)) return []
    const publications = await this.#close(epoch)
    await this.#waiting.clear()
    this.#sinceMs = undefined
    return publications
  }

  memo(): unknown {
    return { sinceMs: this.#sinceMs }
  }

  async close(): Promise<void> {}

  /** The same epoch of the same run makes the same names, so that none is there twice. */
  async #close(epoch: number): Promise<Publication[]> {
    const { config, database, folder, gateway, pipelineId, nodeId, runNumber } = this.#context
    const { bucket, prefix, format, partitionBy = [] } = config
    const { options, contentType } = FORMATS[format]
    const out = join(folder, 'out')
    await rm(out, { recursive: true, force: true })
    await mkdir(out, { recursive: true })
    const name = `${pipelineId}-${nodeId}-${runNumber}-${epoch}`
    const where =
      partitionBy.length === 0
        ? `${sqlText(join(out, `${name}.${format}`))} (${options}, RETURN_FILES true)`
        : `${sqlText(out)} (${options}, PARTITION_BY (${partitionBy.map(sqlName).join(', ')}), FILENAME_PATTERN ${sqlText(`${name}-{i}`)}, RETURN_FILES true)`
    const columns = columnList(this.#waiting.columns)
    const reader = await database.runAndReadAll(`COPY (SELECT ${columns} FROM ${this.#waiting.name}) TO ${where}`)
    const [, files] = reader.getRowsJson()[0] as [unknown, string[]]
    if (files.length > MAX_FILES_AT_ONCE) {
      throw new NodeFault(
        'fatal',
        'too_many_partitions',
        `partitionBy makes ${files.length} objects at once; at most ${MAX_FILES_AT_ONCE} are allowed`
      )
    }
    const publications: Publication[] = []
    for (const path of files) {
      publications.push({ file: await gateway.keepFile(path), bucket, key: prefix + relative(out, path), contentType })
    }
    return publications
  }
}
