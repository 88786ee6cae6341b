import { sqlName } from '../../../data/relation.ts'
import { type Batch, type BatchPart, type Origin, type Rejected, ROW, type SourceContext } from '../contract/source.ts'
import type { Column } from '../duckdb/columns.ts'
import { WRONG_TYPE, wrongType } from './column-types.ts'
import { type Field, MAX_FIELDS, type Shape, shapesOf } from './shapes.ts'
import type { HeldField, JsonRecord } from './table.ts'
import { type EpochUnit, fits, isHeldAs, readAs, type ToldColumn, withoutEpoch } from './told-columns.ts'

const NULL_TYPE = '"NULL"'

/** Where the records of a batch come from, by their places. */
type OriginOf = (place: number) => Origin | undefined

/** Makes batches of JSON records for a source. */
export class RecordBatches {
  readonly #context: SourceContext<unknown>
  /** Columns whose types are told, by name in small letters. */
  readonly #told: ReadonlyMap<string, ToldColumn>
  /** What numbers count where a time is told, by name in small letters. */
  readonly #epochs: ReadonlyMap<string, EpochUnit>
  readonly #expected: ReadonlySet<string>
  /** Columns that records had earlier and these do not. */
  readonly #seen = new Map<string, string>()
  #made = 0

  constructor(context: SourceContext<unknown>, told: Readonly<Record<string, string>> = {}) {
    this.#context = context
    this.#told = new Map(Object.entries(told).map(([name, type]) => [name.toLowerCase(), { name, type }]))
    this.#epochs = new Map(Object.entries(epochsIn(context.config)).map(([name, unit]) => [name.toLowerCase(), unit]))
    this.#expected = new Set(context.expectedColumns.map((name) => name.toLowerCase()))
  }

