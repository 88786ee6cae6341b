import { type ChangeRecord, type Image, RecordForm } from '../../changes/records.ts'
import type { SqlValue } from '../../index.ts'
import type { TextRow } from '../connection.ts'
import { decoderOf, typeOf } from '../types.ts'
import type { Before, Message, SentTable, Tuple } from './pgoutput.ts'

/** Makes records of messages about a table. */
export class TableForm {
  readonly records: RecordForm
  readonly #decoders: readonly ((text: string) => SqlValue)[]
  readonly #keyAt: readonly number[]

  /** Where whole rows are sent every column is marked as a key, and `knownKeys` are the keys. */
  constructor({ columns, isFull }: SentTable, baseOf: (oid: number) => number, knownKeys: readonly string[]) {
    const own = columns.map(({ name, oid }) => ({ name, type: typeOf(baseOf(oid)) }))
    this.#decoders = own.map(({ type }) => decoderOf(type))
    this.#keyAt = columns.flatMap(({ name, isKey }, i) => ((isFull ? knownKeys.includes(name) : isKey) ? [i] : []))
    this.records = new RecordForm(own, this.#keyAt)
  }

  recordsOf(message: Message): ChangeRecord[] {
    switch (message.kind) {
      case 'insert':
        return this.records.inserted(this.#image(message.after))
      case 'delete':
        return this.records.deleted(this.#before(message.before))
      case 'truncate':
        return this.records.truncated()
      case 'update': {
        const before = message.before && this.#before(message.before)
        return this.records.updated(before, this.#image(message.after))
      }
      default:
        return []
    }
  }

  /**
   * What a row that got another key lacks, with the texts of its keys; undefined where it lacks nothing. Other rows that lack
   * something have the same keys as before.
   */
  lackOf(
    message: Message
  ): { readonly keys: ReadonlyMap<string, string>; readonly columns: readonly string[] } | undefined {
    if (message.kind !== 'update') return undefined
    const inserted = this.recordsOf(message).find(({ op }) => op === 'insert')
    if (inserted == null || inserted.unchanged === null) return undefined
    const nameAt = (i: number) => this.records.columns[i]?.name as string
    return {
      keys: new Map(this.#keyAt.map((i) => [nameAt(i), String(message.after[i] ?? message.before?.tuple[i])])),
      columns: JSON.parse(inserted.unchanged)
    }
  }

  /** The same message with values of these columns. */
  filled(message: Message, columns: readonly string[], values: TextRow): Message {
    if (message.kind !== 'update') return message
    const after = message.after.map((text, i) => {
      const at = columns.indexOf(this.records.columns[i]?.name as string)
      return at < 0 ? text : (values[at] ?? null)
    })
    return { ...message, after }
  }

  #before({ isKeyOnly, tuple }: Before): Image {
    const image = this.#image(tuple)
    return isKeyOnly ? image.map((value, i) => (this.#keyAt.includes(i) ? value : undefined)) : image
  }

  #image(tuple: Tuple): Image {
    return this.#decoders.map((decode, i) => {
      const text = tuple[i]
      return text === undefined || text === null ? text : decode(text)
    })
  }
}
