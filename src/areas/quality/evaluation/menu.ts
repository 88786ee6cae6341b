import { type Compiled, DATASET } from './compile.ts'
import type { OwnScan } from './own-scan.ts'

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

  get source(): string {
    const counts = this.#literals.map((_, at) => `coalesce(sum(n) FILTER (WHERE place = ${at + 1}), 0) AS n${at}`)
    const place = `list_position([${this.#literals.join(', ')}], ${this.#value})`
    const groups = `SELECT ${place} AS place, count(${this.#value}) AS n FROM ${DATASET} GROUP BY place`
    return `(SELECT coalesce(sum(n), 0) AS present, ${counts.join(', ')} FROM (${groups})) AS ${this.#name}`
  }

  get present(): string {
    return `${this.#name}.present`
  }

  wrong({ allowed }: Compiled): string {
    const right = [...new Set(allowed?.literals)].map((literal) => `${this.#name}.n${this.#literals.indexOf(literal)}`)
    return `${this.present} - (${right.join(' + ')})`
  }
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
