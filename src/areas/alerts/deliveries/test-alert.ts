import { newAlert } from '../history/new-alert.ts'

/** An alert that never was, to see what a message looks like and whether it arrives. */
export const testAlert = (startedAt: string) =>
  newAlert({
    id: 'alt_test',
    rule_id: 'alr_test',
    rule_name: 'Test of this channel',
    labels: JSON.stringify({ site: 'example' }),
    annotations: JSON.stringify({ summary: 'Nothing is wrong: somebody tries whether messages arrive here' }),
    severity: 'info',
    value: '91.5',
    threshold: '80',
    operator: '>',
    cause: null,
    started_at: startedAt
  })
