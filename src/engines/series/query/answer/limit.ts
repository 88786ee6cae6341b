import { SeriesError } from '../../errors.ts'
import { countBuckets, planOf } from '../buckets.ts'
import type { Query } from '../plan.ts'

/**
 * Refuses a query whose answer will have too many points, as far as that is known before anything is read: where
 * every bucket of every tag gets a row. `tagCount` counts tags that the source has.
 */
export function refuseTooMany(query: Query, tagCount: number): void {
  const plan = planOf(query)
  if (plan === undefined || query.fill === 'none') return
  const points = countBuckets(plan, query.fromNs, query.toNs) * tagCount
  if (points > query.limitPoints) throw tooManyPoints(points, query.limitPoints)
}

export function tooManyPoints(points: number, limit: number): SeriesError {
  const message = `The answer has ${points} points or more, and may have ${limit}`
  return new SeriesError('too_many_points', message, { points, limit })
}
