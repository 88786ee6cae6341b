import type { DataRow, DataValue } from '../../../data/sql-process/messages.ts'
import { type Compiled, DATASET } from './compile.ts'
import type { OwnScan } from './own-scan.ts'
import { type Asks, numbersIn, sumOf, type Told } from './told.ts'

/** A rule about a column that may hold these values and no others, as SQL. */
export interface Allowed {
  readonly value: string
  readonly literals: readonly string[]
}

/** So many rules about a column take as long as a scan of it alone that groups its values. */
const LEAST_RULES = 3

/**
 * Counts how often each value occurs that any of several rules allows. All other values are one group, so that there are never more
 * groups than the rules have values.
 */
class Menu implements OwnScan {
  readonly #value: string
  readonly #name: string
  readonly #literals: readonly string[]

  constructor(value: string, name: string, all: readonly Allowed[]) {
    this.#value = value
    this.#name = name
    this.#literals = [...new Set(all.flatMap(({ literals }) => literals))]
  }

  /** Pairs of the place of a value among all that are allowed and of how often it occurs; others, and nulls, have no place. */
  get source(): string {
    const place = `list_position([${this.#literals.join(', ')}], ${this.#value})`
    const groups = `SELECT ${place} AS place, count(${this.#value}) AS n FROM ${DATASET} GROUP BY place`
    return `(SELECT list([place, n]) AS counts FROM (${groups})) AS ${this.#name}`
  }

  present(asks: Asks): Told {
    const pairs = this.#pairs(asks)
    return (row) => sumOf(pairs(row).map(([, count]) => count))
  }

  wrong({ allowed }: Compiled, asks: Asks): Told {
    const right = new Set(allowed?.literals.map((literal) => this.#literals.indexOf(literal) + 1))
    const pairs = this.#pairs(asks)
    return (row) => sumOf(pairs(row).map(([place, count]) => (right.has(place) ? 0 : count)))
  }

  /** Where there is no place, it is 0. */
  #pairs(asks: Asks): (row: DataRow) => [number, number][] {
    const told = asks(`${this.#name}.counts`)
    return (row) => {
      const pairs = told(row)
      return Array.isArray(pairs) ? pairs.map(pairIn) : []
    }
  }
}

function pairIn(pair: DataValue): [number, number] {
  const [place = 0, count = 0] = numbersIn(pair)
  return [place, count]
}

/** For rules about the same column of all rows. */
export function menusOf(asked: readonly Compiled[]): ReadonlyMap<Compiled, OwnScan> {
  const menus = new Map<Compiled, OwnScan>()
  const whole = asked.filter(({ allowed, sample }) => allowed !== undefined && sample === undefined)
  for (const [at, members] of [...Map.groupBy(whole, ({ allowed }) => allowed?.value ?? '').values()].entries()) {
    if (members.length < LEAST_RULES) continue
    const all = members.map(({ allowed }) => allowed as Allowed)
    const menu = new Menu((all[0] as Allowed).value, `menu${at}`, all)
    for (const member of members) menus.set(member, menu)
  }
  return menus
}
