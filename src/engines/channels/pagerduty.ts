import { createHash } from 'node:crypto'
import type { ChannelType } from './channel-type.ts'
import { urlFaults } from './checks.ts'
import { PAGERDUTY_URL, type PagerdutyConfig } from './configs.ts'
import { fitting } from './fitting.ts'
import { labelText, type Message } from './message.ts'
import { post } from './post.ts'
import { cut } from './text.ts'

/** PagerDuty takes 512 KB. */
const MAX_BODY_BYTES = 500_000
const MAX_SUMMARY = 1024

const ACTIONS: Readonly<Record<Message['kind'], 'trigger' | 'acknowledge' | 'resolve'>> = {
  firing: 'trigger',
  escalation: 'trigger',
  test: 'trigger',
  acknowledged: 'acknowledge',
  resolved: 'resolve'
}

/** Events API v2: one incident for each group. */
export const pagerduty: ChannelType<PagerdutyConfig> = {
  check({ routingKey, url = PAGERDUTY_URL }) {
    const isKey = /^[A-Za-z0-9]{32}$/.test(routingKey)
    const message = 'must be the integration key of an Events API v2 integration: 32 letters and digits'
    return [...urlFaults(url), ...(isKey ? [] : [{ pointer: '/routingKey', message }])]
  },

  async send(sending) {
    const { config, message } = sending
    const body = fitting(message, MAX_BODY_BYTES, (fitted) => bodyOf(fitted, config.routingKey))
    return post(sending, { url: config.url ?? PAGERDUTY_URL, body })
  }
}

function bodyOf(message: Message, routingKey: string): object {
  const { kind, groupKey, groupLabels, title, text, severity, link, alerts, more } = message
  const startedAt = alerts[0]?.startedAt
  return {
    routing_key: routingKey,
    event_action: ACTIONS[kind],
    // At most 255 characters: a group key may be longer, its hash never is.
    dedup_key: createHash('sha256').update(groupKey).digest('hex'),
    client: 'Millrace',
    ...(link === null ? {} : { client_url: link, links: [{ href: link, text: 'Open' }] }),
    payload: {
      summary: cut(title, MAX_SUMMARY),
      source: labelText(groupLabels) || 'Millrace',
      severity,
      ...(startedAt === undefined ? {} : { timestamp: startedAt }),
      custom_details: { text, labels: groupLabels, more, alerts: alerts.map(({ lastValues: _, ...alert }) => alert) }
    }
  }
}