  async make(
    records: readonly JsonRecord[],
    unread: readonly Rejected[],
    position: unknown,
    originOf: OriginOf = () => undefined
  ): Promise<Batch> {
    const rejected = [...unread]
    const parts: BatchPart[] = []
    const tables: string[] = []
    for (const shape of shapesOf(records, (lower) => this.#isOfInterest(lower))) {
      for (const part of await this.#withoutGuesses(shape)) {
        tables.push(await this.#part(part, originOf, parts, rejected))
      }
    }
    const { database } = this.#context
    const release = async () => {
      for (const table of tables) await database.run(`DROP TABLE IF EXISTS ${table}`)
    }
    return { parts, position, rejected, release }
  }

  /** Adds the records of a shape, and those whose fields do not hold what is told; answers their table. */
  async #part(shape: Shape, originOf: OriginOf, parts: BatchPart[], rejected: Rejected[]): Promise<string> {
    const { database, schema, nodeId } = this.#context
    this.#made += 1
    const name = `${nodeId}:batch:${this.#made}`
    const table = `${sqlName(schema)}.${sqlName(name)}`
    const { makeRecordsTable } = await import('./table.ts')
    const held = shape.fields.map((field) => this.#held(field))
    await makeRecordsTable(database, { schema, name }, shape, held)
    const conditions = this.#conditions(held)
    const unfit = conditions.length === 0 ? [] : await this.#unfit(table, conditions, shape)
    rejected.push(...unfit.map(({ row, ...letter }) => ({ ...letter, origin: originOf(shape.places[row] as number) })))
    const columns = this.#columnsOf(held)
    const list = columns.map((column) => `${this.#valueOf(column, held)} AS ${sqlName(column.name)}`)
    const where = unfit.length === 0 ? '' : ` WHERE ${conditions.map(({ fit }) => fit).join(' AND ')}`
    const rows = shape.records.length - unfit.length
    if (rows === 0) return table
    parts.push({
      sql: `SELECT ${list.length === 0 ? 'NULL AS "nothing"' : list.join(', ')} FROM ${table}${where}`,
      numbered: `SELECT ${[...list, ROW].join(', ')} FROM ${table}${where}`,
      rows,
      columns,
      isLoose: columns.some(({ name: column, type }) => type !== NULL_TYPE && !this.#told.has(column.toLowerCase())),
      originsOf: async (places) => places.map(originOf)
    })
    return table
  }

  /** Records whose fields hold what can't be read as told. */
  async #unfit(table: string, conditions: readonly Condition[], { records }: Shape) {
    const cases = conditions.map(({ fit }, i) => `WHEN NOT ${fit} THEN ${i}`).join(' ')
    const reader = await this.#context.database.runAndReadAll(
      `SELECT rowid, CASE ${cases} END AS failing FROM ${table} WHERE failing IS NOT NULL ORDER BY rowid`
    )
    return reader.getRows().map(([rowid, failing]) => {
      const row = Number(rowid)
      const record = records[row] as JsonRecord
      const { name, type } = conditions[Number(failing)] as Condition
      const reason = wrongType(name, type, JSON.stringify(record[name]))
      return { row, code: WRONG_TYPE, reason, record: JSON.stringify(record), columns: [...this.#told.values()] }
    })
  }

  #conditions(held: readonly HeldField[]): Condition[] {
    return held.flatMap(({ name, isText }) => {
      const told = this.#told.get(name.toLowerCase())
      if (told === undefined || !isText) return []
      const fit = fits(this.#textOf(name), told.type)
      return fit === 'true' ? [] : [{ name, type: told.type, fit }]
    })
  }

  #held(field: Field): HeldField {
    const told = this.#told.get(field.name.toLowerCase())
    if (told === undefined || isHeldAs(told.type, field.kind)) return { ...field, isText: false }
    return told.type === 'JSON' ? { ...field, kind: 'json', isText: false } : { ...field, isText: true }
  }

  /** All columns: those of these records, those told, those spoken of, and those of earlier records. */
  #columnsOf(held: readonly HeldField[]): Column[] {
    const here = new Map(held.map((field) => [field.name.toLowerCase(), field]))
    const own = held.map(({ name, kind }): Column => {
      const lower = name.toLowerCase()
      const told = this.#told.get(lower)
      if (told !== undefined) return told
      const type = kind === 'null' ? NULL_TYPE : (TYPES[kind] as string)
      return this.#expected.has(lower) ? { name, type } : { name, type, isOptional: true }
    })
    const missing = new Map<string, Column>()
    for (const [lower, name] of this.#seen) missing.set(lower, { name, type: NULL_TYPE, isOptional: true })
    for (const name of this.#context.expectedColumns) missing.set(name.toLowerCase(), { name, type: NULL_TYPE })
    for (const [lower, told] of this.#told) missing.set(lower, told)
    for (const { name } of held) if (this.#seen.size < MAX_FIELDS) this.#seen.set(name.toLowerCase(), name)
    return [...own, ...[...missing].filter(([lower]) => !here.has(lower)).map(([, column]) => column)]
  }

  #valueOf({ name, type }: Column, held: readonly HeldField[]): string {
    const field = held.find((one) => one.name.toLowerCase() === name.toLowerCase())
    if (type === NULL_TYPE) return 'NULL'
    if (field === undefined) return `NULL::${type}`
    return field.isText
      ? readAs(this.#textOf(field.name), type)
      : field.kind === 'null'
        ? `NULL::${type}`
        : sqlName(field.name)
  }

  /** SQL of a field that is held as a text. */
  #textOf(name: string): string {
    const unit = this.#epochs.get(name.toLowerCase())
    return unit === undefined ? sqlName(name) : withoutEpoch(sqlName(name), unit)
  }

  #isOfInterest(lower: string): boolean {
    return !this.#told.has(lower) && (this.#context.keepsAllColumns || this.#expected.has(lower))
  }

  /**
   * A record with nothing in a field goes with those that hold something there, unless an expression of the pipeline would
   * make something else of a NULL that has their type: then it is put through by itself.
   */
  async #withoutGuesses(shape: Shape): Promise<Shape[]> {
    const { typesAfter } = this.#context
    const open = shape.fields.filter(({ name, kind }) => {
      const isSpokenOf = this.#expected.has(name.toLowerCase()) && !this.#told.has(name.toLowerCase())
      return kind !== 'null' && isSpokenOf && shape.records.some((record) => (record[name] ?? null) === null)
    })
    if (open.length === 0 || typesAfter === undefined) return [shape]
    const typed = await typesAfter(this.#typesOf(shape.fields))
    const sensitive: Field[] = []
    for (const field of open) {
      const bare = shape.fields.map((one) => (one === field ? { ...one, kind: 'null' as const } : one))
      const untyped = typed && (await typesAfter(this.#typesOf(bare)))
      if (typed === undefined || untyped === undefined || !isAlike(typed, untyped)) sensitive.push(field)
    }
    return sensitive.length === 0 ? [shape] : byWhatIsThere(shape, sensitive)
  }

  #typesOf(fields: readonly Field[]): Column[] {
    return this.#columnsOf(fields.map((field) => this.#held(field)))
  }
}

/** As a registered schema says it. */
const epochsIn = (config: unknown): Readonly<Record<string, EpochUnit>> =>
  (config as { epochs?: Readonly<Record<string, EpochUnit>> } | undefined)?.epochs ?? {}

interface Condition extends ToldColumn {
  readonly fit: string
}

const TYPES: Readonly<Record<string, string>> = { number: 'DOUBLE', boolean: 'BOOLEAN', text: 'VARCHAR', json: 'JSON' }

/** Whether the one is the other with nothing in some places. */
const isAlike = (typed: readonly string[], bare: readonly string[]): boolean =>
  typed.length === bare.length && typed.every((type, i) => type === bare[i] || bare[i] === NULL_TYPE)

/** Records by which of some fields they hold something in. */
function byWhatIsThere({ records, places, fields }: Shape, sensitive: readonly Field[]): Shape[] {
  const groups = Map.groupBy(records.keys(), (i) => {
    return sensitive.map(({ name }) => ((records[i] as JsonRecord)[name] ?? null) === null).join()
  })
  return [...groups.values()].map((members) => {
    const [first = 0] = members
    const isBare = (field: Field) =>
      sensitive.includes(field) && ((records[first] as JsonRecord)[field.name] ?? null) === null
    return {
      records: members.map((i) => records[i] as JsonRecord),
      places: members.map((i) => places[i] as number),
      fields: fields.map((field) => (isBare(field) ? { ...field, kind: 'null' as const } : field))
    }
  })
}
