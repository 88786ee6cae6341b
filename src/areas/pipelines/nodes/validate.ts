import { Type } from '../../../http/type.ts'
import { MAX_RECORD_CHARS, runCounted, tableName } from '../host/node-tools.ts'
import { Config, type ConfigOf } from './config-parts.ts'
import { NodeFault } from './context.ts'
import { statefulType } from './node-type.ts'
import type { Rejected } from './source.ts'
import type { Flow, Step, Stepped, Steps, StepsContext } from './steps.ts'
import { withinTime } from './time-limit.ts'
import { compileSchema, type Validator } from './validate-schema.ts'

const ValidateConfig = Config({
  schema: Type.Optional(
    Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      description:
        'A JSON Schema of at most 64 KiB that refers to nothing outside, of draft 2020-12 unless it says another. A column without a value is a field that is not there'
    })
  ),
  schemaId: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'A registered schema, instead; Avro and Protobuf as far as JSON Schema can say the same'
    })
  ),
  version: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Of the registered schema; if not said, the newest at each start' })
  )
})
type ValidateConfig = ConfigOf<typeof ValidateConfig>

export const validate = statefulType<ValidateConfig>({
  type: 'validate',
  about: 'Lets records go on that fit a JSON Schema; the others become dead letters that say what is wrong.',
  config: ValidateConfig,
  inputs: { min: 1, max: 1 },
  accounting: 'filters',
  check({ schema, schemaId, version }) {
    if ((schema === undefined) === (schemaId === undefined)) {
      return [{ pointer: '', message: 'must have either schema or schemaId' }]
    }
    if (schema === undefined) return []
    if (version !== undefined) return [{ pointer: '/version', message: 'must not be there without schemaId' }]
    const compiled = compileSchema(schema)
    return 'problem' in compiled ? [{ pointer: '/schema', message: compiled.problem }] : []
  },
  columns: ({ schema }) => Object.keys(Object(schema?.properties)).slice(0, MAX_COLUMNS),
  async open(context) {
    // A registered schema has been put into its place by whoever started the run.
    const compiled = compileSchema(context.config.schema ?? {})
    if ('problem' in compiled) throw new NodeFault('fatal', 'invalid_schema', `The schema ${compiled.problem}`)
    return new Validation(context, compiled)
  }
})

const MAX_COLUMNS = 500
/** Of one batch. Where there are more, it is the schema that is wrong. */
const MAX_REJECTED = 100_000
/** For a few thousand records, which take some milliseconds. */
const MAX_CHUNK_MS = 5000
const NTH = '"millrace:nth"'

/** Remembers nothing: it is a stateful node because records are looked at outside of SQL. */
class Validation implements Steps {
  readonly #context: StepsContext<ValidateConfig>
  readonly #faultOf: Validator

  constructor(context: StepsContext<ValidateConfig>, faultOf: Validator) {
    this.#context = context
    this.#faultOf = faultOf
  }

  memo(): unknown {
    return null
  }

  async probe(_input: number, flow: Flow): Promise<void> {
    await runCounted(this.#context.database, `SELECT count(to_json(r)) FROM (${flow.sql}) r`)
  }

  async step({ inputs: [flow], signal }: Step): Promise<Stepped> {
    const nothing = { taken: [0], given: 0, filtered: 0, rejected: [], held: 0 }
    if (flow === undefined) return { ...nothing, output: undefined }
    const { database, schema, nodeId } = this.#context
    const batch = tableName(schema, `${nodeId}:batch`)
    const taken = await runCounted(
      database,
      `CREATE OR REPLACE TABLE ${batch} AS SELECT *, row_number() OVER () AS ${NTH} FROM (${flow.sql})`
    )
    const { rejected, places } = await this.#look(batch, signal)
    for (let from = 0; from < places.length; from += DELETE_AT_ONCE) {
      const some = places.slice(from, from + DELETE_AT_ONCE)
      await database.run(`DELETE FROM ${batch} WHERE ${NTH} IN (SELECT unnest([${some.join(', ')}]))`)
    }
    const given = taken - rejected.length
    const sql = `SELECT * EXCLUDE (${NTH}) FROM ${batch}`
    const output = given === 0 ? undefined : { sql, columns: flow.columns, rows: given }
    return { output, taken: [taken], given, filtered: 0, rejected, held: 0 }
  }

  /** A vector of records at a time, with other work in between. */
  async #look(batch: string, signal: AbortSignal): Promise<{ rejected: Rejected[]; places: bigint[] }> {
    const rejected: Rejected[] = []
    const places: bigint[] = []
    const result = await this.#context.database.stream(
      `SELECT ${NTH}, to_json(r)::VARCHAR FROM (SELECT * EXCLUDE (${NTH}) FROM ${batch}) r POSITIONAL JOIN (SELECT ${NTH} FROM ${batch})`
    )
    for (
      let chunk = await result.fetchChunk();
      chunk !== null && chunk.rowCount > 0;
      chunk = await result.fetchChunk()
    ) {
      signal.throwIfAborted()
      const rows = chunk.getRows() as [bigint, string][]
      for (const [place, reason] of this.#faultsIn(rows)) {
        const [, text] = rows[place] as [bigint, string]
        rejected.push({ code: 'invalid_record', reason, record: text.slice(0, MAX_RECORD_CHARS) })
        places.push((rows[place] as [bigint, string])[0])
      }
      if (rejected.length > MAX_REJECTED) {
        throw new NodeFault(
          'fatal',
          'too_many_invalid',
          `More than ${MAX_REJECTED} records of one batch do not fit the schema; look whether it is the right one`
        )
      }
    }
    return { rejected, places }
  }

  /** The places of records that do not fit, with the reason. */
  #faultsIn(rows: readonly [bigint, string][]): [number, string][] {
    const found = withinTime(MAX_CHUNK_MS, () =>
      rows.flatMap(([, text], place): [number, string][] => {
        const reason = this.#faultOf(withoutNothing(JSON.parse(text)))
        return reason === undefined ? [] : [[place, reason]]
      })
    )
    if (found !== undefined) return found
    throw new NodeFault(
      'fatal',
      'schema_too_slow',
      `To check ${rows.length} records took more than ${MAX_CHUNK_MS / 1000} s; look for patterns that repeat repetitions, such as (a+)+`
    )
  }
}

const DELETE_AT_ONCE = 10_000

/** Columns can't tell a field that is not there from one that is null. */
function withoutNothing(record: Record<string, unknown>): Record<string, unknown> {
  for (const name of Object.keys(record)) if (record[name] === null) delete record[name]
  return record
}
