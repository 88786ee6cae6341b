import { folded } from './scope.ts'

type Node = Readonly<Record<string, unknown>>

/** Functions of DuckDB that are macros for a CASE. */
const BRANCHING = new Set(
  'nullif round_even roundbankers split_part array_to_string array_to_string_comma_default'.split(' ')
)
/** Operators that DuckDB leaves out where they change nothing, as in `x + 0`. */
const LEFT_OUT = new Set(['+', '-', '*', '//'])
/** What a column is called that has no name of its own. */
const UNNAMED_BRANCH = /^(?:coalesce\(|case )/i

const WHY =
  'DuckDB writes beyond its memory there. Put TRY around its parts, as in coalesce(TRY(a), TRY(b)), or use TRY_CAST'

/**
 * Finds TRY around coalesce and CASE, at which DuckDB writes beyond its memory (duckdb/duckdb#25280). What matters is what it
 * computes in the end: casts and operators that change nothing are gone by then, and a column of a subquery may be replaced by
 * what it is made of.
 */
export class Tries {
  /** Columns that parts of the statement make with coalesce or CASE. */
  readonly #made: Set<string>
  #givesOtherNames = false
  readonly #triedColumns: string[] = []

  /** `made` are columns of what the statement reads that are made so. */
  constructor(made: Iterable<string> = []) {
    this.#made = new Set([...made].map(folded))
  }

  /** Takes in a part of a statement; answers why it is refused, where it is. */
  see(node: Node): string | undefined {
    if (node.type === 'SELECT_NODE') for (const item of node.select_list as readonly Node[]) this.#seeItem(item)
    if (isFilled(node.column_name_alias) || isFilled(node.aliases)) this.#givesOtherNames = true
    return node.type === 'OPERATOR_TRY' ? this.#seeTry(node) : undefined
  }

  /** To be asked once all parts have been seen. */
  refusal(): string | undefined {
    const isMade = (name: string) =>
      this.#made.has(folded(name)) || UNNAMED_BRANCH.test(name) || (this.#givesOtherNames && this.#made.size > 0)
    const name = this.#triedColumns.find(isMade)
    return name && `TRY can't be used around ${name}, which may be made with coalesce or CASE: ${WHY}.`
  }

  #seeItem(item: Node): void {
    if (isBranch(item)) this.#made.add(folded(String(item.alias)))
  }

  #seeTry({ children }: Node): string | undefined {
    const [tried] = children as readonly Node[]
    for (const root of rootsOf(tried as Node)) {
      const branch = branchOf(root)
      if (branch !== undefined) return `TRY can't be used around ${branch}: ${WHY}.`
      if (root.class !== 'COLUMN_REF') continue
      if (root === tried) return 'TRY has nothing to try around a column alone; leave it out.'
      this.#triedColumns.push(String((root.column_names as readonly string[]).at(-1)))
    }
    return undefined
  }
}

/** Whether an expression may come to coalesce or CASE. */
export const isBranch = (expression: Node): boolean => rootsOf(expression).some((root) => branchOf(root) !== undefined)

/** What an expression may come to once DuckDB has left out what changes nothing. */
function rootsOf(expression: Node): Node[] {
  const roots: Node[] = []
  const left = [expression]
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    const inner = innerOf(node)
    if (inner === undefined) roots.push(node)
    else left.push(...inner)
  }
  return roots
}

function innerOf(node: Node): readonly Node[] | undefined {
  const { class: kind, type } = node
  if (kind === 'CAST' || kind === 'COLLATE') return [node.child as Node]
  const isLeftOut = kind === 'FUNCTION' && LEFT_OUT.has(String(node.function_name))
  if (kind === 'CONJUNCTION' || type === 'OPERATOR_TRY' || isLeftOut) return node.children as readonly Node[]
  return undefined
}

function branchOf({ class: kind, type, function_name }: Node): string | undefined {
  if (kind === 'CASE') return 'CASE'
  if (type === 'OPERATOR_COALESCE') return 'coalesce'
  const name = folded(String(function_name))
  return kind === 'FUNCTION' && BRANCHING.has(name) ? name : undefined
}

const isFilled = (names: unknown): boolean => Array.isArray(names) && names.length > 0
