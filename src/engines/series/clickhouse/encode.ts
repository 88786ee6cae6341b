import { HAS_EXACT, NS_PER_DAY, type PointBatch } from '../parse/points.ts'
import type { RowWriter } from './row-binary.ts'
import type { SourceTags } from './source-tags.ts'
import type { VersionClock } from './version-clock.ts'

const TWO_32 = 2 ** 32
const DAY_HIGH = Math.floor(NS_PER_DAY / TWO_32)
const DAY_LOW = NS_PER_DAY % TWO_32
/** The size of a row without its head and text: time, value, quality, type, version, and the length of the text. */
const FIXED_BYTES = 8 + 8 + 1 + 1 + 8 + 5

/** Points as rows of the table, in the order of `POINT_COLUMNS`. */
export function encodePoints(batch: PointBatch, tags: SourceTags, clock: VersionClock, out: RowWriter): void {
  clock.catchUp()
  for (let i = 0; i < batch.length; i++) {
    const tag = batch.tags[i] as number
    const flags = batch.flags[i] as number
    const head = tags.heads[tag] as Uint8Array
    out.reserve(head.length + FIXED_BYTES)
    out.raw(head)
    // All of this is exact in doubles: a day has less than 2^47 ns, and there are fewer than 2^17 days.
    const day = batch.days[i] as number
    const low = day * DAY_LOW + (batch.ns[i] as number)
    const carry = Math.floor(low / TWO_32)
    out.halves(day * DAY_HIGH + carry, low - carry * TWO_32)
    out.float64(batch.values[i] as number)
    if ((flags & HAS_EXACT) === 0) out.uint8(0)
    else out.text(String(batch.exact.get(i)), FIXED_BYTES)
    out.uint8(flags & ~HAS_EXACT)
    out.uint8(tags.typeCodes[tag] as number)
    clock.step()
    out.halves(clock.high, clock.low)
  }
}
