import { watchCaller } from '../../../http/caller.ts'
import { type Route, read, StatusAnswer } from '../../../http/route.ts'
import { DashboardData, DashboardDataRequest } from '../data/schema.ts'
import { embeddingHeaders } from './embedding.ts'
import { SharedDashboard, TokenParams, TokenQuery, UnlockBody, Unlocked } from './schema.ts'
import type { ShareDoor } from './opening.ts'
import type { Showing } from './showing.ts'

const REFUSALS = [
  'share_not_found',
  'share_revoked',
  'share_expired',
  'share_maker_gone',
  'share_locked',
  'share_password_needed',
  'share_above_level',
  'share_variable_fixed',
  'share_busy',
  'rate_limited'
] as const

/** What whoever has a link can ask: these and nothing else. */
export function sharedRoutes(showing: Showing, door: ShareDoor): Route[] {
  return [
    read(
      {
        path: '/dashboards/shared/:token',
        operationId: 'getSharedDashboard',
        summary: 'Get the dashboard behind a link',
        description: 'Counts as a view. Nothing of where its data lie is told.',
        permission: 'public',
        params: TokenParams,
        query: TokenQuery,
        answer: SharedDashboard,
        errors: [...REFUSALS]
      },
      async ({ params, query, ip, headers }) => {
        const { answer, opened } = await showing.dashboard(params.token, query.access, ip)
        return new StatusAnswer(200, answer, embeddingHeaders(opened.row, headers.origin))
      }
    ),
    read(
      {
        method: 'POST',
        path: '/dashboards/shared/:token/data',
        operationId: 'getSharedDashboardData',
        summary: 'Get the data of panels behind a link',
        permission: 'public',
        params: TokenParams,
        query: TokenQuery,
        body: DashboardDataRequest,
        answer: DashboardData,
        errors: [...REFUSALS]
      },
      async ({ params, query, body, raw, headers }) => {
        const caller = watchCaller(raw)
        try {
          const { panels, opened } = await showing.data(params.token, query.access, body, caller.signal)
          return new StatusAnswer(200, { panels }, embeddingHeaders(opened.row, headers.origin))
        } finally {
          caller.release()
        }
      }
    ),
    read(
      {
        method: 'POST',
        path: '/dashboards/shared/:token/unlock',
        operationId: 'unlockSharedDashboard',
        summary: 'Send the password of a link',
        permission: 'public',
        params: TokenParams,
        body: UnlockBody,
        answer: Unlocked,
        errors: [...REFUSALS, 'share_password_wrong']
      },
      ({ params, body }) => door.unlock(params.token, body.password)
    )
  ]
}
