import { type Route, read, StreamAnswer } from '../../../http/route.ts'
import { EVENT_STREAM, type EventStreams } from '../../../http/server-sent-events.ts'
import { Type } from '../../../http/type.ts'
import { chosenFromText } from '../data/chosen-text.ts'
import { LiveQuery, type PanelDataRequest } from '../data/schema.ts'
import { DashboardParams } from '../schema.ts'
import type { Live } from './live.ts'

export function liveRoutes(live: Live, streams: EventStreams): Route[] {
  return [
    read(
      {
        path: '/dashboards/:id/live',
        operationId: 'followDashboard',
        summary: 'Follow the data of a dashboard',
        description:
          'Server-sent events. `event: panel`, with the data of a panel as `data`: of every panel at first, then of those whose data have changed, looked at as often as `refreshSeconds` of the panel, else of the dashboard, says. `event: changed` says that the dashboard was changed, `event: gone` that it is gone or may not be seen any more; both are the last. So is `event: ended`, whose `data` have a `code` and a `detail`: the caller may no longer follow, because the token has ended, the user was disabled or the right was taken away. Rights are looked at with every refresh. A comment comes every 15 seconds.',
        permission: 'dashboards:read',
        params: DashboardParams,
        query: LiveQuery,
        answer: Type.String({ description: 'Events' }),
        produces: EVENT_STREAM,
        errors: ['not_found', 'overloaded', 'too_many_at_once']
      },
      async (asker) => {
        const { actor, params, query, method, raw } = asker
        const { panels, variables, ...rest } = query
        const request = { ...rest, variables: chosenFromText(variables) } as PanelDataRequest
        const followed = { id: params.id, panels: panels?.split(','), request }
        await live.require(actor, followed)
        if (method === 'HEAD') return new StreamAnswer(EVENT_STREAM, none())
        return streams.open(raw, actor.id, (signal) => live.follow(asker, followed, signal))
      }
    )
  ]
}

async function* none(): AsyncGenerator<string> {}
