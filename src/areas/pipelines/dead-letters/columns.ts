import type { Db } from '../../../engines/metadata/index.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import type { Column } from '../duckdb/columns.ts'
import type { KnownColumns } from '../protocol/known-columns.ts'
import { lookFor, recordOf, type Search, wholeLetters } from '../supervisor/letter-search.ts'
import { shown } from './view.ts'

/** Pages of dead letters that are looked at. Few are enough: those of one batch have the same columns. */
const MAX_PAGES = 3

/** The columns of dead letters that wait and match, and whatever names stand in the configurations of nodes. */
export async function columnsOfLetters(
  db: Db,
  pipelineId: string,
  search: Search,
  nodes: readonly PipelineNode[]
): Promise<KnownColumns> {
  const names = new Set(namesIn(nodes))
  let after: string | undefined = ''
  for (let page = 0; after !== undefined && page < MAX_PAGES; page++) {
    const found: Awaited<ReturnType<typeof lookFor>> = await lookFor(db, pipelineId, search, after)
    after = found.next
    for (const row of await wholeLetters(db, found.heads)) {
      const columns = row.columns === null ? [] : (JSON.parse(row.columns) as Column[])
      for (const { name } of columns) names.add(name)
      const record = shown(recordOf(row))
      if (typeof record === 'object' && record !== null) for (const name of Object.keys(record)) names.add(name)
    }
  }
  return { names: [...names], areAll: after === undefined }
}

/** Whatever could be a name: the nodes may speak of columns that no record has yet. */
function namesIn(nodes: readonly PipelineNode[]): string[] {
  const found: string[] = []
  const left: unknown[] = nodes.map(({ config }) => config)
  while (left.length > 0) {
    const item = left.pop()
    if (typeof item === 'string') found.push(item, ...(item.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []), ...quotedIn(item))
    else if (typeof item === 'object' && item !== null) {
      if (!Array.isArray(item)) found.push(...Object.keys(item))
      left.push(...Object.values(item))
    }
  }
  return found
}

const quotedIn = (text: string): string[] =>
  [...text.matchAll(/"((?:[^"]|"")+)"/g)].map(([, name = '']) => name.replaceAll('""', '"'))
