import type { Compilable, CompiledQuery, DialectAdapter } from 'kysely'
import type { Db } from './index.ts'

/** Stands in a query for a value that is not known yet; of many rows, for that of one. */
export class Parameter {
  readonly name: string
  readonly row: number

  constructor(name: string, row = 0) {
    this.name = name
    this.row = row
  }
}

/** A query with parameters, compiled once for each kind of database. */
export class Compiled<R> {
  readonly #build: (db: Db) => Compilable<R>
  readonly #queries = new WeakMap<DialectAdapter, CompiledQuery<R>>()

  constructor(build: (db: Db) => Compilable<R>) {
    this.#build = build
  }

  async run(db: Db, cellOf: (parameter: Parameter) => unknown): Promise<R[]> {
    const { adapter } = db.getExecutor()
    let query = this.#queries.get(adapter)
    if (query === undefined) {
      query = this.#build(db).compile()
      this.#queries.set(adapter, query)
    }
    const bound = query.parameters.map((value) => (value instanceof Parameter ? cellOf(value) : value))
    return (await db.executeQuery<R>({ ...query, parameters: bound })).rows
  }
}

/** Answers any property with a parameter of that name, so that a query can be built before there are values. */
const parameters = new Proxy({}, { get: (_target, name) => new Parameter(String(name)) })

/**
 * Builds and compiles a query once, to be run with other values each time. For statements of every request or change,
 * which cost more to build than to run. `build` may only pass the values on: it gets placeholders, and runs once.
 */
export function prepare<V extends object, R>(
  build: (db: Db, values: V) => Compilable<R>
): (db: Db, values: V) => Promise<R[]> {
  const compiled = new Compiled((db) => build(db, parameters as V))
  return (db, values) => compiled.run(db, ({ name }) => (values as Record<string, unknown>)[name])
}
