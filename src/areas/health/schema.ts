import { OneOf, Timestamp } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'

const Status = OneOf(['ok', 'degraded', 'down'], 'All is well; some of it is not; it can’t work')

const Check = Type.Object({
  status: Status,
  ms: Type.Number({ description: 'How long the check took' }),
  message: Type.Optional(Type.String({ description: 'What is wrong' })),
  since: Type.Optional(Timestamp('Since when it is not ok, as far as somebody has looked'))
})
export type Check = Static<typeof Check>

export const Health = Type.Object(
  {
    status: Status,
    version: Type.String(),
    uptime: Type.Number({ description: 'Seconds since the process started' }),
    checks: Type.Object({}, { additionalProperties: Check, description: 'Each engine on its own' })
  },
  {
    $id: 'Health',
    examples: [{ status: 'ok', version: '0.3.0', uptime: 12.5, checks: { metadata: { status: 'ok', ms: 0.1 } } }]
  }
)
export type Health = Static<typeof Health>

export const Probe = Type.Object({ status: Status }, { $id: 'Probe', examples: [{ status: 'ok' }] })
