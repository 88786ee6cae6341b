import { type Static, Type } from '../../../http/type.ts'

export const EVENTS = {
  description: 'An OpenLineage event, an array of events, or with `application/x-ndjson` one event a line',
  oneOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }]
}

const EventError = Type.Object({
  position: Type.Integer({ minimum: 0, description: 'Of the event among those that were sent, from 0 on' }),
  code: Type.String({ description: '`invalid_event`' }),
  pointer: Type.String({ description: 'JSON pointer into the event' }),
  message: Type.String({ description: 'What is wrong with it' })
})

const EventWarning = Type.Object({
  position: EventError.properties.position,
  message: Type.String({
    description: 'What of the SQL of the event is not understood, or of its columns not taken in; the event was'
  })
})

export const EventResult = Type.Object(
  {
    accepted: Type.Integer({ minimum: 0, description: 'Events that were taken in' }),
    rejected: Type.Integer({ minimum: 0, description: 'Events that were not' }),
    errors: Type.Array(EventError, { description: 'Why not, for the first 100' }),
    warnings: Type.Array(EventWarning, {
      description: 'What SQL did not tell, and columns that were not taken in, the first 100 of it'
    })
  },
  { $id: 'LineageEventResult' }
)
export type EventResult = Static<typeof EventResult>
