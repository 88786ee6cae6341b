import type { Compilable, CompiledQuery, DialectAdapter } from 'kysely'
import type { Db } from './index.ts'

/** Stands in a query for a value that is not known yet. */
class Parameter {
  readonly name: string

  constructor(name: string) {
    this.name = name
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
  const compiled = new WeakMap<DialectAdapter, CompiledQuery<R>>()
  return async (db, values) => {
    const { adapter } = db.getExecutor()
    let query = compiled.get(adapter)
    if (query === undefined) {
      query = build(db, parameters as V).compile()
      compiled.set(adapter, query)
    }
    const bound = query.parameters.map((value) =>
      value instanceof Parameter ? (values as Record<string, unknown>)[value.name] : value
    )
    return (await db.executeQuery<R>({ ...query, parameters: bound })).rows
  }
}
