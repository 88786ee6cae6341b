import { parseTextPattern } from '../../data/glob.ts'
import type { Series, Tag } from '../../engines/series/index.ts'
import { Problem } from '../../errors.ts'

const PAGE = 1000
/** Tags that are looked at for one pattern. */
const MAX_LOOKED_AT = 50_000

/** The tags that a pattern matches and that are wanted, in order; undefined where there are more than so many. */
export async function matchingTags(
  series: Pick<Series, 'tags'>,
  sourceId: string,
  pattern: string,
  most: number,
  isWanted: (tag: Tag) => boolean
): Promise<string[] | undefined> {
  const { prefix, matches } = parseTextPattern(pattern)
  const found: string[] = []
  // Names come in the order of their bytes, so those with the beginning of the pattern lie together.
  let after: string | undefined = [...prefix].slice(0, -1).join('') || undefined
  for (let seen = 0; seen < MAX_LOOKED_AT; seen += PAGE) {
    const q = prefix === '' ? undefined : prefix
    const { tags } = await series.tags(sourceId, { q, after, limit: PAGE })
    for (const tag of tags) if (matches(tag.name) && isWanted(tag)) found.push(tag.name)
    if (found.length > most) return undefined
    after = tags.at(-1)?.name
    if (tags.length < PAGE || after === undefined || isBehind(after, prefix)) return found
  }
  throw new Problem('unprocessable', {
    detail: `To find the tags like ${pattern}, more than ${MAX_LOOKED_AT} would have to be looked at: begin it with more of their names.`
  })
}

function isBehind(name: string, prefix: string): boolean {
  return !name.startsWith(prefix) && Buffer.compare(Buffer.from(name), Buffer.from(prefix)) > 0
}
