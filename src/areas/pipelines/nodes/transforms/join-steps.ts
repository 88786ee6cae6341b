import { sqlName } from '../../../../data/relation.ts'
import { durationMs } from '../../contract/config-parts.ts'
import type { Flow, Step, Stepped, Steps, StepsContext } from '../../contract/steps.ts'
import { type Column, columnsOf } from '../../duckdb/columns.ts'
import { runCounted } from '../../duckdb/database.ts'
import type { SqlPart } from '../../duckdb/parse-sql.ts'
import type { JoinConfig } from './join.ts'
import { namesOf } from './join-names.ts'
import { ID, JoinSide, KEY, type SideMemo, TIME } from './join-side.ts'
import { timeCasts } from './time-column.ts'

interface Memo {
  readonly left: SideMemo
  readonly right: SideMemo
}

/** In each step: the new records of one side with all of the other, and the old ones of the other with the new ones of this. */
export class JoinSteps implements Steps {
  readonly #context: StepsContext<JoinConfig>
  readonly #left: JoinSide
  readonly #right: JoinSide
  readonly #withinUs: bigint | undefined
  readonly #out: string

  constructor(context: StepsContext<JoinConfig>, [leftKeys, rightKeys]: readonly [string[], string[]]) {
    const { config, schema, nodeId } = context
    const memo = context.memo as Memo | undefined
    this.#context = context
    this.#left = new JoinSide(context, { name: 'left', keys: leftKeys, time: config.time?.left }, memo?.left)
    this.#right = new JoinSide(context, { name: 'right', keys: rightKeys, time: config.time?.right }, memo?.right)
    this.#withinUs = config.within === undefined ? undefined : BigInt(durationMs(config.within)) * 1000n
    this.#out = `${sqlName(schema)}.${sqlName(`${nodeId}:out`)}`
  }

  memo(): Memo {
    return { left: this.#left.memo(), right: this.#right.memo() }
  }

  async probe(input: number, flow: Flow): Promise<void> {
    await (input === 0 ? this.#left : this.#right).probe(flow)
  }

  casts(input: number, columns: readonly Column[]): readonly SqlPart[] {
    const { time } = this.#context.config
    return timeCasts(input === 0 ? time?.left : time?.right, columns)
  }

  async step({ inputs, ended }: Step): Promise<Stepped> {
    const { database, config } = this.#context
    const left = this.#left
    const right = this.#right
    const taken = [await left.stage(inputs[0]), await right.stage(inputs[1])]
    await left.take()
    await right.take()
    const rows = await this.#pair()
    const [leftEnded = false, rightEnded = false] = ended
    const closing = this.#closing(leftEnded, rightEnded)
    let given = rows
    let filtered = 0
    for (const [side, where, goesOn] of [
      [left, rightEnded ? 'all' : closing, config.kind === 'left' || config.kind === 'full'],
      [right, leftEnded ? 'all' : closing, config.kind === 'right' || config.kind === 'full']
    ] as const) {
      if (where === undefined || side.records.rows === 0) continue
      const lonely = side.lonely(where === 'all' ? 'true' : where)
      if (goesOn) given += await this.#emitLonely(side, lonely)
      else filtered += await runCounted(database, `SELECT count(*) FROM (${lonely})`)
      await side.forget(where)
    }
    const held = left.records.rows + right.records.rows
    return { output: await this.#output(given), taken, given, filtered, rejected: [], held }
  }

  /** Puts the pairs that are new into the table of what goes on, and remembers who is in one. */
  async #pair(): Promise<number> {
    const { database } = this.#context
    const left = this.#left
    const right = this.#right
    if (left.records.rows === 0 || right.records.rows === 0) {
      await database.run(`CREATE OR REPLACE TABLE ${this.#out} AS SELECT ${this.#list(false, false)} LIMIT 0`)
      return 0
    }
    const near = this.#withinUs === undefined ? '' : ` AND abs(l.${TIME} - r.${TIME}) <= ${this.#withinUs}`
    const pairs = (l: string, r: string) =>
      `SELECT ${this.#list(true, true)} FROM (SELECT * FROM ${left.records.name} WHERE ${l}) l JOIN (SELECT * FROM ${right.records.name} WHERE ${r}) r ON l.${KEY} = r.${KEY}${near}`
    const isNewLeft = `${ID} >= ${left.firstNew}`
    const rows = await runCounted(
      database,
      `CREATE OR REPLACE TABLE ${this.#out} AS ${pairs(isNewLeft, 'true')} UNION ALL ${pairs(`NOT (${isNewLeft})`, `${ID} >= ${right.firstNew}`)}`
    )
    if (rows > 0) {
      await left.remember(`SELECT ${LEFT_ID} FROM ${this.#out}`)
      await right.remember(`SELECT ${RIGHT_ID} FROM ${this.#out}`)
    }
    return rows
  }

  async #emitLonely(side: JoinSide, lonely: string): Promise<number> {
    const isLeft = side === this.#left
    const list = this.#list(isLeft, !isLeft)
    const from = `(${lonely}) ${isLeft ? 'l' : 'r'}`
    return runCounted(this.#context.database, `INSERT INTO ${this.#out} SELECT ${list} FROM ${from}`)
  }

  /** Which records find nothing any more, however the other input goes on; undefined where that is not known. */
  #closing(leftEnded: boolean, rightEnded: boolean): string | undefined {
    if (this.#withinUs === undefined) return undefined
    const newest = [leftEnded ? END : this.#left.newest, rightEnded ? END : this.#right.newest]
    if (newest.some((us) => us === undefined)) return undefined
    const [seen] = (newest as bigint[]).toSorted((a, b) => (a < b ? -1 : 1)) as [bigint]
    return seen === END ? undefined : `(${TIME} IS NULL OR ${TIME} < ${seen - this.#withinUs})`
  }

  /** The columns of what goes on, with NULL for a side that is not there. */
  #list(hasLeft: boolean, hasRight: boolean): string {
    const part = (alias: 'l' | 'r', isThere: boolean) => (name: string, type: string) =>
      isThere ? `${alias}.${sqlName(name)}` : `NULL::${type}`
    const left = part('l', hasLeft)
    const right = part('r', hasRight)
    const names = namesOf(this.#left.columns, this.#right.columns)
    return [
      `${left('millrace:id', 'BIGINT')} AS ${LEFT_ID}`,
      `${right('millrace:id', 'BIGINT')} AS ${RIGHT_ID}`,
      ...this.#left.columns.map(({ name, type }) => `${left(name, type)} AS ${sqlName(name)}`),
      ...this.#right.columns.map(({ name, type }, i) => `${right(name, type)} AS ${sqlName(names[i] as string)}`)
    ].join(', ')
  }

  async #output(rows: number): Promise<Stepped['output']> {
    if (rows === 0) return undefined
    const sql = `SELECT * EXCLUDE (${LEFT_ID}, ${RIGHT_ID}) FROM ${this.#out}`
    return { sql, rows, columns: await columnsOf(this.#context.database, sql) }
  }
}

const LEFT_ID = '"millrace:left"'
const RIGHT_ID = '"millrace:right"'
const END = 1n << 62n
