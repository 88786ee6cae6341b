import { between, pick, type Random } from '../../seeded-random.ts'
import { RandomSources } from './random-sources.ts'

/** The tables of random statements; all columns are whole numbers. */
export const RANDOM_TABLES: Readonly<Record<string, readonly string[]>> = {
  r: ['a', 'b', 'c'],
  q: ['a', 'd', 'e'],
  s: ['b', 'f', 'g']
}

/** SQL of a query, with the names of its columns. */
export interface RandomQuery {
  readonly sql: string
  readonly columns: readonly string[]
}

/** Names that expressions at some place may use, as they are written. */
export type Names = readonly string[]

/** What a query may read: tables, and parts of WITH. */
export type Readable = Readonly<Record<string, readonly string[]>>

/** Statements of all kinds, that give the same rows whatever order things are done in. */
export class RandomStatements {
  readonly #random: Random
  readonly #sources: RandomSources
  #names = 0

  constructor(random: Random) {
    this.#random = random
    this.#sources = new RandomSources(random, this)
  }

  statement = (): string => this.query(RANDOM_TABLES, 2, []).sql

  fresh = (): string => `n${++this.#names}`

  chance = (of: number): boolean => this.#random() < of

  /** `outer`: names of the queries around, which it may use as well. */
  query(tables: Readable, depth: number, outer: Names): RandomQuery {
    const kind = depth > 0 ? this.#random() : 1
    if (kind < 0.15) return this.#setOperation(tables, depth, outer)
    if (kind < 0.3) return this.#withCommon(tables, depth, outer)
    if (kind < 0.35) return this.#recursion(tables, depth)
    return this.#select(tables, depth, outer)
  }

  /** One with this many columns. */
  queryOf(count: number, tables: Readable, depth: number, outer: Names): RandomQuery {
    const { sql, columns } = this.query(tables, depth, outer)
    const name = this.fresh()
    const items = Array.from({ length: count }, () => `${name}.${pick(this.#random, columns)} AS ${this.fresh()}`)
    return {
      sql: `SELECT ${items.join(', ')} FROM (${sql}) ${name}`,
      columns: items.map((item) => item.split(' ').at(-1) as string)
    }
  }

  #setOperation(tables: Readable, depth: number, outer: Names): RandomQuery {
    const left = this.query(tables, depth - 1, outer)
    const right = this.queryOf(left.columns.length, tables, depth - 1, outer)
    const operation = pick(this.#random, ['UNION', 'UNION ALL', 'EXCEPT', 'EXCEPT ALL', 'INTERSECT', 'INTERSECT ALL'])
    return { sql: `(${left.sql}) ${operation} (${right.sql})`, columns: left.columns }
  }

  #withCommon(tables: Readable, depth: number, outer: Names): RandomQuery {
    const name = this.fresh()
    const first = this.query(tables, depth - 1, outer)
    const columns = this.chance(0.4) ? first.columns.map(() => this.fresh()) : first.columns
    const list = columns === first.columns ? '' : `(${columns.join(', ')})`
    const rest = this.query({ ...tables, [name]: columns }, depth - 1, outer)
    const how = pick(this.#random, ['AS', 'AS MATERIALIZED', 'AS NOT MATERIALIZED'])
    return {
      sql: `WITH ${name}${list} ${how} (${first.sql}) ${rest.sql.startsWith('(') ? `SELECT * FROM (${rest.sql})` : rest.sql}`,
      columns: rest.columns
    }
  }

  /** It ends because its first column grows. */
  #recursion(tables: Readable, depth: number): RandomQuery {
    const [name, x, y, z] = [this.fresh(), this.fresh(), this.fresh(), this.fresh()]
    const first = this.queryOf(3, tables, depth - 1, [])
    const [table, columns] = pick(this.#random, Object.entries(RANDOM_TABLES))
    const joined = this.chance(0.5)
    const value = joined ? `${table}.${pick(this.#random, columns)}` : pick(this.#random, [x, y, z])
    const from = joined ? `${name} JOIN ${table} ON ${table}.${pick(this.#random, columns)} = ${name}.${y}` : name
    const again = `SELECT ${x} + 1, ${value}, ${y} FROM ${from} WHERE ${x} BETWEEN 0 AND 2`
    const union = this.chance(0.5) ? 'UNION' : 'UNION ALL'
    const rest = `SELECT ${pick(this.#random, [`${x}, ${z}`, `${y}, ${z}`])} FROM ${name}`
    const sql = `WITH RECURSIVE ${name}(${x}, ${y}, ${z}) AS (${first.sql} ${union} ${again}) ${rest}`
    return { sql, columns: rest.split(/[ ,]+/).slice(1, 3) }
  }

  #select(tables: Readable, depth: number, outer: Names): RandomQuery {
    const source = this.#sources.source(tables, depth, outer)
    const names = [...source.names, ...(this.chance(0.3) ? outer : [])]
    const where = this.chance(0.4) ? ` WHERE ${this.condition(names, tables, depth)}` : ''
    const from = ` FROM ${source.sql}${where}`
    if (this.chance(0.1) && source.starred !== undefined) return this.#finished(`SELECT *${from}`, source.starred)
    return this.chance(0.3) ? this.#grouped(from, source.names) : this.#plain(from, names, tables, depth)
  }

