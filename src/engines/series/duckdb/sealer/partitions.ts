import type { TagRecord } from '../keeper/log-records.ts'
import { byUtf8 } from '../keeper/sources.ts'
import { type Chain, type ChainColumns, chainAt } from '../memory/generation.ts'

/** The chains that go into one file, in the order of the file. */
export interface Partition {
  readonly source: string
  readonly day: number
  readonly chains: readonly { readonly chain: Chain; readonly tag: TagRecord }[]
}

/** Divides chains by source and day, and sorts those of each file by the names of tags. */
export function partition(chains: ChainColumns, tags: ReadonlyMap<number, TagRecord>): Partition[] {
  const places = new Map<string, { source: string; day: number; chains: { chain: Chain; tag: TagRecord }[] }>()
  for (let index = 0; index < chains.length; index++) {
    const chain = chainAt(chains, index)
    const tag = tags.get(chain.tag)
    if (tag === undefined) continue // deleted meanwhile
    const key = `${chain.day} ${tag.source}`
    let place = places.get(key)
    if (place === undefined) {
      place = { source: tag.source, day: chain.day, chains: [] }
      places.set(key, place)
    }
    place.chains.push({ chain, tag })
  }
  for (const place of places.values()) place.chains.sort((a, b) => byUtf8(a.tag.name, b.tag.name))
  return [...places.values()]
}
