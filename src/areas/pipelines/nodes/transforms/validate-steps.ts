import { NodeFault } from '../../contract/context.ts'
import { ROW } from '../../contract/source.ts'
import { tableName } from '../../contract/state-table.ts'
import type { Flow, Step, Stepped, Steps, StepsContext } from '../../contract/steps.ts'
import type { Column } from '../../duckdb/columns.ts'
import { runCounted } from '../../duckdb/database.ts'
import { recordJson } from '../../records/sieve.ts'
import { withinTime } from './time-limit.ts'
import type { ValidateConfig } from './validate.ts'
import type { Validator } from './validate-schema.ts'

/** Time that a few thousand records may take, which usually take some milliseconds. */
const MAX_CHUNK_MS = 5000

/** Remembers nothing: it is a stateful node because records are looked at outside of SQL. */
export class ValidateSteps implements Steps {
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
    const taken = await runCounted(database, `CREATE OR REPLACE TABLE ${batch} AS ${flow.numbered}`)
    const rejected = await this.#look(batch, flow.columns, signal)
    for (let from = 0; from < rejected.length; from += DELETE_AT_ONCE) {
      const some = rejected.slice(from, from + DELETE_AT_ONCE).map(({ row }) => row)
      await database.run(`DELETE FROM ${batch} WHERE ${ROW} IN (SELECT unnest([${some.join(', ')}]::BIGINT[]))`)
    }
    const given = taken - rejected.length
    const sql = `SELECT * EXCLUDE (${ROW}) FROM ${batch}`
    const { columns } = flow
    const output = given === 0 ? undefined : { sql, numbered: `SELECT * FROM ${batch}`, columns, rows: given }
    return { output, taken: [taken], given, filtered: 0, rejected, held: 0 }
  }

  /** A vector of records at a time, with other work in between. */
  async #look(batch: string, columns: readonly Column[], signal: AbortSignal): Promise<Stepped['rejected']> {
    const rejected: Stepped['rejected'][number][] = []
    const result = await this.#context.database.stream(`SELECT ${ROW}, ${recordJson(columns)} FROM ${batch}`)
    for (
      let chunk = await result.fetchChunk();
      chunk !== null && chunk.rowCount > 0;
      chunk = await result.fetchChunk()
    ) {
      signal.throwIfAborted()
      const rows = chunk.getRows() as [bigint, string][]
      for (const [place, reason] of this.#faultsIn(rows)) {
        const [row, record] = rows[place] as [bigint, string]
        rejected.push({ row: Number(row), code: 'invalid_record', reason, record })
      }
    }
    return rejected
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
