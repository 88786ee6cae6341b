import type { AnswerFormat } from '../../engines/series/index.ts'
import type { Caller } from '../../http/caller.ts'
import { BytesAnswer, StreamAnswer } from '../../http/route.ts'

const ARROW_TYPE = 'application/vnd.apache.arrow.stream'
export const ANSWER_TYPES = ['application/json', 'text/csv', ARROW_TYPE] as const
export type AnswerType = (typeof ANSWER_TYPES)[number]

export const FORMATS: Readonly<Record<AnswerType, AnswerFormat>> = {
  'application/json': 'json',
  'text/csv': 'csv',
  [ARROW_TYPE]: 'arrow'
}

/** Sends an answer that ends with its first piece as a whole, as most do, and streams all others. */
export async function streamAnswer(
  type: AnswerType,
  body: AsyncIterable<Uint8Array>,
  caller: Caller
): Promise<BytesAnswer | StreamAnswer> {
  const contentType = type === ARROW_TYPE ? type : `${type}; charset=utf-8`
  const pieces = body[Symbol.asyncIterator]()
  const first = await pieces.next()
  const second = first.done ? first : await pieces.next()
  if (!second.done) return new StreamAnswer(contentType, inOrder([first.value, second.value], pieces, caller))
  caller.release()
  const content = first.done ? Buffer.alloc(0) : bufferOf(first.value)
  return new BytesAnswer(200, { 'content-type': contentType, 'content-length': String(content.length) }, content)
}

async function* inOrder(
  begun: readonly Uint8Array[],
  pieces: AsyncIterator<Uint8Array>,
  caller: Caller
): AsyncGenerator<Buffer> {
  try {
    for (const piece of begun) yield bufferOf(piece)
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield bufferOf(next.value)
  } finally {
    caller.release()
    await pieces.return?.()
  }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
}
