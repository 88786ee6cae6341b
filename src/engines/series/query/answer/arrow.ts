import { tableFromColumns, tableToIPC } from '@uwdata/flechette'
import { givesPointValue } from '../functions.ts'
import { NS_PER_MS } from '../ns.ts'
import type { Query } from '../plan.ts'
import type { TagRows } from '../rows.ts'
import { type ArrowColumn, Doubles, Longs, NANOSECONDS, Texts } from './arrow-columns.ts'
import { type AnswerWriter, columnNames, QUALITY_NAMES, showsCount } from './writer.ts'

const BATCH_ROWS = 2048
/** With long texts a batch is full before it has all its rows. */
const BATCH_BYTES = 1_048_576
const END_BYTES = 8

/**
 * An Arrow IPC stream: `tag`, `time` (nanoseconds, UTC), the values as doubles (true is 1) and `count` and `percentGood`
 * or, of points, `quality`. Beside `value`, `first` and `last` there are `text`, `firstText` and `lastText` for texts
 * and the digits of whole numbers that a double can't hold; null for all else. The same columns whatever the points are.
 */
export class ArrowWriter implements AnswerWriter {
  readonly #columns: readonly ArrowColumn[]
  #rows = 0
  /** The size of the schema, which the encoder puts before every batch; it is sent with the first batch only. */
  #headBytes = 0

  constructor(query: Query) {
    const rest = query.bucket === undefined ? [quality()] : [...(showsCount(query) ? [count()] : []), percentGood()]
    this.#columns = [tag(), time(), ...columnNames(query).flatMap((name, place) => values(query, name, place)), ...rest]
  }

  *rows(rows: TagRows): Iterable<Uint8Array> {
    for (let row = 0; row < rows.length; row++) {
      for (const column of this.#columns) column.append(rows, row)
      this.#rows++
      if (this.#rows === BATCH_ROWS || this.#sizeBytes() > BATCH_BYTES) yield this.#take(END_BYTES)
    }
  }

  *end(): Iterable<Uint8Array> {
    yield this.#take(0)
  }

  #sizeBytes(): number {
    return this.#columns.reduce((sum, column) => sum + column.sizeBytes, 0)
  }

  /**
   * The encoder always writes a whole stream. All batches but the first go without its beginning, all but the last
   * without its end.
   */
  #take(endBytes: number): Uint8Array {
    const table = tableFromColumns(this.#columns.map((column) => [column.name, column.take()]))
    const stream = tableToIPC(table, { format: 'stream' }) as Uint8Array
    const taken = stream.subarray(this.#headBytes, stream.length - endBytes)
    this.#headBytes = 8 + new DataView(stream.buffer, stream.byteOffset).getInt32(4, true)
    this.#rows = 0
    return taken
  }
}

function tag(): ArrowColumn {
  return new Texts('tag', BATCH_ROWS, (rows) => rows.tag)
}

function time(): ArrowColumn {
  const ns = (rows: TagRows, row: number) =>
    BigInt(rows.ms[row] as number) * BigInt(NS_PER_MS) + BigInt(rows.subMsNs?.[row] ?? 0)
  return new Longs('time', BATCH_ROWS, ns, NANOSECONDS)
}

function values(query: Query, name: string, place: number): ArrowColumn[] {
  const numbers = new Doubles(name, BATCH_ROWS, (rows, row) => rows.columns[place]?.[row] ?? Number.NaN)
  if (query.bucket !== undefined && !givesPointValue(query.functions[place])) return [numbers]
  const textName = name === 'value' ? 'text' : `${name}Text`
  return [numbers, new Texts(textName, BATCH_ROWS, (rows, row) => rows.exact[place]?.[row]?.toString())]
}

function quality(): ArrowColumn {
  return new Texts('quality', BATCH_ROWS, (rows, row) => QUALITY_NAMES[rows.quality?.[row] ?? 0])
}

function count(): ArrowColumn {
  return new Longs('count', BATCH_ROWS, (rows, row) => BigInt(rows.counts?.[row] ?? 0))
}

function percentGood(): ArrowColumn {
  const share = (rows: TagRows, row: number) =>
    rows.counts?.[row] === 0 ? Number.NaN : (rows.percentGood?.[row] ?? 100)
  return new Doubles('percentGood', BATCH_ROWS, share)
}
