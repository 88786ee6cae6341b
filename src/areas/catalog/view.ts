import type { PointValue, Tag as SeriesTag, SourceStats } from '../../engines/series/index.ts'
import { isoOfNs } from '../../http/times.ts'
import type { SourceRow, TagRow } from './migrations.ts'
import type { Source } from './schema.ts'
import type { Tag } from './tag-schema.ts'

/** Numbers that change with every write. */
type Figures = Pick<Source, 'tagCount' | 'pointCount' | 'firstSeenAt' | 'lastSeenAt'>

export function figuresOf(stats: SourceStats | undefined): Figures {
  if (stats === undefined) return { tagCount: 0, pointCount: 0, firstSeenAt: null, lastSeenAt: null }
  const { tagCount, pointCount, firstNs, lastNs } = stats
  return { tagCount, pointCount, firstSeenAt: isoOfNs(firstNs), lastSeenAt: isoOfNs(lastNs) }
}

/** A source without its figures: this is what a change of the source compares. */
export function toBareSource(row: SourceRow, classification: string | null): Omit<Source, keyof Figures> {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    description: row.description,
    retention: row.retention,
    classification,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  }
}

export function toSource(row: SourceRow, classification: string | null, stats: SourceStats | undefined): Source {
  return { ...toBareSource(row, classification), ...figuresOf(stats) }
}

/** A tag for which people have set nothing has version 1. */
/** `isMasked`: the caller may not see values of the tag. */
export function toTag(tag: SeriesTag, row: TagRow | undefined, isMasked: boolean): Tag {
  return {
    name: tag.name,
    type: tag.type,
    unit: row?.unit ?? null,
    description: row?.description ?? '',
    labels: tag.labels,
    firstSeenAt: isoOfNs(tag.firstNs),
    lastSeenAt: isoOfNs(tag.lastNs),
    lastValue: isMasked ? null : jsonOf(tag.lastValue),
    pointCount: tag.pointCount,
    version: row?.version ?? 1
  }
}

/** Most readers of JSON take numbers for doubles, so larger whole numbers are given as text. */
function jsonOf(value: PointValue): number | boolean | string {
  if (typeof value !== 'bigint') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}
