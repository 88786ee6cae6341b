import { ChangeChunks, emptyChunk } from '../../changes/chunks.ts'
import type { ChangesChunk } from '../../changes/index.ts'
import { type ChangeRecord, type Image, RecordForm } from '../../changes/records.ts'
import { SqlError } from '../../errors.ts'
import type { SqlColumn } from '../../index.ts'
import { Bytes } from './bytes.ts'
import type { LogEvent } from './dump.ts'
import { type Position, positionText, recordPosition } from './position.ts'
import { DELETES, INSERTS, imagesOf, tableIdOf, UPDATES } from './rows.ts'
import { statementOf, truncates } from './statements.ts'
import type { CapturedTable } from './table.ts'
import { describedTable, type LoggedTable, tableNameOf } from './table-map.ts'
import { secondsText } from './times.ts'
import { type ColumnForm, formOf, type Known } from './values.ts'

/** Kinds of events. */
const [STATEMENT, ROTATE, COMMIT, TABLE, MARIADB_BEGIN] = [2, 4, 16, 19, 162] as const
const MYSQL_BEGINS: ReadonlySet<number> = new Set([33, 34])
const COMPRESSED: ReadonlySet<number> = new Set([40, 165, 166, 167, 168, 169, 170, 171])
const STANDALONE = 1
/** The position is told now and then though nothing concerns the table, so that the server may delete files of its log. */
const TOLD_EVERY_BYTES = 16 << 20

export interface LogNeeds {
  /** How the table is now. */
  table(): Promise<CapturedTable>
  columns(): Promise<readonly SqlColumn[]>
  decoderOf: Known['decoderOf']
}

interface Form {
  readonly columns: readonly ColumnForm[]
  readonly records: RecordForm
}

/** Makes chunks of the log of a server, beginning with the transaction of a position. */
export class LogReader {
  readonly #needs: LogNeeds
  readonly #name: CapturedTable['name']
  readonly #chunks = new ChangeChunks(() => positionText(this.#after))
  /** Forms by the numbers that tables have in the log; undefined for other tables. */
  readonly #forms = new Map<number, Form | undefined>()
  #described: { readonly text: string; readonly form: Form } | undefined
  #file: string
  #after: Position
  #told: Position
  /** The transaction under way; `isOpen` where it ends with a commit rather than with its one statement. */
  #transaction: { readonly at: number; readonly time: string; isOpen: boolean; seen: number } | undefined

  constructor(after: Position, { name }: CapturedTable, needs: LogNeeds) {
    this.#after = after
    this.#told = after
    this.#file = after.file
    this.#name = name
    this.#needs = needs
  }

  /** Chunks that are full or have other columns than what follows. */
  async *take(event: LogEvent): AsyncGenerator<ChangesChunk> {
    const { kind, body } = event
    if (kind === ROTATE) this.#file = body.toString('utf8', 8)
    else if (kind === MARIADB_BEGIN) this.#begin(event, (body.readUInt8(12) & STANDALONE) === 0)
    else if (MYSQL_BEGINS.has(kind)) this.#begin(event, false)
    else if (kind === STATEMENT) yield* this.#statement(event)
    else if (kind === COMMIT) this.#end(event)
    else if (kind === TABLE) await this.#meet(body)
    else if (COMPRESSED.has(kind)) throw new SqlError('changes_off', 'The log is compressed, which is not supported')
    else if (INSERTS.has(kind) || UPDATES.has(kind) || DELETES.has(kind)) yield* this.#rows(event)
  }

  /** What is left when nothing more has arrived. */
  *rest(): Generator<ChangesChunk> {
    yield* this.#noted(this.#chunks.rest())
    const { file, at } = this.#told
    if (this.#after.file === file && this.#after.at - at < TOLD_EVERY_BYTES) return
    this.#told = this.#after
    yield emptyChunk(positionText(this.#after))
  }

  #begin({ startAt, time }: LogEvent, isOpen: boolean): void {
    this.#transaction = { at: startAt, time: `${secondsText(time)}.000000`, isOpen, seen: 0 }
  }

  #end({ endAt }: LogEvent): void {
    this.#transaction = undefined
    if (endAt > 0 && this.#isAfter(endAt)) this.#after = { file: this.#file, at: endAt, given: 0 }
  }

  async *#statement(event: LogEvent): AsyncGenerator<ChangesChunk> {
    const statement = statementOf(event.body)
    if (statement.text === 'BEGIN') {
      if (this.#transaction === undefined) this.#begin(event, true)
      else this.#transaction.isOpen = true
      return
    }
    const isEnd = statement.text === 'COMMIT' || statement.text === 'ROLLBACK' || this.#transaction?.isOpen !== true
    if (truncates(statement, this.#name)) {
      // Before the first row the log has not described the table: what has no values may have its columns of today.
      const form = this.#described?.form.records ?? new RecordForm(await this.#needs.columns(), [])
      yield* this.#add(form, form.truncated())
    }
    if (isEnd) this.#end(event)
  }

  *#rows({ kind, body }: LogEvent): Generator<ChangesChunk> {
    const form = this.#forms.get(tableIdOf(body))
    if (form === undefined) return
    let before: Image | undefined
    for (const image of imagesOf(kind, body, form.columns)) {
      if (INSERTS.has(kind)) yield* this.#add(form.records, form.records.inserted(image))
      else if (DELETES.has(kind)) yield* this.#add(form.records, form.records.deleted(image))
      else if (before === undefined) before = image
      else {
        yield* this.#add(form.records, form.records.updated(before, image))
        before = undefined
      }
    }
  }

  *#add(form: RecordForm, records: readonly ChangeRecord[]): Generator<ChangesChunk> {
    const transaction = this.#transaction
    if (transaction === undefined) throw new Error('A change came outside of a transaction')
    yield* this.#noted(this.#chunks.turnTo(form))
    for (const record of records) {
      const number = transaction.seen++
      if (!this.#isAfter(transaction.at) && number < this.#after.given) continue
      const text = recordPosition(this.#file, transaction.at, number + 1)
      this.#chunks.add(record, { text, time: transaction.time })
      this.#after = { file: this.#file, at: transaction.at, given: number + 1 }
      yield* this.#noted(this.#chunks.full())
    }
  }

  *#noted(chunks: Iterable<ChangesChunk>): Generator<ChangesChunk> {
    for (const chunk of chunks) {
      this.#told = this.#after
      yield chunk
    }
  }

  #isAfter(at: number): boolean {
    return this.#file !== this.#after.file || at > this.#after.at
  }

  /** The table is described before each event with its rows; what was said before is known by its text. */
  async #meet(body: Buffer): Promise<void> {
    const bytes = new Bytes(body)
    const { id, name } = tableNameOf(bytes)
    if (name[0] !== this.#name[0] || name[1] !== this.#name[1]) {
      this.#forms.delete(id)
      return
    }
    const text = body.toString('latin1', 8)
    if (this.#described?.text !== text) this.#described = { text, form: await this.#formOf(describedTable(bytes)) }
    this.#forms.set(id, this.#described.form)
  }

  async #formOf({ columns, keyAt }: LoggedTable): Promise<Form> {
    const { declared } = await this.#needs.table()
    const forms = columns.map((column) =>
      formOf(column, { declared: declared.get(column.name) ?? '', decoderOf: this.#needs.decoderOf })
    )
    const own = columns.map(({ name }, i) => ({ name, type: (forms[i] as ColumnForm).type }))
    return { columns: forms, records: new RecordForm(own, keyAt) }
  }
}
