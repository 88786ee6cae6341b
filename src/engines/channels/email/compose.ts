import { createHash } from 'node:crypto'
import type { EmailConfig } from '../configs.ts'
import type { Message } from '../message.ts'
import { chart } from './chart.ts'
import { htmlOf } from './html.ts'

/** A mail is to be read on a phone: the others are in the platform. */
const MAX_CHARTS = 5

interface Sources {
  readonly config: EmailConfig
  readonly message: Message
  readonly idempotencyKey: string
  readonly nowMs: number
}

/**
 * The mail, in bytes. Its Message-ID follows from the key, so that servers and clients know one that comes twice; all
 * of a group refer to a mail that was never sent, so that clients show them as one thread from the first on.
 */
export async function compose({ config, message, idempotencyKey, nowMs }: Sources): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const domain = config.from.slice(config.from.lastIndexOf('@') + 1)
  const thread = `<group.${hash(message.groupKey)}@${domain}>`
  const pictures = picturesOf(message)
  const names = new Map([...pictures.keys()].map((i) => [i, `chart-${i}@${domain}`]))
  const mail = new MailComposer({
    from: config.from,
    to: [...config.to],
    subject: await subjectOf(message.title),
    messageId: `<${hash(idempotencyKey)}@${domain}>`,
    inReplyTo: thread,
    references: thread,
    date: new Date(nowMs),
    // Keeps answering machines from answering.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    ...(message.severity === 'critical' && message.kind !== 'resolved' ? { priority: 'high' as const } : {}),
    text: textOf(message),
    html: htmlOf(message, names),
    attachments: [...pictures].map(([i, content]) => ({
      filename: `chart-${i + 1}.png`,
      content,
      contentType: 'image/png',
      cid: names.get(i)
    })),
    disableFileAccess: true,
    disableUrlAccess: true
  })
  return mail.compile().build()
}

/** Text that looks like an encoded word is one to the reader, who would see something else: it is encoded itself. */
async function subjectOf(title: string): Promise<string> {
  if (!title.includes('=?')) return title
  const { encodeWord } = await import('nodemailer/lib/mime-funcs')
  return encodeWord(title, 'B', 52)
}

function picturesOf({ alerts }: Message): Map<number, Buffer> {
  const pictures = new Map<number, Buffer>()
  for (const [i, { lastValues = [], threshold }] of alerts.entries()) {
    const picture = pictures.size < MAX_CHARTS ? chart(lastValues, threshold) : undefined
    if (picture !== undefined) pictures.set(i, picture)
  }
  return pictures
}

function textOf({ title, text, link, more }: Message): string {
  const parts = [title, text.trim(), more === 0 ? '' : `and ${more} more`, link ?? '']
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)
