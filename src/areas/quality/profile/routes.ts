import { watchCaller } from '../../../http/caller.ts'
import { type Route, read } from '../../../http/route.ts'
import { Profile, ProfileOrder } from './schema.ts'
import type { Profiles } from './service.ts'

export function profileRoutes(profiles: Profiles): Route[] {
  return [
    read(
      {
        method: 'POST',
        path: '/quality/profile',
        operationId: 'profileQuality',
        summary: 'Tell what the columns of a dataset look like, and suggest rules for them',
        description:
          'Nothing is kept. Counts, extremes, means and lengths are of all rows; quantiles, histograms, frequent values and patterns of rows drawn at random, up to 20,000, which `drawn` tells. It takes the right to read the data; of columns that are confidential there are counts alone.',
        permission: 'quality:write',
        body: ProfileOrder,
        answer: Profile,
        errors: [
          'query_timeout',
          'overloaded',
          'store_failed',
          'dependency_unavailable',
          'unprocessable',
          'series_url_missing',
          'shutting_down',
          'run_cancelled'
        ]
      },
      async ({ actor, body, raw }) => {
        const caller = watchCaller(raw)
        try {
          return await profiles.profile(actor, body, caller.signal)
        } finally {
          caller.release()
        }
      }
    )
  ]
}
