import type { ChannelType } from './channel-type.ts'
import { urlFaults } from './checks.ts'
import type { TeamsConfig } from './configs.ts'
import type { Message, Severity } from './message.ts'
import { post } from './post.ts'
import { cutBytes } from './text.ts'

/** Teams takes 28 KB; JSON may make two bytes of one, and the card itself has some. */
const MAX_TEXT_BYTES = 12 * 1024

const COLORS: Readonly<Record<Severity, string>> = {
  info: 'Accent',
  warning: 'Warning',
  error: 'Attention',
  critical: 'Attention'
}

/** The webhook of a workflow, which takes Adaptive Cards. */
export const teams: ChannelType<TeamsConfig> = {
  check: ({ url }) => urlFaults(url),
  send: (sending) => post(sending, { url: sending.config.url, body: JSON.stringify(bodyOf(sending.message)) })
}

function bodyOf({ kind, severity, title, text, link }: Message): object {
  const color = kind === 'resolved' ? 'Good' : COLORS[severity]
  const lines = cutBytes(text, MAX_TEXT_BYTES).trim()
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [richText(title, { weight: 'Bolder', size: 'Medium', color }), ...(lines === '' ? [] : [richText(lines)])],
    ...(link === null ? {} : { actions: [{ type: 'Action.OpenUrl', title: 'Open', url: link }] })
  }
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }]
  }
}

/** Runs of text are shown as they are; other blocks read Markdown, with which a label could make a link. */
const richText = (text: string, style: object = {}) => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text, ...style }]
})
