import type { SqlColumn, SqlValue } from '../index.ts'
import { CHANGE_COLUMNS, type ChangeOperation } from './index.ts'
import { rowJson } from './row-json.ts'

/** The values of a row as a log has them; undefined where it does not say. */
export type Image = readonly (SqlValue | undefined)[]

/** What happened to a row, without its place in the log. */
export interface ChangeRecord {
  readonly op: ChangeOperation
  readonly values: readonly SqlValue[]
  readonly before: string | null
  readonly unchanged: string | null
}

/** Makes records of what a log says about a table with these columns. */
export class RecordForm {
  readonly columns: readonly SqlColumn[]
  readonly keys: readonly string[]
  readonly #own: readonly SqlColumn[]
  readonly #keyAt: readonly number[]

  constructor(own: readonly SqlColumn[], keyAt: readonly number[]) {
    this.#own = own
    this.#keyAt = keyAt
    this.columns = [...own, ...CHANGE_COLUMNS]
    this.keys = keyAt.map((i) => own[i]?.name as string)
  }

  inserted(after: Image): ChangeRecord[] {
    return [this.#record('insert', after)]
  }

  deleted(before: Image): ChangeRecord[] {
    return [this.#deleted(before)]
  }

  truncated(): ChangeRecord[] {
    return [{ op: 'truncate', values: this.#own.map(() => null), before: null, unchanged: null }]
  }

  /** Values that have not changed may be in the row before alone. One that gets other keys is another row. */
  updated(before: Image | undefined, after: Image): ChangeRecord[] {
    if (before === undefined) return [this.#record('update', after)]
    const whole = after.map((value, i) => (value === undefined ? before[i] : value))
    const isSame = this.#keyAt.every((i) => before[i] === undefined || String(before[i]) === String(whole[i]))
    if (isSame) return [this.#record('update', whole, before)]
    return [this.#deleted(before), this.#record('insert', whole)]
  }

  /** What is not known of a row that is gone reads as null, and is no large value to be looked for. */
  #deleted(before: Image): ChangeRecord {
    return { ...this.#record('delete', before, before), unchanged: null }
  }

  #record(op: ChangeOperation, image: Image, before?: Image): ChangeRecord {
    const unsent = this.#own.filter((_, i) => image[i] === undefined).map(({ name }) => name)
    return {
      op,
      values: this.#own.map((_, i) => image[i] ?? null),
      before: before === undefined || before.includes(undefined) ? null : rowJson(this.#own, before as SqlValue[]),
      unchanged: unsent.length === 0 ? null : JSON.stringify(unsent)
    }
  }
}
