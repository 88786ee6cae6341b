import { isPattern } from '../../../data/glob.ts'
import type { TargetLineage } from '../../../schedule-target.ts'
import { type ColumnMapping, isNode, type MappingKind } from '../../lineage/index.ts'
import type { DownsampleConfig } from './config.ts'

/** What becomes of the columns that points have as data (`series://`), where they are summed up in buckets. */
export function lineageOf(
  sourceId: string,
  { tags, functions = ['avg'], into }: Pick<DownsampleConfig, 'tags' | 'functions' | 'into'>
): TargetLineage {
  const source = `series://${sourceId}`
  const from = tags === undefined || isPattern(tags) || !isNode(`${source}/${tags}`) ? source : `${source}/${tags}`
  const to = `series://${into.sourceId}`
  const way = (column: string, target: string | null, kind: MappingKind): ColumnMapping => ({
    from: { reference: from, column },
    to: { reference: to, column: target },
    kind
  })
  const isForTexts = functions.every((name) => name === 'count' || name === 'last')
  const columns = [
    // A bucket has the time of its beginning.
    way('time', 'time', 'computed'),
    way('tag', 'tag', functions.length === 1 ? 'identity' : 'computed'),
    ...functions.map((name) => way('value', 'value', name === 'last' ? 'identity' : 'computed')),
    ...(isForTexts && functions.includes('last') ? [way('text', 'text', 'identity')] : []),
    ...(isForTexts && functions.includes('count') ? [way('text', 'value', 'computed')] : []),
    way('time', null, 'grouped'),
    way('tag', null, 'grouped'),
    ...(tags === undefined ? [] : [way('tag', null, 'filtered')])
  ]
  return { inputs: [{ reference: from }], outputs: [{ reference: to }], columns: distinct(columns), isWhole: true }
}

/** Several functions make the same of a column. */
const distinct = (columns: readonly ColumnMapping[]): ColumnMapping[] => [
  ...new Map(columns.map((mapping) => [JSON.stringify(mapping), mapping])).values()
]
