import type { TagType } from '../index.ts'
import { bucketStartMs } from '../query/buckets.ts'
import type { BucketPlan } from '../query/plan.ts'
import type { TagRows } from '../query/rows.ts'
import { RowReader } from './row-binary.ts'
import { type RowShape, TagRowsBuilder } from './tag-rows.ts'

/** Collects rows, which are sorted by tag and time, into one result per tag; tags without rows are left out. */
export async function* readTags(
  body: AsyncIterable<Uint8Array>,
  tagOf: (key: string) => NamedTag | undefined,
  shape: RowShape,
  plan: BucketPlan | undefined
): AsyncGenerator<TagRows> {
  const gathering = new Gathering(tagOf, shape)
  const read = plan === undefined ? pointReader(gathering, shape) : bucketReader(gathering, shape, plan)
  for await (const _ of new RowReader().run(body, read)) yield* gathering.takeFinished()
  gathering.end()
  yield* gathering.takeFinished()
}

export interface NamedTag {
  readonly name: string
  readonly type: TagType
}

class Gathering {
  readonly #tagOf: (key: string) => NamedTag | undefined
  readonly #shape: RowShape
  #tagBytes = Buffer.alloc(0)
  #current: TagRowsBuilder | undefined
  #finished: TagRows[] = []

  constructor(tagOf: (key: string) => NamedTag | undefined, shape: RowShape) {
    this.#tagOf = tagOf
    this.#shape = shape
  }

  /** Undefined for a tag that was made after the tags were listed, or that was deleted. */
  of(tagBytes: Uint8Array): TagRowsBuilder | undefined {
    if (this.#tagBytes.equals(tagBytes)) return this.#current
    this.end()
    this.#tagBytes = Buffer.from(tagBytes)
    const tag = this.#tagOf(this.#tagBytes.toString())
    if (tag !== undefined) this.#current = new TagRowsBuilder(tag.name, tag.type, this.#shape)
    return this.#current
  }

  end(): void {
    if (this.#current !== undefined) this.#finished.push(this.#current.finish())
    this.#current = undefined
  }

  takeFinished(): TagRows[] {
    const finished = this.#finished
    this.#finished = []
    return finished
  }
}

function pointReader(gathering: Gathering, { textColumns }: RowShape): (row: RowReader) => void {
  const hasText = textColumns.length > 0
  return (row) => {
    const tag = row.bytes()
    const ms = row.whole()
    const subMsNs = row.uint32()
    const value = row.float64()
    const quality = row.uint8()
    const text = hasText ? row.text() : ''
    gathering.of(tag)?.addPoint(ms, subMsNs, quality, value, text)
  }
}

function bucketReader(gathering: Gathering, shape: RowShape, plan: BucketPlan): (row: RowReader) => void {
  const values = new Float64Array(shape.columnCount)
  const texts = shape.textColumns.map(() => '')
  return (row) => {
    const tag = row.bytes()
    const index = row.whole()
    const count = row.whole()
    const good = row.whole()
    for (let i = 0; i < values.length; i++) values[i] = row.float64()
    for (let i = 0; i < texts.length; i++) texts[i] = row.text()
    gathering.of(tag)?.addBucket(bucketStartMs(plan, index), count, good, values, texts)
  }
}
