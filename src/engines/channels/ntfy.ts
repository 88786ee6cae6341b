import type { ChannelType, ConfigFault } from './channel-type.ts'
import { urlFaults } from './checks.ts'
import { NTFY_URL, type NtfyConfig } from './configs.ts'
import type { Message, Severity } from './message.ts'
import { post } from './post.ts'
import { cutBytes } from './text.ts'

/** What is longer becomes a file that is attached. */
const MAX_TEXT_BYTES = 4000

const PRIORITIES: Readonly<Record<Severity, number>> = { info: 2, warning: 3, error: 4, critical: 5 }

export const ntfy: ChannelType<NtfyConfig> = {
  check({ url = NTFY_URL, topic, token }) {
    const faults = urlFaults(url)
    if (faults.length === 0 && new URL(url).pathname !== '/') {
      faults.push({ pointer: '/url', message: 'must be the address of the server alone; the topic goes into topic' })
    }
    if (!/^[\w-]{1,64}$/.test(topic)) faults.push({ pointer: '/topic', message: 'must be 1 to 64 of A–Z a–z 0–9 _ -' })
    return [...faults, ...tokenFaults(token)]
  },

  send(sending) {
    const { url = NTFY_URL, topic, token } = sending.config
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    return post(sending, { url, headers, body: JSON.stringify(bodyOf(sending.message, topic)) })
  }
}

function tokenFaults(token: string | undefined): ConfigFault[] {
  const isToken = token === undefined || /^[\x21-\x7e]+$/.test(token)
  return isToken ? [] : [{ pointer: '/token', message: 'must be an access token, without spaces' }]
}

function bodyOf({ kind, severity, title, text, link }: Message, topic: string): object {
  const isOver = kind === 'resolved'
  return {
    topic,
    title,
    message: cutBytes(text.trim(), MAX_TEXT_BYTES) || title,
    priority: isOver ? 3 : PRIORITIES[severity],
    tags: [isOver ? 'white_check_mark' : 'rotating_light', severity],
    ...(link === null ? {} : { click: link })
  }
}