  #plain(from: string, names: Names, tables: Readable, depth: number): RandomQuery {
    const columns: string[] = []
    const items: string[] = []
    for (let left = between(this.#random, 1, 4); left > 0; left--) {
      const column = this.#alias(columns)
      // An item may use the alias of one before it.
      const value = this.value([...names, ...columns.slice(0, this.chance(0.2) ? undefined : 0)], tables, depth)
      items.push(`${value} AS ${column}`)
      columns.push(column)
    }
    const qualify = this.chance(0.1) ? ` QUALIFY ${this.#window(names)} > 1` : ''
    const distinct = this.chance(0.15) ? 'DISTINCT ' : ''
    return this.#finished(`SELECT ${distinct}${items.join(', ')}${from}${qualify}`, columns)
  }

  /** Now and then the name of a column, which means that column nearly everywhere. */
  #alias(taken: readonly string[]): string {
    const name = pick(this.#random, ['a', 'b', 'c', 'd'])
    return this.chance(0.25) && !taken.includes(name) ? name : this.fresh()
  }

  #grouped(from: string, names: Names): RandomQuery {
    const keys = Array.from({ length: between(this.#random, 0, 2) }, () => pick(this.#random, names))
    const columns = keys.map(() => this.fresh())
    const items = keys.map((key, place) => `${key} AS ${columns[place]}`)
    for (let left = between(this.#random, 1, 2); left > 0; left--) {
      const column = this.fresh()
      items.push(`${this.#aggregate(names)} AS ${column}`)
      columns.push(column)
    }
    const list = pick(this.#random, [
      keys.join(', '),
      `ROLLUP (${keys.join(', ')})`,
      `CUBE (${keys.join(', ')})`,
      'ALL'
    ])
    const group = keys.length === 0 ? '' : ` GROUP BY ${list}`
    const having = this.chance(0.3) ? ` HAVING ${this.#aggregate(names)} > ${between(this.#random, 0, 3)}` : ''
    return this.#finished(`SELECT ${items.join(', ')}${from}${group}${having}`, columns)
  }

  /** With ORDER BY all columns and LIMIT, now and then; by some of them where that leaves no doubt about values. */
  #finished(sql: string, columns: readonly string[]): RandomQuery {
    if (!this.chance(0.15)) return { sql, columns }
    const order = pick(this.#random, ['ALL', columns.map((_, place) => place + 1).join(', '), columns.join(', ')])
    return { sql: `SELECT * FROM (${sql}) ORDER BY ${order} LIMIT ${between(this.#random, 1, 3)}`, columns }
  }

  #aggregate(names: Names): string {
    const name = () => pick(this.#random, names)
    const aggregate = pick(this.#random, [
      () => `sum(${name()})`,
      () => `min(${name()})`,
      () => `max(${name()} + ${name()})`,
      () => 'count(*)',
      () => `count(DISTINCT ${name()})`,
      () => `sum(list_sum(list_transform([${name()}], lambda x: x + ${name()})))`
    ])()
    return this.chance(0.3) ? `${aggregate} FILTER (WHERE ${name()} > ${between(this.#random, 0, 2)})` : aggregate
  }

  #window(names: Names): string {
    const name = () => pick(this.#random, names)
    return pick(this.#random, [
      () => `sum(${name()}) OVER (PARTITION BY ${name()})`,
      () => `count(*) OVER (PARTITION BY ${name()}, ${name()})`,
      () => `rank() OVER (PARTITION BY ${name()} ORDER BY ${name()})`,
      () => `max(${name()}) OVER (ORDER BY ${name()})`,
      () => `sum(${name()}) FILTER (WHERE ${name()} > 1) OVER (PARTITION BY ${name()})`
    ])()
  }

  value(names: Names, tables: Readable, depth: number): string {
    const name = () => pick(this.#random, names)
    const kinds = [
      name,
      name,
      name,
      () => `${name()} + ${name()}`,
      () => `CASE WHEN ${name()} > ${between(this.#random, 0, 3)} THEN ${name()} ELSE ${name()} END`,
      () => `COALESCE(${name()}, ${name()})`,
      () => `CAST(${name()} AS BIGINT)`,
      () => this.#window(names),
      () => this.#window(names)
    ]
    if (depth > 0) kinds.push(() => this.#scalar(tables, depth, names))
    return pick(this.#random, kinds)()
  }

  #scalar(tables: Readable, depth: number, outer: Names): string {
    const { sql, columns } = this.query(tables, depth - 1, outer)
    const name = this.fresh()
    return `(SELECT max(${name}.${pick(this.#random, columns)}) FROM (${sql}) ${name})`
  }

  condition(names: Names, tables: Readable, depth: number): string {
    const name = () => pick(this.#random, names)
    const kinds = [
      () => `${name()} > ${between(this.#random, 0, 2)}`,
      () => `${name()} = ${name()}`,
      () => `${name()} IS NOT NULL AND ${name()} < 3`,
      () => `NOT (${name()} BETWEEN 1 AND 2)`
    ]
    if (depth > 0) {
      kinds.push(
        () => `EXISTS (${this.query(tables, depth - 1, names).sql})`,
        () => `${name()} IN (${this.queryOf(1, tables, depth - 1, []).sql})`,
        () => `${name()} >= ${this.#scalar(tables, depth, names)}`
      )
    }
    return pick(this.#random, kinds)()
  }
}
