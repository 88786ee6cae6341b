import { basename } from 'node:path'
import { nearestName } from '../../../../data/nearest-name.ts'
import { formOf, type ObjectFormat } from '../../../../data/object-formats.ts'
import { sqlName } from '../../../../data/relation.ts'
import type { Origin, SourceContext } from '../../contract/source.ts'
import { tableName } from '../../contract/state-table.ts'
import { type Column, columnsOf } from '../../duckdb/columns.ts'
import type { FileSourceConfig } from './config.ts'
import { convert } from './convert.ts'
import type { FetchedObject } from './listing.ts'
import { openParquet, type ParquetFile } from './parquet.ts'
import type { Records } from './parts.ts'
import { Places } from './places.ts'
import { NO_REJECTS, type Rejects, sortRejects, tableOfRejects } from './rejects.ts'
import type { FoundTypes } from './types.ts'
import type { Converted, Work } from './work.ts'

export interface OpenedObject {
  /** Undefined where it can't be read at all. */
  readonly records: Records | undefined
  readonly rejects: Rejects
  readonly found: FoundTypes
}

export async function openObject(
  context: SourceContext<FileSourceConfig>,
  fetched: FetchedObject,
  types: FoundTypes
): Promise<OpenedObject> {
  const format = formatOf(context.config, fetched)
  if (format !== 'parquet') return openText(context, fetched, format, types)
  const { database, isBulk, config } = context
  const parquet = await openParquet(database, fetched.path, { isBulk })
  const records: Records = {
    database,
    parquet,
    places: new Places(database, 1),
    originOf: (row) => ({ object: fetched.reference, row }),
    columns: await columnsOf(database, parquet.selectPlain(0, 0)),
    casts: new Map(),
    missing: [],
    mixed: [],
    hasWrong: false,
    isLoose: false,
    metadata: config.metadata === true ? fetched.object.key : undefined
  }
  return { records, rejects: NO_REJECTS, found: types }
}

async function openText(
  context: SourceContext<FileSourceConfig>,
  fetched: FetchedObject,
  format: Work['format'],
  types: FoundTypes
): Promise<OpenedObject> {
  const { database, config, signal, schema, nodeId, log } = context
  const { key } = fetched.object
  const to = `${fetched.path}.parquet`
  const table: Work['table'] = (name) => tableName(schema, `${nodeId}:${name}:${basename(fetched.path)}`)
  const work = { database, config, signal, path: fetched.path, to, format, types, table }
  const converted = await convert(work, (level, message) => log(level, `Object ${key} ${message}`))
  const { rowsInGroup, hasTables, plus, explain } = converted
  const parquet = await openParquet(database, to, { isBulk: context.isBulk, maxRows: 2 * rowsInGroup })
  const originOf = (line: number): Origin => {
    return format === 'json' ? { object: fetched.reference, row: line } : { object: fetched.reference, line }
  }
  const tables = hasTables ? { gaps: table('gaps'), shifts: table('shifts') } : undefined
  const count = hasTables ? await sortRejects(database, table('rejects')) : 0
  if (parquet.rows + count === 0) {
    log('warn', `Object ${key} has no record in it; if it should, look at format, and for CSV at encoding and header`)
  } else warnOfAbsent(context, key, converted)
  return {
    records: {
      ...(await recordsOf(context, fetched, converted, parquet)),
      places: new Places(database, plus, tables),
      originOf,
      isLoose: format === 'json' || format === 'ndjson',
      missing: missingOf(context, converted, format)
    },
    rejects: hasTables ? tableOfRejects(database, table('rejects'), { count, explain, originOf }) : NO_REJECTS,
    found: converted.found
  }
}

async function recordsOf(
  { database, config }: SourceContext<FileSourceConfig>,
  fetched: FetchedObject,
  { columns, mixed = [], hasWrong = false }: Converted,
  parquet: ParquetFile
) {
  const inFile = new Map((await columnsOf(database, parquet.selectPlain(0, 0))).map(({ name, type }) => [name, type]))
  const casts = columns.flatMap(({ name, type }): [string, string][] => {
    const isSame = type === '"NULL"' || inFile.get(name) === type
    return isSame ? [] : [[name, `${sqlName(name)}::${type} AS ${sqlName(name)}`]]
  })
  const metadata = config.metadata === true ? fetched.object.key : undefined
  return { database, parquet, columns, mixed, hasWrong, metadata, casts: new Map(casts) }
}

/** Says which columns are told that the object does not have, and what may be meant. */
function warnOfAbsent(
  { config, log }: SourceContext<FileSourceConfig>,
  key: string,
  { columns, absent }: Converted
): void {
  const here = new Set(columns.map(({ name }) => name.toLowerCase()))
  const names = columns.filter(({ name }) => !absent?.includes(name)).map(({ name }) => name)
  const lacking = Object.keys(config.columns ?? {}).filter(
    (name) => !here.has(name.toLowerCase()) || absent?.includes(name)
  )
  if (lacking.length === 0) return
  const told = lacking.slice(0, MAX_NAMED).map((name) => {
    const meant = nearestName(name, names)
    return meant === undefined ? name : `${name} (there is ${meant})`
  })
  log('warn', `Object ${key} has no column of those that are told: ${told.join(', ')}`)
}

const MAX_NAMED = 10

/** A field that no record of a JSON object has is nothing, rather than an error; a CSV says what it has. */
function missingOf(
  { config, expectedColumns }: SourceContext<FileSourceConfig>,
  { columns }: Converted,
  format: string
): Column[] {
  const here = new Set(columns.map(({ name }) => name.toLowerCase()))
  const told = Object.entries(config.columns ?? {}).map(([name, type]): Column => ({ name, type }))
  const spokenOf =
    format === 'json' || format === 'ndjson' ? expectedColumns.map((name): Column => ({ name, type: '"NULL"' })) : []
  const missing: Column[] = []
  for (const column of [...told, ...spokenOf]) {
    const name = column.name.toLowerCase()
    if (here.has(name) || (config.metadata === true && (name === '_object' || name === '_line'))) continue
    here.add(name)
    missing.push(column)
  }
  return missing
}

function formatOf({ format }: FileSourceConfig, { object, contentType }: FetchedObject): ObjectFormat {
  const found = format ?? formOf(object.key.replace(/\.(?:gz|zst)$/i, ''), contentType)?.format
  if (found === undefined) throw new Error('neither its name nor its type says CSV, TSV, JSON, NDJSON or Parquet')
  return found
}
