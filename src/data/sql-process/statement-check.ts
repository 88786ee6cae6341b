import { DataError, type SqlPosition } from '../errors.ts'
import { ALLOWED_FUNCTIONS, ALLOWED_TABLE_FUNCTIONS } from './allowed-functions.ts'
import { REFUSED_FUNCTIONS, REFUSED_TABLE_FUNCTIONS } from './refused-functions.ts'
import { folded, Scope } from './scope.ts'
import { positionIn } from './sql-position.ts'
import { Tries } from './tried-branches.ts'

/** A statement as `json_serialize_sql` answers it. */
export interface ParsedSql {
  readonly error: boolean
  readonly error_type?: string
  readonly error_message?: string
  readonly position?: string
  readonly statements?: readonly unknown[]
}

/** The relations that a statement may read. */
export interface Readable {
  readonly names: readonly string[]
  /** The schema that the relations are in, by which they may be named too. */
  readonly schema?: string
  /** Columns of theirs that SQL which is checked by itself makes with coalesce or CASE; see `Tries`. */
  readonly branches?: Iterable<string>
}

/** A call of a function that is in neither list: DuckDB probably does not have it. */
export class UnknownFunction extends DataError {
  readonly functionName: string

  constructor(name: string, options: { position?: SqlPosition }) {
    super('sql_error', `There is no function ${name}.`, options)
    this.functionName = name
  }
}

/**
 * Prefixes of DuckDB's own views, which show paths too. Names of users may not begin so, or one could hide such a
 * view.
 */
const OWN_VIEWS = /^(?:duckdb|pg|pragma|sqlite)_/i
/** DuckDB reads a name that looks like a path as a file, where it knows no relation of that name. */
const LIKE_A_PATH = /[./\\:*?[\]]/

/** The parts that a statement may have. Anything new in a later DuckDB is refused until it was reviewed. */
const KNOWN_PARTS = new Set(
  `SELECT_NODE SET_OPERATION_NODE RECURSIVE_CTE_NODE
  BASE_TABLE EMPTY EXPRESSION_LIST JOIN PIVOT SHOW_REF SUBQUERY TABLE_FUNCTION
  DISTINCT_MODIFIER LIMIT_MODIFIER LIMIT_PERCENT_MODIFIER ORDER_MODIFIER ORDER_DEFAULT ASCENDING DESCENDING`.split(
    /\s+/
  )
)
const KNOWN_EXPRESSIONS = new Set(
  `BETWEEN CASE CAST COLLATE COLUMN_REF COMPARISON CONJUNCTION CONSTANT DEFAULT FUNCTION LAMBDA OPERATOR PARAMETER
  POSITIONAL_REFERENCE STAR SUBQUERY TYPE WINDOW`.split(/\s+/)
)

type Node = Readonly<Record<string, unknown>>

/**
 * Accepts one statement that reads relations by their given names, with functions known to be harmless, and nothing
 * else. DuckDB itself is told to open no other files; this check comes before that, so that neither has to be
 * perfect.
 */
export function checkStatement(parsed: ParsedSql, sql: string, readable: Readable): void {
  if (parsed.error) throw refusalOf(parsed, sql)
  if (parsed.statements?.length !== 1) throw new DataError('sql_refused', 'The SQL must be exactly one statement.')
  new Check(sql, readable).look(parsed.statements)
}

function refusalOf({ error_type, error_message, position }: ParsedSql, sql: string): DataError {
  if (error_type === 'parser') {
    const at = positionIn(sql, Number(position ?? Number.NaN), 'characters')
    return new DataError(
      'sql_error',
      error_message ?? 'The SQL can not be read.',
      at === undefined ? {} : { position: at }
    )
  }
  return new DataError(
    'sql_refused',
    'Only SELECT, WITH, FROM, VALUES, DESCRIBE and SUMMARIZE can be run, and PIVOT where its values are listed with IN.'
  )
}

class Check {
  readonly #sql: string
  readonly #relations: ReadonlySet<string>
  readonly #schema: string | undefined
  /** A list of what is left to check. It replaces recursion, which the SQL could make as deep as it likes. */
  readonly #left: [item: unknown, scope: Scope][] = []
  readonly #tries: Tries

  constructor(sql: string, { names, schema, branches }: Readable) {
    this.#tries = new Tries(branches)
    this.#sql = sql
    this.#relations = new Set(names.map(folded))
    this.#schema = schema
  }

  look(root: unknown): void {
    this.#left.push([root, Scope.empty])
    for (let next = this.#left.pop(); next !== undefined; next = this.#left.pop()) {
      const [item, scope] = next
      if (typeof item !== 'object' || item === null) continue
      if (Array.isArray(item)) for (const child of item) this.#left.push([child, scope])
      else this.#enter(item as Node, scope)
    }
    const refusal = this.#tries.refusal()
    if (refusal !== undefined) throw new DataError('sql_refused', refusal)
  }

