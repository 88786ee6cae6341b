import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlName } from '../../../data/relation.ts'
import { typesOf } from '../nodes/index.ts'
import type { Column, PipelineNode } from '../nodes/node-type.ts'
import { type JsonRecord, makeRecordsTable } from '../nodes/records-table.ts'
import { selectList } from '../nodes/sql-expression.ts'
import { typedAs } from './columns.ts'
import { columnsSpokenOf } from './expected-columns.ts'
import { toFault } from './faults.ts'
import type { Replay } from './run-spec.ts'
import { tableName } from './state-table.ts'

export interface Corrected {
  readonly records: JsonRecord[]
  readonly faults: ReadonlyMap<Replay, { readonly code: string; readonly reason: string }>
}

/**
 * The records of dead letters, with what a correction sets. It is computed for all at once, and by halves where it does not
 * work for some.
 */
export async function correct(
  place: { readonly database: DuckDBConnection; readonly schema: string },
  all: readonly Replay[],
  set: Readonly<Record<string, string>> | undefined,
  columns: readonly Column[] | undefined
): Promise<Corrected> {
  const faults = new Map<Replay, { code: string; reason: string }>()
  const letters: Replay[] = []
  const records: JsonRecord[] = []
  for (const letter of all) {
    const record = parsed(letter.record)
    if (record === undefined) faults.set(letter, { code: 'not_a_record', reason: 'Only a part of the record was kept' })
    else {
      records.push(record)
      letters.push(letter)
    }
  }
  if (set === undefined || records.length === 0) return { records, faults }
  const { database, schema } = place
  const name = 'replay:corrected'
  const table = tableName(schema, name)
  const found = await makeRecordsTable(database, { schema, name }, records)
  try {
    const select = await statement(database, set, typedAs(columns ?? [], found))
    const corrected = new Array<JsonRecord | undefined>(records.length)
    const ranges: [number, number][] = [[0, records.length]]
    for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
      const [from, to] = range
      try {
        const texts = await textsOf(database, select(`${table} WHERE rowid >= ${from} AND rowid < ${to}`))
        for (const [i, text] of texts.entries()) corrected[from + i] = JSON.parse(text) as JsonRecord
      } catch (error) {
        const fault = toFault(error)
        if (fault.kind !== 'records') throw fault
        const middle = Math.floor((from + to) / 2)
        if (to - from > 1) ranges.push([from, middle], [middle, to])
        else
          faults.set(letters[from] as Replay, {
            code: fault.code,
            reason: `The correction fails: ${fault.message}`
          })
      }
    }
    return { records: corrected.filter((record) => record !== undefined), faults }
  } finally {
    await database.run(`DROP TABLE IF EXISTS ${table}`).catch(() => {}) // where it was interrupted
  }
}

function parsed(text: string): JsonRecord | undefined {
  try {
    return JSON.parse(text) as JsonRecord
  } catch {
    return undefined
  }
}

/** Columns that the correction speaks of and the records lack are NULL. */
async function statement(
  database: DuckDBConnection,
  set: Readonly<Record<string, string>>,
  typed: { readonly list: string; readonly columns: readonly Column[] }
): Promise<(from: string) => string> {
  const node: PipelineNode = { id: 'set', type: 'map', config: { select: set }, inputs: ['input'] }
  const nodes = [{ ...node, id: 'input', type: 'webhook', inputs: [] }, node, { ...node, id: 'out', inputs: ['set'] }]
  const spoken = (await columnsSpokenOf(database, [node], typesOf(nodes))).get('set') ?? []
  const has = new Set(typed.columns.map(({ name }) => name.toLowerCase()))
  const missing = spoken.filter((name) => name.toLowerCase() !== 'input' && !has.has(name.toLowerCase()))
  const made = new Set(Object.keys(set).map((name) => name.toLowerCase()))
  const kept = typed.columns.filter(({ name }) => !made.has(name.toLowerCase())).map(({ name }) => sqlName(name))
  const list = [...kept, selectList(set)].join(', ')
  const inner = [typed.list, ...new Set(missing.map((name) => `NULL AS ${sqlName(name)}`))].filter(Boolean).join(', ')
  return (from) => `SELECT ${list} FROM (SELECT ${inner} FROM ${from}) AS input`
}

async function textsOf(database: DuckDBConnection, select: string): Promise<string[]> {
  const reader = await database.runAndReadAll(`SELECT to_json(r)::VARCHAR FROM (${select}) r`)
  return reader.getRows().map(([text]) => String(text))
}
