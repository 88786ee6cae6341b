import type { ChannelType } from './channel-type.ts'
import { urlFaults } from './checks.ts'
import type { SlackConfig } from './configs.ts'
import type { Message } from './message.ts'
import { type Judge, post } from './post.ts'
import { cutEscaped, lengthWithin } from './text.ts'

/** Slack takes sections of 3000 characters. */
const MAX_SECTION = 3000
const MAX_SECTIONS = 6

/** An incoming webhook. */
export const slack: ChannelType<SlackConfig> = {
  check: ({ url }) => urlFaults(url),
  send: (sending) => post(sending, { url: sending.config.url, body: JSON.stringify(bodyOf(sending.message)) }, saysOk)
}

/** Whatever is not Slack, but answers, says something else than this. */
const saysOk: Judge = (sent, { text, isWhole }) =>
  sent.outcome !== 'sent' || text.trim() === 'ok' || !isWhole
    ? sent
    : { ...sent, outcome: 'refused', code: 'unexpected_answer' }

function bodyOf(message: Message): object {
  const sections = [`*${escapeSlack(message.title)}*`, ...sectionsOf(message)]
  return {
    // What notifications on a phone show.
    text: cutEscaped(message.title, MAX_SECTION, escapeSlack),
    unfurl_links: false,
    blocks: [...sections.map(section), ...button(message.link)]
  }
}

/** As it is: nothing in it is made a link, a mention or a channel. */
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } })

function sectionsOf({ text }: Message): string[] {
  const sections: string[] = []
  let rest = text.trim()
  while (rest !== '' && sections.length < MAX_SECTIONS - 1) {
    const part = linesWithin(rest)
    sections.push(escapeSlack(part))
    rest = rest.slice(part.length).trim()
  }
  return rest === '' ? sections : [...sections, cutEscaped(rest, MAX_SECTION, escapeSlack)]
}

/** As much as one section takes, in whole lines if there are any. */
function linesWithin(text: string): string {
  const length = lengthWithin(text, MAX_SECTION, escapeSlack)
  const end = length === text.length ? length : text.lastIndexOf('\n', length)
  return text.slice(0, end > 0 ? end : length)
}

const button = (link: string | null) =>
  link === null
    ? []
    : [{ type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open' }, url: link }] }]

/** The three characters that Slack reads: `<!channel>` would call everybody. */
const escapeSlack = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