  #enter(node: Node, scope: Scope): void {
    const { class: kind, type } = node
    const refusal = this.#tries.see(node)
    if (refusal !== undefined) throw this.#refusal(node, refusal)
    if (kind !== undefined) this.#expression(node)
    else if (typeof type === 'string') this.#part(node, type, scope)
    const inner = node.cte_map === undefined ? scope : this.#common(node.cte_map as Node, scope)
    for (const [name, child] of Object.entries(node)) {
      if (name === 'cte_map') continue
      // The name of a function after FROM is looked up in another list than names in expressions.
      if (type === 'TABLE_FUNCTION' && name === 'function') this.#left.push([Object.values(child as Node), inner])
      else if (type === 'RECURSIVE_CTE_NODE' && name === 'right') {
        this.#left.push([child, inner.recursive(String(node.cte_name))])
      } else this.#left.push([child, inner])
    }
  }

  /** Checks the parts of a WITH; answers the scope of the statement. */
  #common({ map }: Node, scope: Scope): Scope {
    const entries = map as readonly { key: string; value: Node }[]
    if (entries.length === 0) return scope
    for (const { key } of entries) {
      if (!OWN_VIEWS.test(key) && !LIKE_A_PATH.test(key)) continue
      throw new DataError('sql_refused', `No part of the query can be named ${key}; take letters, digits and _.`)
    }
    const scopes = scope.with(entries.map(({ key }) => key))
    for (const [place, { value }] of entries.entries()) this.#left.push([value, scopes[place] as Scope])
    return scopes.at(-1) as Scope
  }

  #expression(node: Node): void {
    const kind = String(node.class)
    if (!KNOWN_EXPRESSIONS.has(kind)) throw this.#refusal(node, `${kind} can't be used.`)
    if (kind === 'FUNCTION' || kind === 'WINDOW') {
      this.#function(node, ALLOWED_FUNCTIONS, REFUSED_FUNCTIONS)
      if (node.export_state === true) throw this.#refusal(node, "EXPORT_STATE can't be used; it shows DuckDB's memory.")
    } else if (kind === 'TYPE' && (named(node.schema) || named(node.catalog))) {
      throw this.#refusal(node, `The type ${String(node.type_name)} must be named without a schema.`)
    }
  }

  #part(node: Node, type: string, scope: Scope): void {
    if (!KNOWN_PARTS.has(type) && !type.endsWith('_TYPE_INFO')) throw this.#refusal(node, `${type} can't be used.`)
    if (type === 'TABLE_FUNCTION') {
      this.#function(node.function as Node, ALLOWED_TABLE_FUNCTIONS, REFUSED_TABLE_FUNCTIONS)
    } else if (type === 'BASE_TABLE') {
      if (!this.#isReadable(node, scope)) throw this.#error(node, `There is no relation ${String(node.table_name)}.`)
      if (node.at_clause !== null) throw this.#refusal(node, "AT can't be used; relations have no versions.")
    } else if (type === 'SHOW_REF' && node.query === null) {
      throw this.#refusal(node, 'SHOW can not be run; DESCRIBE can.')
    } else if (type === 'PIVOT' && (node.pivots as readonly Node[]).some(({ pivot_enum }) => named(pivot_enum))) {
      throw this.#refusal(node, 'PIVOT needs its values listed with IN.')
    }
  }

  /** Looks at the name alone, without its qualifier: `main.abs(x)` and `column.abs()` look alike. */
  #function(node: Node, allowed: ReadonlySet<string>, refused: ReadonlyMap<string, string>): void {
    const name = folded(String(node.function_name))
    if (allowed.has(name)) return
    const why = refused.get(name)
    if (why !== undefined) throw this.#refusal(node, `The function ${name} can't be used: ${why}.`)
    if (allowed === ALLOWED_TABLE_FUNCTIONS) throw this.#refusal(node, `There is no function ${name} after FROM.`)
    throw new UnknownFunction(name, this.#at(node))
  }

  #isReadable({ table_name, schema_name, catalog_name }: Node, scope: Scope): boolean {
    const name = String(table_name)
    if (catalog_name !== '') return false
    if (schema_name === 'recurring') return scope.has(name, true)
    if (schema_name === '') return scope.has(name) || this.#relations.has(folded(name))
    return schema_name === this.#schema && this.#relations.has(folded(name))
  }

  #refusal = (node: Node, message: string) => new DataError('sql_refused', message, this.#at(node))
  #error = (node: Node, message: string) => new DataError('sql_error', message, this.#at(node))

  #at(node: Node): { position?: SqlPosition } {
    const position = positionIn(this.#sql, Number(node.query_location), 'bytes')
    return position === undefined ? {} : { position }
  }
}

const named = (name: unknown): boolean => typeof name === 'string' && name !== ''
