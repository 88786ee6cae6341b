import { CHANGE_COLUMNS, type ChangesChunk } from '../../changes/index.ts'
import { ChunkBuilder } from '../../chunk.ts'
import { SqlError } from '../../errors.ts'
import type { SqlValue } from '../../index.ts'
import type { Bounds } from '../../requests.ts'
import type { Watch } from '../../watch.ts'
import type { MysqlConnection, Parameter } from '../connection.ts'
import { fromMysql } from '../errors.ts'
import { quoteName, quoteTable } from '../quote.ts'
import { comparable, decoderOf, type Field, toColumn, typeOf } from '../types.ts'
import { type Position, positionText, recordPosition } from './position.ts'
import type { CapturedTable } from './table.ts'

/** The rows after those keys, in the order of their keys. */
export async function* readSnapshot(
  connection: MysqlConnection,
  { name, keys }: CapturedTable,
  position: Position,
  { chunkRows }: Bounds,
  watch: Watch
): AsyncGenerator<ChangesChunk> {
  const { file, at, snapshot } = position
  const { rows, fields } = await watch.run(async () => {
    await connection.command('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY')
    const from = `FROM ${quoteTable(name)}`
    const keyFields = await connection.columnsOf(`SELECT ${keys.map(quoteName).join(', ')} ${from}`)
    const { text, values } = beyond(keyFields, snapshot)
    return connection.stream(`SELECT * ${from} ${text} ORDER BY ${keys.map(quoteName).join(', ')}`, values)
  })
  const keyAt = keys.map((key) => fields.findIndex((field) => field.name === key))
  const decoders = fields.map(decoderOf)
  const columns = [...fields.map(toColumn), ...CHANGE_COLUMNS]
  const rest: SqlValue[] = ['snapshot', recordPosition(file, at, 0), null, null, null]
  const chunks = new ChunkBuilder(columns, chunkRows, undefined)
  const given = (full: ReturnType<ChunkBuilder['takeFull']>): ChangesChunk[] =>
    full.map(({ values, rows: count }) => {
      const reached = keyAt.map((i) => keyText(values[i]?.at(-1) ?? null))
      return { columns, values, rows: count, keys, position: positionText({ ...position, snapshot: reached }) }
    })
  for (;;) {
    const some = await watch.run(() => rows.take()).catch((error) => Promise.reject(fromMysql(error)))
    if (some === undefined) break
    for (const row of some)
      chunks.add([...decoders.map((decode, i) => (row[i] === null ? null : decode(row[i]))), ...rest])
    yield* given(chunks.takeFull())
  }
  yield* given(chunks.takeRest())
}

/** Beyond the first key, or equal in that and beyond the second, and so on. */
function beyond(
  fields: readonly Field[],
  after: Position['snapshot']
): { readonly text: string; readonly values: readonly Parameter[] } {
  const comparisons = fields.map((field) => {
    const text = typeOf(field) === 'blob' ? '?' : comparable(field)
    if (text === undefined)
      throw new SqlError('changes_off', `The column ${field.name} of the primary key is of a type without an order`)
    return text
  })
  if (after == null) return { text: '', values: [] }
  const parameters = fields.map((field, i) => parameterOf(field, after[i] as string))
  const values: Parameter[] = []
  const options = fields.map((_, last) => {
    const parts = fields.slice(0, last + 1).map((field, i) => {
      values.push(parameters[i] as Parameter)
      return `${quoteName(field.name)} ${i === last ? '>' : '='} ${comparisons[i]}`
    })
    return `(${parts.join(' AND ')})`
  })
  return { text: `WHERE ${options.join(' OR ')}`, values }
}

function keyText(value: SqlValue): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  return typeof value === 'boolean' ? String(Number(value)) : String(value)
}

function parameterOf(field: Field, text: string): Parameter {
  const type = typeOf(field)
  if (type === 'blob') return Buffer.from(text, 'hex')
  return type === 'double' ? Number(text) : text
}
