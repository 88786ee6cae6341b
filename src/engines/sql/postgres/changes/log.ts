import { ChangeChunks, emptyChunk } from '../../changes/chunks.ts'
import type { ChangesChunk } from '../../changes/index.ts'
import type { TextRow } from '../connection.ts'
import { TableForm } from './form.ts'
import type { Lsn, Message, SentTable } from './pgoutput.ts'
import { type Position, positionText, recordPosition } from './position.ts'
import type { Caught } from './replication.ts'

/** The server frees its log in files of this size: it need not be told of less than that. */
const TOLD_EVERY_BYTES = 16n << 20n
/** Identifiers of types that users make begin here. */
const FIRST_USER_OID = 16_384

export interface LogNeeds {
  /** The keys that the table has by its primary key. */
  readonly keys: readonly string[]
  baseTypes(oids: readonly number[]): Promise<ReadonlyMap<number, number>>
  /** The values that columns of the row with these keys have now; undefined where there is none. */
  valuesNow(keys: ReadonlyMap<string, string>, columns: readonly string[]): Promise<TextRow | undefined>
}

/** Makes chunks of what a slot sends, beginning after a position. */
export class LogReader {
  readonly #needs: LogNeeds
  readonly #forms = new Map<number, TableForm>()
  /** Where the transaction under way is committed, and how many of its records were seen. */
  #transaction: { readonly at: Lsn; readonly time: string; seen: number } | undefined
  #after: Position
  #told: Lsn
  readonly #chunks = new ChangeChunks(() => positionText(this.#after))

  constructor(after: Position, needs: LogNeeds) {
    this.#after = after
    this.#told = after.at
    this.#needs = needs
  }

  /** Chunks that are full or have other columns than what follows. */
  async *take(message: Message | Caught): AsyncGenerator<ChangesChunk> {
    switch (message.kind) {
      case 'begin':
        this.#transaction = { at: message.commitAt, time: message.time, seen: 0 }
        return
      case 'commit':
        this.#transaction = undefined
        this.#reach({ at: message.endAt, given: 0 })
        return
      case 'caught':
        if (this.#transaction === undefined) this.#reach({ at: message.at, given: 0 })
        return
      case 'relation':
        this.#forms.set(message.id, await this.#formOf(message))
        return
      case 'truncate':
        for (const relation of message.relations) yield* this.#add(relation, message)
        return
      default:
        yield* this.#add(message.relation, message)
    }
  }

  /** What is left when nothing more has arrived. A chunk without rows says that the log was of no interest for a while. */
  *rest(): Generator<ChangesChunk> {
    yield* this.#noted(this.#chunks.rest())
    if (this.#after.at - this.#told < TOLD_EVERY_BYTES) return
    this.#told = this.#after.at
    yield emptyChunk(positionText(this.#after))
  }

  async *#add(relation: number, message: Message): AsyncGenerator<ChangesChunk> {
    const form = this.#forms.get(relation)
    const transaction = this.#transaction
    if (form === undefined || transaction === undefined)
      throw new Error('A change came before its table or transaction')
    yield* this.#noted(this.#chunks.turnTo(form.records))
    for (const record of form.recordsOf(await this.#whole(form, message))) {
      const number = transaction.seen++
      if (this.#isGiven(transaction.at, number)) continue
      this.#chunks.add(record, { text: recordPosition(transaction.at, number + 1), time: transaction.time })
      this.#after = { at: transaction.at, given: number + 1 }
      yield* this.#noted(this.#chunks.full())
    }
  }

  async #whole(form: TableForm, message: Message): Promise<Message> {
    const lack = form.lackOf(message)
    const values = lack && (await this.#needs.valuesNow(lack.keys, lack.columns))
    return lack && values ? form.filled(message, lack.columns, values) : message
  }

  *#noted(chunks: Iterable<ChangesChunk>): Generator<ChangesChunk> {
    for (const chunk of chunks) {
      this.#told = this.#after.at
      yield chunk
    }
  }

  /** Whether a record was given before the reader went on from here. */
  #isGiven(at: Lsn, number: number): boolean {
    return at < this.#after.at || (at === this.#after.at && number < this.#after.given)
  }

  #reach(position: Position): void {
    if (position.at > this.#after.at) this.#after = position
  }

  async #formOf(relation: SentTable): Promise<TableForm> {
    const unknown = relation.columns.map(({ oid }) => oid).filter((oid) => oid >= FIRST_USER_OID)
    const bases = unknown.length === 0 ? new Map<number, number>() : await this.#needs.baseTypes(unknown)
    return new TableForm(relation, (oid) => bases.get(oid) ?? oid, this.#needs.keys)
  }
}
