import type { Sizes } from '../../../src/engines/series/duckdb/settings.ts'

export const WRITERS = 4
export const TAGS = 50
const POINTS_PER_BATCH = 200
/** So small that files are made and merged all the time. */
export const WRITER_SIZES: Partial<Sizes> = { generationPoints: 4000, maxPointsInMemory: 40_000 }

const START_MS = Date.UTC(2026, 0, 1)

/** The points of a batch: no other batch has the same, and each value tells its place. */
export function batchPoints(batch: number): { readonly tag: number; readonly ms: number; readonly value: number }[] {
  return Array.from({ length: POINTS_PER_BATCH }, (_, index) => {
    const serial = batch * POINTS_PER_BATCH + index
    // Half of the batches are of the day before, so that files of two days are made at the same time.
    const day = batch % 2 === 0 ? 0 : 86_400_000
    return { tag: serial % TAGS, ms: START_MS + day + Math.floor(serial / TAGS), value: serial }
  })
}

/** Every point is written twice, a wrong one first: if that one is found, replacing has failed. */
export function batchBody(batch: number): Uint8Array<ArrayBuffer> {
  const points = batchPoints(batch)
  const line = (value: (serial: number) => number) =>
    points.map((point) => `m,t=${point.tag} value=${value(point.value)} ${point.ms}`).join('\n')
  return new Uint8Array(Buffer.from(`${line((serial) => -serial - 1)}\n${line((serial) => serial)}`))
}

export const tagName = (tag: number) => `m{t=${tag}}`
