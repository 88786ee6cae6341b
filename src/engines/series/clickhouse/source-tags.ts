import type { TagType } from '../index.ts'
import { Parser } from '../parse/index.ts'
import type { KnownTag, TagRegistry } from '../parse/points.ts'
import { codeOf } from '../parse/type-codes.ts'
import { RowWriter } from './row-binary.ts'
import { keyOf } from './tag-keys.ts'

/** More tags than this are a mistake of the writer, such as a time or a random number in a label. */
const MAX_TAGS = 2_000_000

/** A tag whose labels ClickHouse does not have yet. */
export interface LabelledTag {
  readonly key: string
  readonly labels: Readonly<Record<string, string>>
}

/** The tags of a source as far as a writer needs them, and the parser of its writes. */
export class SourceTags implements TagRegistry {
  readonly generation: bigint
  readonly parser = new Parser(this)
  /** The bytes that every row of a tag begins with, by the tag's number. */
  readonly heads: Uint8Array[] = []
  /** The type of each tag, by the tag's number. */
  readonly typeCodes: number[] = []
  /** When the source was last known not to be dropped. */
  checkedAtMs = 0
  /** The state of deletions, from `DeletionWatch`, up to which this is current. */
  deletionState = ''
  /** The version of the last deletion of a tag, by name. */
  readonly #deletions: Map<string, bigint>
  readonly #sourceId: string
  readonly #byName = new Map<string, KnownTag>()
  #unsaved: LabelledTag[] = []

  constructor(sourceId: string, generation: bigint, deletions: ReadonlyMap<string, bigint>) {
    this.#sourceId = sourceId
    this.generation = generation
    this.#deletions = new Map(deletions)
  }

  get size(): number {
    return this.heads.length
  }

  /** Undefined where there is no such tag. */
  typeOf(name: string): TagType | undefined {
    return this.#byName.get(name)?.type
  }

  resolve(name: string, labels: Readonly<Record<string, string>>, type: TagType): KnownTag | undefined {
    const known = this.#byName.get(name)
    if (known !== undefined) return known
    if (this.#byName.size >= MAX_TAGS) return undefined
    if (Object.keys(labels).length > 0) this.#unsaved.push({ key: this.#keyOf(name), labels: { ...labels } })
    return this.add(name, type)
  }

  /** Whether there is a tag of this name that was made after this deletion. */
  has(name: string, deletion: bigint | undefined): boolean {
    return this.#byName.has(name) && this.#deletions.get(name) === deletion
  }

  /** The deletions that are new here. */
  unheardOf(deletions: ReadonlyMap<string, bigint>): string[] {
    return [...deletions].filter(([name, version]) => version > (this.#deletions.get(name) ?? 0n)).map(([name]) => name)
  }

  /** Retires a deleted tag: points that are written to its name from now on go to a new tag. */
  retire(name: string, deletion: bigint): void {
    this.#deletions.set(name, deletion)
    this.#byName.delete(name)
    this.parser.forget()
  }

  add(name: string, type: TagType): KnownTag {
    const tag: KnownTag = { id: this.size, type }
    const head = new RowWriter()
    head.text(this.#sourceId)
    head.reserve(8)
    head.int64(this.generation)
    head.text(this.#keyOf(name))
    this.heads.push(Uint8Array.from(head.finish()))
    this.typeCodes.push(codeOf(type))
    this.#byName.set(name, tag)
    return tag
  }

  /** The labels to save; the caller has to give them back where saving fails. */
  takeUnsaved(): LabelledTag[] {
    return this.#unsaved.splice(0)
  }

  giveBack(labelled: readonly LabelledTag[]): void {
    this.#unsaved.push(...labelled)
  }

  #keyOf(name: string): string {
    return keyOf(name, this.#deletions.get(name))
  }
}
