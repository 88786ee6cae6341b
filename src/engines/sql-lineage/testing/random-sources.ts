import { pick, type Random } from '../../seeded-random.ts'
import type { Names, RandomStatements, Readable } from './random-statements.ts'

interface RandomSource {
  readonly sql: string
  /** As expressions write them. */
  readonly names: Names
  /** The columns that `*` gives; undefined where two have the same name. */
  readonly starred: readonly string[] | undefined
}

/** What stands in FROM. */
export class RandomSources {
  readonly #random: Random
  readonly #statements: RandomStatements

  constructor(random: Random, statements: RandomStatements) {
    this.#random = random
    this.#statements = statements
  }

  source(tables: Readable, depth: number, outer: Names): RandomSource {
    const first = this.#single(tables, depth, outer)
    if (depth === 0 || this.#statements.chance(0.45)) return first
    if (this.#statements.chance(0.15)) return this.#turned(tables, depth, outer)
    return this.#joined(first, tables, depth, outer)
  }

  #single(tables: Readable, depth: number, outer: Names): RandomSource {
    const alias = this.#statements.fresh()
    if (depth > 0 && this.#statements.chance(0.35)) {
      const { sql, columns } = this.#statements.query(tables, depth - 1, outer)
      const renamed = this.#statements.chance(0.3) ? columns.map(() => this.#statements.fresh()) : columns
      const list = renamed === columns ? '' : `(${renamed.join(', ')})`
      return { sql: `(${sql}) ${alias}${list}`, names: renamed.map((name) => `${alias}.${name}`), starred: renamed }
    }
    const [table, columns] = pick(this.#random, Object.entries(tables))
    // Without the table's name it may mean something of the queries around as well, or nothing where both have it.
    const names = this.#statements.chance(0.2) ? columns : columns.map((name) => `${alias}.${name}`)
    return { sql: `${table} ${alias}`, names, starred: columns }
  }

  #joined(left: RandomSource, tables: Readable, depth: number, outer: Names): RandomSource {
    const kind = this.#random()
    if (kind < 0.15) {
      const alias = this.#statements.fresh()
      const { sql, columns } = this.#statements.query(tables, depth - 1, left.names)
      const right = {
        sql: `LATERAL (${sql}) ${alias}`,
        names: columns.map((name) => `${alias}.${name}`),
        starred: columns
      }
      return both(`${left.sql}, ${right.sql}`, left, right)
    }
    const right = this.#single(tables, depth - 1, outer)
    const shared = left.starred?.filter((name) => right.starred?.includes(name)) ?? []
    const [using] = shared
    if (kind < 0.4 && using !== undefined) return this.#using(left, right, using)
    const on = `${pick(this.#random, left.names)} ${pick(this.#random, ['=', '=', '>='])} ${pick(this.#random, right.names)}`
    if (kind < 0.55) {
      const how = pick(this.#random, ['SEMI', 'ANTI'])
      return { ...left, sql: `${left.sql} ${how} JOIN ${right.sql} ON ${on}` }
    }
    if (kind < 0.6) return both(`${left.sql} CROSS JOIN ${right.sql}`, left, right)
    if (kind < 0.65) return both(`${left.sql} POSITIONAL JOIN ${right.sql}`, left, right)
    const how = pick(this.#random, ['JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN'])
    return both(`${left.sql} ${how} ${right.sql} ON ${how === 'FULL JOIN' ? on.replace('>=', '=') : on}`, left, right)
  }

  /** The column that both have is one column then, by itself and in `*`. */
  #using(left: RandomSource, right: RandomSource, name: string): RandomSource {
    const how = pick(this.#random, ['JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN'])
    const starred = [...(left.starred ?? []), ...(right.starred ?? []).filter((one) => one !== name)]
    return {
      sql: `${left.sql} ${how} ${right.sql} USING (${name})`,
      names: [...left.names, ...right.names, name, name],
      starred: new Set(starred).size === starred.length ? starred : undefined
    }
  }

  #turned(tables: Readable, depth: number, outer: Names): RandomSource {
    const alias = this.#statements.fresh()
    const { sql, columns } = this.#statements.queryOf(3, tables, depth - 1, outer)
    const [one, two, three] = columns as [string, string, string]
    if (this.#statements.chance(0.5)) {
      const made = ['1', '2'].map((value) => `"${value}"`)
      const pivot = `(FROM (${sql}) PIVOT (sum(${one}) FOR ${two} IN (1, 2) GROUP BY ${three})) ${alias}`
      return { sql: pivot, names: [three, ...made].map((name) => `${alias}.${name}`), starred: undefined }
    }
    const [name, value] = [this.#statements.fresh(), this.#statements.fresh()]
    const unpivot = `(SELECT ${three}, ${value} FROM (${sql}) UNPIVOT (${value} FOR ${name} IN (${one}, ${two}))) ${alias}`
    return { sql: unpivot, names: [three, value].map((one) => `${alias}.${one}`), starred: [three, value] }
  }
}

function both(sql: string, left: RandomSource, right: RandomSource): RandomSource {
  const starred = left.starred && right.starred ? [...left.starred, ...right.starred] : undefined
  const isPlain = starred !== undefined && new Set(starred).size === starred.length
  return { sql, names: [...left.names, ...right.names], starred: isPlain ? starred : undefined }
}
