import type { TagType } from '../../index.ts'
import { Parser } from '../../parse/index.ts'
import type { KnownTag } from '../../parse/points.ts'
import type { TagRecord } from './log-records.ts'
import type { TagTable } from './tag-table.ts'

/** More tags than this are a mistake of the writer, such as a time or a random number in a label. */
const MAX_TAGS = 2_000_000

/** The tags of a source by name, and the parser of its writes. */
export class Source {
  readonly id: string
  readonly parser: Parser
  points = 0
  firstNs = 0n
  lastNs = 0n
  readonly #byName = new Map<string, number>()
  #sorted: string[] | undefined

  constructor(id: string, table: TagTable, onNew: (tag: TagRecord) => void) {
    this.id = id
    this.parser = new Parser({
      resolve: (name, labels, type) => this.#known(name, table) ?? this.#make(name, labels, type, table, onNew)
    })
  }

  get size(): number {
    return this.#byName.size
  }

  add(name: string, id: number): void {
    this.#byName.set(name, id)
    this.#sorted = undefined
  }

  /** Removes a tag with so many points. The parser then looks up every tag again. */
  remove(name: string, points: number): void {
    this.#byName.delete(name)
    const place = this.#sorted?.indexOf(name) ?? -1
    if (place >= 0) this.#sorted?.splice(place, 1)
    this.points -= points
    this.parser.forget()
  }

  /** Adds so many points within these times to the figures. */
  count(points: number, firstNs: bigint, lastNs: bigint): void {
    this.firstNs = this.points === 0 || firstNs < this.firstNs ? firstNs : this.firstNs
    this.lastNs = this.points === 0 || lastNs > this.lastNs ? lastNs : this.lastNs
    this.points += points
  }

  find(name: string): number | undefined {
    return this.#byName.get(name)
  }

  ids(): Iterable<number> {
    return this.#byName.values()
  }

  /** Names in the order of their UTF-8 bytes; sorted again only after a new tag. */
  names(): readonly string[] {
    this.#sorted ??= [...this.#byName.keys()].sort(byUtf8)
    return this.#sorted
  }

  #known(name: string, table: TagTable): KnownTag | undefined {
    const id = this.#byName.get(name)
    return id === undefined ? undefined : { id, type: (table.get(id) as TagRecord).type }
  }

  #make(
    name: string,
    labels: Readonly<Record<string, string>>,
    type: TagType,
    table: TagTable,
    onNew: (tag: TagRecord) => void
  ): KnownTag | undefined {
    const id = table.nextId
    if (table.size >= MAX_TAGS) return undefined
    const tag = { id, source: this.id, name, type, labels: { ...labels } }
    table.add(tag)
    this.add(name, id)
    onNew(tag)
    return { id, type }
  }
}

/** Compares as UTF-8: JavaScript's own order puts surrogates before some characters that come first in UTF-8. */
export function byUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i)
    const right = b.charCodeAt(i)
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

const rank = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)
