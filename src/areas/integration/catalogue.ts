import { declaredIndex, type IndexRow, rowOf } from '../../engines/drivers/declared/catalogue/index.ts'
import { type SourceFacts, sources } from '../../engines/drivers/index.ts'
import type { OwnSources } from './own-sources.ts'
import type { Source, SourceQuery } from './schema.ts'

/** Made with the first question: nobody pays for the catalogue who does not look into it. */
let shipped: Promise<readonly Source[]> | undefined

/** Every kind of system that can be connected. */
export async function allSources(own: OwnSources): Promise<readonly Source[]> {
  shipped ??= declaredIndex().then((rows) => [...sources().map(ofDriver), ...rows.map((row) => ofEntry(row, false))])
  const added = (await own.all()).map((entry) => ofEntry(rowOf(entry), true))
  return added.length === 0 ? shipped : [...(await shipped), ...added]
}

export function matches(source: Source, { q, category, auth, supports }: SourceQuery): boolean {
  if (category !== undefined && source.category !== category) return false
  if (auth !== undefined && source.authentication !== auth) return false
  if (supports !== undefined && !source.supports[supports]) return false
  if (q === undefined) return true
  return isFoundBy(source, q)
}

/** Each word is part of its name, id or category, or a word of what is said of it; or all of it is its name, however that is spaced. */
function isFoundBy({ id, name, category, hint }: Source, q: string): boolean {
  const wanted = wordsOf(q)
  const joined = wanted.join('')
  if ([name, id].some((text) => wordsOf(text).join('').includes(joined))) return true
  const named = wordsOf(`${name} ${id} ${category}`).join(' ')
  const told = new Set(wordsOf(hint))
  return wanted.every((word) => named.includes(word) || told.has(word))
}

/** Without case, accents and whatever stands between. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

function ofDriver(facts: SourceFacts): Source {
  const { id, name, category, hint, documentationUrl, isProven, isIncremental = true, hasChanges = false } = facts
  const supports = { check: true, discover: true, read: true, incremental: isIncremental, changes: hasChanges }
  const { authentication = 'password' } = facts
  return { id, name, category, authentication, hint, documentationUrl, experimental: !isProven, supports, own: false }
}

function ofEntry({ documentation, hint = '', supports, ...row }: IndexRow, own: boolean): Source {
  const { id, name, category, authentication } = row
  return {
    ...{ id, name, category, authentication, hint, documentationUrl: documentation, experimental: true, own },
    supports: { ...supports, changes: false }
  }
}
