import type { Image } from '../../changes/records.ts'
import type { SqlValue } from '../../index.ts'
import { Bytes } from './bytes.ts'
import type { ColumnForm } from './values.ts'

/** Kinds of events that have rows; MySQL writes those of the second version. */
export const INSERTS: ReadonlySet<number> = new Set([23, 30])
export const UPDATES: ReadonlySet<number> = new Set([24, 31])
export const DELETES: ReadonlySet<number> = new Set([25, 32])
const SECOND_VERSION = 30

export const tableIdOf = (body: Buffer) => body.readUIntLE(0, 6)

/** The rows of an event: for updates the row before and the row after, one after the other. */
export function* imagesOf(kind: number, body: Buffer, forms: readonly ColumnForm[]): Generator<Image> {
  const bytes = new Bytes(body)
  bytes.take(8)
  if (kind >= SECOND_VERSION) bytes.take(bytes.number(2) - 2)
  const columns = bytes.packed()
  const size = (columns + 7) >> 3
  const present = [bytes.take(size)]
  if (UPDATES.has(kind)) present.push(bytes.take(size))
  for (let row = 0; !bytes.isOver; row++) yield image(bytes, present[row % present.length] as Buffer, forms)
}

const isSet = (bits: Buffer, place: number) => ((bits[place >> 3] as number) & (1 << (place & 7))) !== 0

function image(bytes: Bytes, present: Buffer, forms: readonly ColumnForm[]): Image {
  const values: (SqlValue | undefined)[] = []
  const count = forms.reduce((sum, _, i) => sum + Number(isSet(present, i)), 0)
  const nulls = bytes.take((count + 7) >> 3)
  let place = 0
  for (const [i, form] of forms.entries()) {
    if (!isSet(present, i)) values.push(undefined)
    else values.push(isSet(nulls, place++) ? null : form.read(bytes))
  }
  return values
}
