import type { TagRows } from './rows.ts'

/** Some rows of a tag, by index. */
export function pickRows(rows: TagRows, places: Int32Array): TagRows {
  const picked = <T extends Float64Array | Uint32Array | Uint8Array>(from: T, to: T): T => {
    for (let row = 0; row < places.length; row++) to[row] = from[places[row] as number] as number
    return to
  }
  const { length } = places
  return {
    ...rows,
    length,
    ms: picked(rows.ms, new Float64Array(length)),
    subMsNs: rows.subMsNs && picked(rows.subMsNs, new Uint32Array(length)),
    columns: rows.columns.map((column) => picked(column, new Float64Array(length))),
    exact: rows.exact.map((column) => column && Array.from(places, (place) => column[place])),
    counts: rows.counts && picked(rows.counts, new Float64Array(length)),
    quality: rows.quality && picked(rows.quality, new Uint8Array(length)),
    percentGood: rows.percentGood && picked(rows.percentGood, new Float64Array(length))
  }
}

/** The rows of a tag that the source does not have: none. */
export function unknownTag(tag: string): TagRows {
  return {
    tag,
    type: undefined,
    length: 0,
    ms: new Float64Array(0),
    subMsNs: undefined,
    columns: [],
    exact: [],
    counts: undefined,
    quality: undefined,
    percentGood: undefined,
    pointsRead: 0
  }
}
