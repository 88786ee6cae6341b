import type { Block } from './block.ts'
import { Deltas } from './deltas.ts'
import {
  type Chunk,
  type DataPage,
  DELTA_LENGTH_BYTE_ARRAY,
  PLAIN,
  PLAIN_DICTIONARY,
  RLE_DICTIONARY,
  unsupportedEncoding
} from './pages.ts'
import { Runs } from './runs.ts'
import { type Column, columnOf, type Values } from './values.ts'

export type Text = string | undefined
export type TextColumn = Column<Text[]>

/** The position of each text in a block. */
interface Texts {
  readonly bytes: Buffer
  readonly starts: Int32Array
  readonly ends: Int32Array
}

export function textsOf(chunk: Chunk): TextColumn {
  const { dictionary } = chunk
  const words = dictionary === undefined ? undefined : plainTexts(dictionary.block, 0, dictionary.count)
  const decoded: Text[] = []
  let sizeBytes = words === undefined ? 0 : sizeOf(words) * 2
  const pages = chunk.pages.map((page) => {
    sizeBytes += page.before?.byteLength ?? 0
    if (page.encoding === RLE_DICTIONARY || page.encoding === PLAIN_DICTIONARY) {
      sizeBytes += page.block.bytes.length
      return { page, values: indexedValues(page, words, decoded) }
    }
    const texts = textsIn(page)
    sizeBytes += sizeOf(texts)
    return { page, values: ownValues(texts) }
  })
  return columnOf<Text, Text[]>(pages, sizeBytes, undefined)
}

function textsIn({ block, start, valueCount, encoding }: DataPage): Texts {
  if (encoding === PLAIN) return plainTexts(block, start, valueCount)
  if (encoding === DELTA_LENGTH_BYTE_ARRAY) return lengthFirstTexts(block, start, valueCount)
  throw unsupportedEncoding(encoding)
}

function ownValues(texts: Texts): Values<Text[]> {
  return {
    fill(out, at, from, count) {
      for (let i = 0; i < count; i += 1) out[at + i] = textAt(texts, from + i)
    }
  }
}

function indexedValues({ block, start }: DataPage, words: Texts | undefined, decoded: Text[]): Values<Text[]> {
  if (words === undefined) throw new Error('it lacks its dictionary')
  if (start >= block.bytes.length) throw new Error('it ends too early')
  const runs = new Runs(block, start + 1, block.bytes.length, block.view.getUint8(start))
  const ordinals = Float64Array.from(words.starts, (_, index) => index)
  return {
    fill(out, at, from, count) {
      const indexes = new Float64Array(count)
      runs.fill(ordinals, indexes, 0, from, count)
      for (let i = 0; i < count; i += 1) {
        const index = indexes[i] as number
        decoded[index] ??= textAt(words, index)
        out[at + i] = decoded[index]
      }
    }
  }
}

function textAt({ bytes, starts, ends }: Texts, index: number): string {
  return bytes.toString('utf8', starts[index], ends[index])
}

function sizeOf({ bytes, starts, ends }: Texts): number {
  return bytes.length + starts.byteLength + ends.byteLength
}

/** Texts that each stand after their length. */
function plainTexts({ bytes, view }: Block, start: number, count: number): Texts {
  if (!(count >= 0 && start + count * 4 <= bytes.length)) throw new Error('it ends too early')
  const starts = new Int32Array(count)
  const ends = new Int32Array(count)
  let place = start
  for (let i = 0; i < count; i += 1) {
    if (place + 4 > bytes.length) throw new Error('it ends too early')
    starts[i] = place + 4
    place += 4 + view.getUint32(place, true)
    ends[i] = place
  }
  if (place > bytes.length) throw new Error('it ends too early')
  return { bytes, starts, ends }
}

/** Texts that stand after all lengths. */
function lengthFirstTexts(block: Block, start: number, count: number): Texts {
  const deltas = new Deltas(block, start, block.bytes.length, 0n)
  if (deltas.length !== count) throw new Error(`it has ${deltas.length} values instead of ${count}`)
  const lengths = new Float64Array(count)
  deltas.fill(lengths, 0, 0, count)
  const starts = new Int32Array(count)
  const ends = new Int32Array(count)
  let place = deltas.end()
  for (let i = 0; i < count; i += 1) {
    const length = lengths[i] as number
    if (!(length >= 0 && place + length <= block.bytes.length)) throw new Error('it ends too early')
    starts[i] = place
    place += length
    ends[i] = place
  }
  return { bytes: block.bytes, starts, ends }
}
