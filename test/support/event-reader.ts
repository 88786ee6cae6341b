import assert from 'node:assert/strict'
import { type IncomingMessage, request } from 'node:http'

export interface ReadEvent {
  readonly id: string | undefined
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events freely
  readonly data: any
}

export interface EventReader {
  readonly status: number
  readonly contentType: string | undefined
  /** How many comments came between events so far. */
  readonly comments: number
  /** The next event; undefined at the end of the stream. */
  next(): Promise<ReadEvent | undefined>
  /** Closes the connection. */
  leave(): void
}

/** Reads server-sent events as a browser would, one at a time. */
export async function readEvents(url: string, headers: Record<string, string>): Promise<EventReader> {
  const asked = request(url, { headers, agent: false }).end()
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve).once('error', reject)
  })
  response.setEncoding('utf8')
  response.on('error', () => {})
  let comments = 0
  const frames = framesOf(response)
  return {
    status: response.statusCode as number,
    contentType: response.headers['content-type'],
    get comments() {
      return comments
    },
    async next() {
      for (let { done, value } = await frames.next(); !done; { done, value } = await frames.next()) {
        if (value?.startsWith(':')) comments += 1
        else return toEvent(value as string)
      }
      return undefined
    },
    leave: () => void asked.destroy()
  }
}

async function* framesOf(response: IncomingMessage): AsyncGenerator<string> {
  let text = ''
  try {
    for await (const piece of response) {
      const frames = (text + piece).split('\n\n')
      text = frames.pop() as string
      yield* frames
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
  }
}

function toEvent(frame: string): ReadEvent {
  const fields = new Map(
    frame.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
  )
  const data = fields.get('data')
  assert.ok(data !== undefined, `no data in ${frame}`)
  return { id: fields.get('id'), event: fields.get('event') ?? 'message', data: JSON.parse(data) }
}
