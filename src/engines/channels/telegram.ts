import type { ChannelType, Sent } from './channel-type.ts'
import { urlFaults } from './checks.ts'
import { TELEGRAM_URL, type TelegramConfig } from './configs.ts'
import type { Message } from './message.ts'
import { type Judge, post, waiting } from './post.ts'
import { cutEscaped, escapeHtml } from './text.ts'

const MAX_MESSAGE = 4096

/** A message of a bot. Its token is part of the address, so that is never told. */
export const telegram: ChannelType<TelegramConfig> = {
  check({ token, chatId, url = TELEGRAM_URL }) {
    const faults = urlFaults(url)
    if (!/^\d{1,20}:[\w-]{10,100}$/.test(token)) {
      faults.push({ pointer: '/token', message: 'must be the token of a bot: a number, a colon, letters and digits' })
    }
    if (!/^(-?\d{1,20}|@\w{4,64})$/.test(chatId)) {
      faults.push({ pointer: '/chatId', message: 'must be the number of a chat, or the @name of a public one' })
    }
    return faults
  },

  send(sending) {
    const { token, chatId, url = TELEGRAM_URL } = sending.config
    const body = {
      chat_id: chatId,
      text: htmlOf(sending.message),
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true }
    }
    const address = `${url.replace(/\/+$/, '')}/bot${token}/sendMessage`
    return post(sending, { url: address, body: JSON.stringify(body) }, saysOk)
  }
}

function htmlOf({ title, text, link }: Message): string {
  const heading = `<b>${cutEscaped(title, 1000, escapeHtml)}</b>`
  const ending = link === null ? '' : `\n<a href="${escapeHtml(link)}">Open</a>`
  const bare = ending.length > MAX_MESSAGE / 2 ? '' : ending
  const room = MAX_MESSAGE - heading.length - bare.length - 1
  return `${heading}\n${cutEscaped(text.trim(), room, escapeHtml)}${bare}`
}

/** Says in the body, and not in a header, how long to wait. */
const saysOk: Judge = (sent, { text, isWhole }) => {
  const answer = parsed(text)
  if (sent.code === 'rate_limited') return { ...sent, ...waiting(Number(answer?.parameters?.retry_after) * 1000) }
  if (sent.outcome !== 'sent' || answer?.ok === true || !isWhole) return sent
  return { ...sent, outcome: 'refused', code: 'unexpected_answer' } satisfies Sent
}

interface TelegramAnswer {
  readonly ok?: unknown
  readonly parameters?: { readonly retry_after?: unknown }
}

function parsed(text: string): TelegramAnswer | null {
  try {
    return JSON.parse(text) as TelegramAnswer | null
  } catch {
    return null
  }
}
