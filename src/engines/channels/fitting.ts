import { type Message, withAlerts } from './message.ts'

/** The body of a message within a limit: alerts are left out from the end, and counted, until it fits. */
export function fitting(message: Message, maxBytes: number, bodyOf: (message: Message) => object): string {
  let left = message
  for (;;) {
    const body = JSON.stringify(bodyOf(left))
    if (Buffer.byteLength(body) <= maxBytes || left.alerts.length === 0) return body
    left = withAlerts(left, Math.floor(left.alerts.length / 2))
  }
}
