import { watchCaller } from '../../../http/caller.ts'
import { type Route, read } from '../../../http/route.ts'
import { Preview, PreviewRequest } from './schema.ts'
import type { Previews } from './service.ts'

export function previewRoutes(previews: Previews): Route[] {
  return [
    read(
      {
        method: 'POST',
        path: '/alerts/rules/preview',
        operationId: 'previewAlertRule',
        summary: 'Tell when a rule would have fired',
        description:
          'Nothing is kept. Of points it is the last week if not said otherwise, in at most 2,000 evaluations; `notes` say where it differs from what the rule would have done.',
        permission: 'alerts:write',
        body: PreviewRequest,
        answer: Preview,
        errors: ['unprocessable', 'above_clearance']
      },
      async ({ actor, body, raw }) => {
        const caller = watchCaller(raw)
        try {
          return await previews.preview(actor, body, caller.signal)
        } finally {
          caller.release()
        }
      }
    )
  ]
}
