import type { Clock } from '../../../engines/clock.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { type Inflow, inflowsInto, namesakesOfData, nodeKey, nodesBy, outflowsOf } from '../../lineage/index.ts'
import { readHeld, readSources } from './held.ts'
import { type Given, givenTo } from './labelled.ts'
import { type Held, type Inherited, inheritedOf, type Step } from './rule.ts'
import type { Preview } from './schema.ts'
import { toColumn, toSteps } from './view.ts'

const MAX_NODES = 2000
const MAX_MS = 3000
const MAX_CHANGES = 1000
const NODES_AT_ONCE = 100

export interface Asked {
  readonly reference: string
  /** The label that would be changed or removed; undefined where there is none yet. */
  readonly id: string | undefined
  readonly columns: readonly string[]
  /** Null where it would be removed. */
  readonly level: string | null
}

/** What levels would be downstream with another label: the rule is applied until nothing changes, and nothing is written. */
export async function previewOf(db: Db, clock: Clock, asked: Asked): Promise<Preview> {
  const search = new Search(db, asked)
  const endMs = clock.elapsed() + MAX_MS
  let border = await search.begin()
  let nodes = 0
  while (border.size > 0 && nodes < MAX_NODES && clock.elapsed() < endMs) {
    const some = [...border].slice(0, NODES_AT_ONCE)
    nodes += some.length
    border = new Set([...border].slice(NODES_AT_ONCE)).union(await search.follow(some))
  }
  const changes = search.changes()
  return { changes: changes.slice(0, MAX_CHANGES), truncated: border.size > 0 || changes.length > MAX_CHANGES }
}

/** Nodes as they would be, and as they are. */
class Search {
  readonly #db: Db
  readonly #asked: Asked
  readonly #key: string
  readonly #after = new Map<string, Held>()
  readonly #before = new Map<string, readonly Inherited[]>()
  /** From data that is no node yet. */
  #own: Inflow[] = []

  constructor(db: Db, asked: Asked) {
    this.#db = db
    this.#asked = asked
    this.#key = nodeKey(asked.reference)
  }

  /** Answers the nodes for which the label makes a difference at once. */
  async begin(): Promise<Set<string>> {
    const { reference, id, columns, level } = this.#asked
    const known = await givenTo(this.#db, [reference])
    const added: Given[] = level === null ? [] : [{ id: id ?? '', resource: reference, columns, level }]
    const given = [...known.filter((one) => one.id !== id), ...added]
    const held = (await readHeld(this.#db, [{ key: this.#key, reference }])).get(this.#key)
    this.#after.set(this.#key, { reference, given, inherited: held?.inherited ?? [] })
    if ((await nodesBy(this.#db, [this.#key])).size > 0) return outflowsOf(this.#db, [this.#key])
    const others = await namesakesOfData(this.#db, reference)
    const along = { fromColumn: '', toColumn: '', kind: 'overlaps', job: '' } as const
    this.#own = others.map((to) => ({ from: this.#key, to, ...along }))
    return new Set(others)
  }

  /** Works out some nodes; answers those for which that makes a difference. */
  async follow(keys: readonly string[]): Promise<Set<string>> {
    const nodes = [...(await nodesBy(this.#db, keys)).values()].filter(({ isJob }) => !isJob)
    const stored = await readHeld(this.#db, nodes)
    const inflows = [...(await inflowsInto(this.#db, keys)), ...this.#own.filter(({ to }) => keys.includes(to))]
    const into = Map.groupBy(inflows, ({ to }) => to)
    const sources = await readSources(this.#db, inflows)
    const held = new Map([...sources.held, ...this.#after])
    const changed: string[] = []
    for (const { key, reference } of nodes) {
      const { given = [], inherited = [] } = this.#after.get(key) ?? stored.get(key) ?? {}
      const after = inheritedOf(reference, into.get(key) ?? [], { ...sources, held })
      if (textOf(after) === textOf(inherited)) continue
      if (!this.#before.has(key)) this.#before.set(key, inherited)
      this.#after.set(key, { reference, given, inherited: after })
      changed.push(key)
    }
    return outflowsOf(this.#db, changed)
  }

  /** Where another level would be than is, in the order of names. */
  changes(): Preview['changes'] {
    const found = [...this.#before].flatMap(([key, rows]) => {
      const { reference, inherited } = this.#after.get(key) as Held
      const [before, after] = [shownOf(rows), shownOf(inherited)]
      return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((column) => {
        const [old, now] = [before.get(column), after.get(column)]
        if (old?.level === now?.level) return []
        const path: readonly Step[] = (now ?? old)?.path ?? []
        const levels = { before: old?.level ?? null, after: now?.level ?? null }
        return [{ resource: reference, column: toColumn(column), ...levels, path: toSteps(path) }]
      })
    })
    return found.sort((a, b) => (a.resource < b.resource ? -1 : a.resource > b.resource ? 1 : 0))
  }
}

const shownOf = (rows: readonly Inherited[]): Map<string, Inherited> =>
  new Map(rows.filter(({ isShown }) => isShown).map((one) => [one.column, one]))

/** In one order, whatever the database answers. */
const textOf = (rows: readonly Inherited[]): string =>
  JSON.stringify(
    rows
      .map(({ column, isPart, isShown, level, label, path }) =>
        JSON.stringify([column, isPart, isShown, level, label, path.map(textOfStep)])
      )
      .sort()
  )

const textOfStep = ({ resource, column, kind, job }: Step) => [resource, column, kind, job]
