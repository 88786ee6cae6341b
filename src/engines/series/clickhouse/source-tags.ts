import type { TagType } from '../index.ts'
import { Parser } from '../parse/index.ts'
import type { KnownTag, TagRegistry } from '../parse/points.ts'
import { codeOf } from '../parse/type-codes.ts'
import { RowWriter } from './row-binary.ts'

/** More tags than this are a mistake in whoever writes, such as a time or a random number in a label. */
const MAX_TAGS = 2_000_000

/** A tag whose labels ClickHouse does not have yet. */
export interface LabelledTag {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
}

/** The tags of a source as far as a writer needs them, and what reads its writes. */
export class SourceTags implements TagRegistry {
  readonly generation: bigint
  readonly parser = new Parser(this)
  /** What every row of a tag begins with, by the tag's number. */
  readonly heads: Uint8Array[] = []
  /** What type it has, by the tag's number. */
  readonly typeCodes: number[] = []
  /** When it was last known that nobody has dropped the source. */
  checkedAtMs = 0
  readonly #sourceId: string
  readonly #byName = new Map<string, KnownTag>()
  #unsaved: LabelledTag[] = []

  constructor(sourceId: string, generation: bigint) {
    this.#sourceId = sourceId
    this.generation = generation
  }

  get size(): number {
    return this.heads.length
  }

  /** Undefined for a tag that is not there. */
  typeOf(name: string): TagType | undefined {
    return this.#byName.get(name)?.type
  }

  resolve(name: string, labels: Readonly<Record<string, string>>, type: TagType): KnownTag | undefined {
    const known = this.#byName.get(name)
    if (known !== undefined) return known
    if (this.size >= MAX_TAGS) return undefined
    if (Object.keys(labels).length > 0) this.#unsaved.push({ name, labels: { ...labels } })
    return this.add(name, type)
  }

  add(name: string, type: TagType): KnownTag {
    const tag: KnownTag = { id: this.size, type }
    const head = new RowWriter()
    head.text(this.#sourceId)
    head.reserve(8)
    head.int64(this.generation)
    head.text(name)
    this.heads.push(Uint8Array.from(head.finish()))
    this.typeCodes.push(codeOf(type))
    this.#byName.set(name, tag)
    return tag
  }

  /** Labels to save; whoever takes them gives them back where that fails. */
  takeUnsaved(): LabelledTag[] {
    return this.#unsaved.splice(0)
  }

  giveBack(labelled: readonly LabelledTag[]): void {
    this.#unsaved.push(...labelled)
  }
}
