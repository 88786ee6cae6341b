import type { PointValue, Tag as SeriesTag, SourceStats } from '../../engines/series/index.ts'
import { isoOfNs } from '../../http/times.ts'
import type { SourceRow, TagRow } from './migrations.ts'
import type { Source } from './schema.ts'
import type { Tag } from './tag-schema.ts'

/** What changes with every write. */
type Figures = Pick<Source, 'tagCount' | 'pointCount' | 'firstSeenAt' | 'lastSeenAt'>

export function figuresOf(stats: SourceStats | undefined): Figures {
  if (stats === undefined) return { tagCount: 0, pointCount: 0, firstSeenAt: null, lastSeenAt: null }
  const { tagCount, pointCount, firstNs, lastNs } = stats
  return { tagCount, pointCount, firstSeenAt: isoOfNs(firstNs), lastSeenAt: isoOfNs(lastNs) }
}

/** A source without its figures: what a change of it is about. */
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

/** A tag that nobody has said anything of is as it was made. */
export function toTag(tag: SeriesTag, row: TagRow | undefined): Tag {
  return {
    name: tag.name,
    type: tag.type,
    unit: row?.unit ?? null,
    description: row?.description ?? '',
    labels: tag.labels,
    firstSeenAt: isoOfNs(tag.firstNs),
    lastSeenAt: isoOfNs(tag.lastNs),
    lastValue: jsonOf(tag.lastValue),
    pointCount: tag.pointCount,
    version: row?.version ?? 1
  }
}

/** JSON's numbers are doubles to most who read them; the digits of larger ones are told as text. */
function jsonOf(value: PointValue): number | boolean | string {
  if (typeof value !== 'bigint') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}
