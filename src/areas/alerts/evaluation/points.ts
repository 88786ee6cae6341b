import { isPattern } from '../../../data/glob.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { Series } from '../../../engines/series/index.ts'
import { readTagName } from '../../../engines/series/parse/tag-name.ts'
import { matchingTags, withSeries } from '../../catalog/index.ts'
import { isMet, type ParsedCondition } from '../rules/conditions.ts'
import type { WindowFunction } from '../rules/words.ts'
import { asked } from './asking.ts'
import { type Failure, type Found, type LabelledReading, type Labels, MAX_INSTANCES, tooMany } from './readings.ts'
import { windowValues } from './windows.ts'

export type PointsCondition = Extract<ParsedCondition, { kind: 'points' }>

export interface PointsNeeds {
  readonly clock: Clock
  readonly log: { error(facts: object, message: string): void }
  series(): Promise<Series>
  sourceExists(id: string): Promise<boolean>
}

/** Sources that are asked at once. */
const SOURCES_AT_ONCE = 4
/** So many sources that fail, and none that answers, are taken for the engine: the others are not asked. */
const ENOUGH_FAILED = 4

/** What all conditions about points say at one time; those that read the same share one query. */
export async function readPoints(
  needs: PointsNeeds,
  conditions: readonly PointsCondition[],
  nowMs: number,
  signal: AbortSignal
): Promise<Map<PointsCondition, Found>> {
  const found = new Map<PointsCondition, Found>()
  const sources = [...Map.groupBy(conditions, ({ sourceId }) => sourceId)]
  let failed: Failure[] = []
  let isAnyAnswered = false
  const work = async () => {
    for (let next = sources.pop(); next !== undefined; next = sources.pop()) {
      const [sourceId, ofSource] = next
      const known = !isAnyAnswered && failed.length >= ENOUGH_FAILED ? failed[0] : undefined
      const failure = known ?? (await readSource(needs, sourceId, ofSource, nowMs, signal, found))
      if (failure === undefined) [isAnyAnswered, failed] = [true, []]
      else {
        failed.push(failure)
        for (const condition of ofSource) if (!found.has(condition)) found.set(condition, failure)
      }
    }
  }
  await Promise.all(Array.from({ length: SOURCES_AT_ONCE }, work))
  return found
}

/** The conditions about one source; after the first question that fails no other is asked. */
async function readSource(
  needs: PointsNeeds,
  sourceId: string,
  conditions: readonly PointsCondition[],
  nowMs: number,
  signal: AbortSignal,
  found: Map<PointsCondition, Found>
): Promise<Failure | undefined> {
  const subject = `source ${sourceId}`
  if (!(await needs.sourceExists(sourceId))) {
    return { error: `There is no source ${sourceId} any more.`, cause: `${subject}: not_found` }
  }
  const groups = Map.groupBy(conditions, ({ windowMs, function: name }) => `${name} ${windowMs}`)
  for (const group of groups.values()) {
    const failure = await readGroup(needs, subject, group, nowMs, signal, found)
    if (failure !== undefined) return failure
  }
  return undefined
}

async function readGroup(
  needs: PointsNeeds,
  subject: string,
  group: readonly PointsCondition[],
  nowMs: number,
  signal: AbortSignal,
  found: Map<PointsCondition, Found>
): Promise<Failure | undefined> {
  const { sourceId, windowMs, function: name } = group[0] as PointsCondition
  const answer = await asked(needs, subject, signal, (limited) =>
    withSeries(async () => {
      const series = await needs.series()
      const named = new Map<PointsCondition, readonly string[] | Failure>()
      for (const condition of group) named.set(condition, await tagsOf(series, condition))
      const tags = new Set([...named.values()].flatMap((one) => ('error' in one ? [] : one)))
      const values = await windowValues(series, { sourceId, windowMs, function: name, tags: [...tags] }, nowMs, limited)
      return { named, values }
    })
  )
  if ('error' in answer) return answer
  for (const condition of group) {
    const tags = answer.named.get(condition) as readonly string[] | Failure
    found.set(condition, 'error' in tags ? tags : readingsOf(condition, tags, answer.values))
  }
  return undefined
}

export async function tagsOf(
  series: Pick<Series, 'tags'>,
  { sourceId, tag, function: name }: PointsCondition
): Promise<readonly string[] | Failure> {
  if (!isPattern(tag)) return [tag]
  // Texts can only be counted: those among the tags of a pattern must not keep the others from being watched.
  const tags = await matchingTags(
    series,
    sourceId,
    tag,
    MAX_INSTANCES,
    ({ type }) => type !== 'string' || name === 'count'
  )
  return tags ?? tooMany(`tags like ${tag}`)
}

function readingsOf(
  condition: PointsCondition,
  tags: readonly string[],
  values: ReadonlyMap<string, number | Failure | undefined>
): Found {
  const readings: LabelledReading[] = []
  for (const tag of tags) {
    const value = values.get(tag)
    if (typeof value === 'object') return value
    readings.push({
      labels: labelsOf(condition.sourceId, tag),
      reading:
        value === undefined ? nothing(condition.function) : { kind: 'value', value, isMet: isMet(condition, value) },
      threshold: condition.threshold
    })
  }
  return { readings, unmentioned: 'vanished' }

  /** No points are no data, but their number is known: there are none. */
  function nothing(name: WindowFunction): LabelledReading['reading'] {
    return name === 'count' ? { kind: 'value', value: 0, isMet: isMet(condition, 0) } : { kind: 'noData' }
  }
}

/** The labels of a tag, and where it comes from. */
export function labelsOf(sourceId: string, tag: string): Labels {
  return { ...readTagName(tag).labels, source: sourceId, tag }
}
