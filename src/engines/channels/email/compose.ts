import { createHash } from 'node:crypto'
import type { ChartPictures } from '../charts.ts'
import type { EmailConfig } from '../configs.ts'
import type { Message } from '../message.ts'
import { htmlOf } from './html.ts'

interface Sources {
  readonly config: EmailConfig
  readonly message: Message
  readonly idempotencyKey: string
  readonly nowMs: number
  readonly charts: ChartPictures
}

/**
 * The mail, in bytes. Its Message-ID follows from the key, so that servers and clients know one that comes twice; all
 * of a group refer to a mail that was never sent, so that clients show them as one thread from the first on.
 */
export async function compose({ config, message, idempotencyKey, nowMs, charts }: Sources): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const domain = config.from.slice(config.from.lastIndexOf('@') + 1)
  const thread = `<group.${hash(message.groupKey)}@${domain}>`
  const names = new Map([...charts.keys()].map((i) => [i, `chart-${i}@${domain}`]))
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
    attachments: [...charts].map(([i, content]) => ({
      filename: `chart-${i + 1}.png`,
      content,
      contentType: 'image/png',
      // Shown where the page names it, and not once more below it.
      contentDisposition: 'inline' as const,
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

function textOf({ title, text, link, more }: Message): string {
  const parts = [title, text.trim(), more === 0 ? '' : `and ${more} more`, link ?? '']
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)
