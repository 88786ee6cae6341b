import { Params } from '../../../http/params.ts'
import { Closed, Name, OneOf } from '../../../http/schemas.ts'
import { DURATION_FORM, MAX_DURATION_CHARS } from '../../../http/times.ts'
import { type Static, Type } from '../../../http/type.ts'
import { RuleFields } from '../../alerts/index.ts'

const { description, for: pending, severity, channels, intervalSeconds, labels, annotations, enabled } = RuleFields

export const PanelAlert = Closed(
  {
    name: Type.Optional(Name('Of the rule; the names of dashboard and panel if not said')),
    threshold: Type.Optional(
      Type.Number({ minimum: -1e300, maximum: 1e300, description: 'Where the panel turns red if not said' })
    ),
    operator: Type.Optional(OneOf(['>', '>=', '<', '<=', '==', '!='], '`>=` if not said')),
    window: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_DURATION_CHARS,
        description: `Of points: how far it looks back, ${DURATION_FORM}; the buckets of the panel if not said, or 5m`
      })
    ),
    description,
    for: pending,
    severity,
    channels,
    intervalSeconds,
    labels,
    annotations,
    enabled
  },
  { $id: 'DashboardPanelAlert' }
)
export type PanelAlert = Static<typeof PanelAlert>

export const PanelParams = Params('dashboard', 'id', {
  id: Type.String({ maxLength: 64 }),
  panelId: Type.String({ maxLength: 40 })
})
