import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { NodeFault } from '../contract/context.ts'
import type { DeadLetter } from '../protocol/checkpoint.ts'
import { findPipeline, updatePipeline } from '../store/pipelines.ts'
import type { DeadLetterRow } from '../store/rows.ts'
import { addCounts, type Count, counted, deleteStaged, insertLetters, markReplayed, totalOf } from './letter-rows.ts'
import type { Held } from './runs.ts'

/** Dead letters that may wait in a pipeline. */
const MAX_WAITING = 1_000_000
const MAX_WAITING_CHARS = 4 * 1024 ** 3
/** So much of a record is in the column that lists show; the rest is in another. */
const SHOWN_CHARS = 32_768

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
}

/**
 * The dead letters of one run on their way into the database. Where there are many they come in pieces before the commit that
 * they belong to, so that no transaction is long; nobody sees them before it says up to which they are there.
 */
export class LetterBook {
  readonly #held: Held
  readonly #needs: Needs
  #upTo = ''
  #lastId = ''
  #staged = new Map<string, Count>()

  constructor(held: Held, needs: Needs) {
    this.#held = held
    this.#needs = needs
  }

  /** Removes what another left that ended before its commit. */
  async open(): Promise<void> {
    const { metadata } = this.#needs
    const { pipelineId } = this.#held
    this.#upTo = (await findPipeline(metadata.db, pipelineId))?.letters_upto ?? ''
    this.#lastId = this.#upTo
    while ((await metadata.transaction((tx) => deleteStaged(tx, pipelineId, this.#upTo))) > 0);
  }

  /** Rows for dead letters, with identifiers after those of all before. */
  async rowsOf(letters: readonly DeadLetter[]): Promise<DeadLetterRow[]> {
    if (letters.length === 0) return []
    const now = this.#needs.clock.iso()
    const rows = letters.map((letter) => this.#rowOf(letter, now))
    await this.#requireRoom(rows)
    return rows
  }

  /** They are in the database, and nobody sees them yet. */
  staged(rows: readonly DeadLetterRow[]): void {
    this.#staged = counted(this.#staged, rows)
  }

  /** Within the transaction of a commit: the last of its dead letters, those that were staged, and those that are done. */
  async commit(tx: Db, rows: readonly DeadLetterRow[], replayed: readonly string[]): Promise<void> {
    const { pipelineId } = this.#held
    await insertLetters(tx, rows)
    const counts = [...counted(this.#staged, rows).values()]
    await addCounts(tx, pipelineId, counts)
    if (counts.length > 0) await updatePipeline(tx, pipelineId, { letters_upto: this.#lastId })
    if (replayed.length > 0) await markReplayed(tx, pipelineId, replayed, this.#needs.clock.iso())
  }

  committed(): void {
    this.#staged = new Map()
    this.#upTo = this.#lastId
  }

  #rowOf({ nodeId, code, reason, record, inputId, columns, origin }: DeadLetter, now: string): DeadLetterRow {
    const id = this.#needs.makeId('dl')
    // A clock may be set back, or behind that of the replica which had the run before.
    this.#lastId = id > this.#lastId ? id : successor(this.#lastId)
    return {
      id: this.#lastId,
      pipeline_id: this.#held.pipelineId,
      run_id: this.#held.runId,
      node_id: nodeId,
      input_id: inputId ?? null,
      code,
      reason,
      record: record.slice(0, SHOWN_CHARS),
      record_rest: record.length > SHOWN_CHARS ? record.slice(SHOWN_CHARS) : null,
      size_chars: record.length,
      columns: columns === undefined ? null : JSON.stringify(columns),
      origin: origin === undefined ? null : JSON.stringify(origin),
      created_at: now,
      replayed_at: null
    }
  }

  async #requireRoom(rows: readonly DeadLetterRow[]): Promise<void> {
    const { waiting, chars } = await totalOf(this.#needs.metadata.db, this.#held.pipelineId)
    const more = [...counted(this.#staged, rows).values()]
    const letters = waiting + more.reduce((sum, count) => sum + count.waiting, 0)
    const size = chars + more.reduce((sum, count) => sum + count.size_chars, 0)
    if (letters <= MAX_WAITING && size <= MAX_WAITING_CHARS) return
    const what = letters > MAX_WAITING ? `${MAX_WAITING} dead letters` : '4 GiB of dead letters'
    const message = `More than ${what} would wait; replay or delete some, and correct the node that refuses so many`
    throw new NodeFault('fatal', 'too_many_dead_letters', message)
  }
}

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'

/** The identifier right after one. */
export function successor(id: string): string {
  const digit = DIGITS.indexOf(id.at(-1) as string)
  const rest = id.slice(0, -1)
  return digit === DIGITS.length - 1 ? `${successor(rest)}0` : `${rest}${DIGITS[digit + 1]}`
}
