import { isDiskFull } from '../full-disk.ts'
import { LogNotFlushed } from './sqlite-log.ts'
import { DatabaseTrouble } from './trouble.ts'

/** Sentences for operators, by primary result code of SQLite. */
const TROUBLES: Readonly<Record<number, string>> = {
  8: 'The database can’t be written: its file or folder is read-only',
  10: 'The disk of the database fails: look at the system’s log',
  11: 'The database is damaged: stop the server and restore it from a backup',
  13: 'The disk of the database is full: make room',
  26: 'The database is damaged: stop the server and restore it from a backup'
}
const FULL = 13
/** Damage: no later success ends it. */
const DAMAGED = [11, 26]
/** A disk fails now and then: a recent failure is not over with the next success. */
const FAILING = 10
const LASTS_MS = 30_000

/** The trouble that an operator should know of; undefined where the error is not about the database itself. */
export function sqliteTrouble(error: unknown): DatabaseTrouble | undefined {
  const found = isDiskFull(error) ? FULL : codeOf(error)
  const message = found === undefined ? undefined : TROUBLES[found]
  return message === undefined ? undefined : new DatabaseTrouble(message, { cause: error })
}

/** Remembers errors of statements: reading works on a full disk, so asking the database is not enough. */
export class SqliteCondition {
  readonly #elapsed: () => number
  #trouble: DatabaseTrouble | undefined
  #endsAtMs = 0

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed
  }

  get trouble(): DatabaseTrouble | undefined {
    return this.#trouble
  }

  failed(error: unknown): void {
    const trouble = error instanceof LogNotFlushed ? error : sqliteTrouble(error)
    if (trouble === undefined || this.#endsAtMs === Number.POSITIVE_INFINITY) return
    this.#trouble = trouble
    const code = codeOf(error) as number
    const isFailing = code === FAILING && !isDiskFull(error)
    if (error instanceof LogNotFlushed || DAMAGED.includes(code)) this.#endsAtMs = Number.POSITIVE_INFINITY
    else this.#endsAtMs = this.#elapsed() + (isFailing ? LASTS_MS : 0)
  }

  /** To be called when a write has succeeded. */
  wrote(): void {
    if (this.#elapsed() >= this.#endsAtMs) this.#trouble = undefined
  }
}

function codeOf(error: unknown): number | undefined {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? errcode & 0xff : undefined
}
