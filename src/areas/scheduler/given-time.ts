import { Timestamp } from '../../http/schemas.ts'

/** A time in a body: one without a zone could be meant in that of the schedule, or in UTC. */
export const GivenTime = (description: string) => ({
  ...Timestamp(description),
  'x-expected': 'a time with its zone, such as 2026-03-02T04:00:00Z or 2026-03-02T05:00:00+01:00'
})
