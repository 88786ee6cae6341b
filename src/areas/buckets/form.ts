import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { invalidField, Problem } from './errors.ts'
import { orBroken } from './incoming.ts'

const MAX_FIELD_BYTES = 4096
/** Far more than the headers of the parts, the key and the boundaries can take. */
const MAX_BYTES_BESIDE_FILE = 256 * 1024

/** Accepted values of `Content-Transfer-Encoding`: others would have to be decoded. */
const PLAIN = new Set(['7bit', '8bit', 'binary'])

/** The file of a form, as it arrives. */
export interface FormFile {
  /** The file name that the sender gives, without folders; empty where there is none. */
  readonly fileName: string
  readonly contentType: string
  /** The `key` of the form, where it stood before the file. */
  readonly key: string | undefined
  /** Ends when the whole form has been read and found right. */
  readonly content: AsyncIterable<Uint8Array>
  /** The `key`, wherever it stood; to be called once the content was read. */
  finalKey(): string | undefined
}

/** Reads a form with one part `file` and optionally one `key`, in any order; resolves at the beginning of the file. */
export async function readForm(raw: IncomingMessage): Promise<FormFile> {
  // A sender that has already hung up would be waited for without end, since the request has no more events.
  if (raw.destroyed && !raw.complete) throw new Problem('body_incomplete')
  let parser: BusboyInstance
  try {
    parser = new Busboy({
      headers: raw.headers as { 'content-type': string },
      limits: { fields: 2, files: 2, parts: 4, fieldSize: MAX_FIELD_BYTES, fieldNameSize: 100, headerPairs: 20 }
    })
  } catch (error) {
    throw malformed('Send the body as multipart/form-data with a boundary.', error)
  }
  let key: string | undefined
  let file: Readable | undefined
  let withinFile = false
  let bytesBeside = 0
  const ended = Promise.withResolvers<void>()
  ended.promise.catch(() => {}) // the reader of the content gets the error, if there is one
  const found = Promise.withResolvers<FormFile>()
  const fail = (error: unknown) => {
    const fault = error instanceof Problem ? error : malformed(undefined, error)
    found.reject(fault)
    ended.reject(fault)
    file?.destroy(fault)
    raw.unpipe(parser)
    raw.resume()
  }
  parser.on('field', (name, value, nameCut, valueCut) => {
    if (name === 'file') return fail(invalidField('/file', 'must be a file, sent with a file name'))
    if (nameCut || name !== 'key') return fail(invalidField(`/${name.slice(0, 100)}`, 'is not a field of this form'))
    if (valueCut) return fail(invalidField('/key', 'must have at most 1024 bytes in UTF-8'))
    if (key !== undefined) return fail(invalidField('/key', 'must be there once'))
    key = value
  })
  parser.on('file', (name, content, fileName, encoding, contentType) => {
    content.on('error', fail)
    if (!PLAIN.has(encoding.toLowerCase())) {
      content.resume()
      return fail(invalidField('/file', 'must be sent as it is, without a Content-Transfer-Encoding'))
    }
    if (name !== 'file' || file !== undefined) {
      content.resume()
      return fail(
        invalidField(
          `/${String(name).slice(0, 100)}`,
          file !== undefined ? 'must be the only file' : 'is not a field of this form'
        )
      )
    }
    file = content
    withinFile = true
    content.once('end', () => {
      withinFile = false
    })
    const whole = orBroken(wholeContent(content, ended.promise))
    found.resolve({ fileName: baseName(fileName ?? ''), contentType, key, content: whole, finalKey: () => key })
  })
  parser.on('finish', () => {
    if (file === undefined) return fail(invalidField('/file', 'is required'))
    ended.resolve()
  })
  parser.on('error', fail)
  raw.once('close', () => {
    if (!raw.complete) fail(new Problem('body_incomplete'))
  })
  raw.on('data', (chunk: Buffer) => {
    if (!withinFile) bytesBeside += chunk.length
    if (bytesBeside > MAX_BYTES_BESIDE_FILE) fail(new Problem('malformed_form'))
  })
  raw.pipe(parser)
  return found.promise
}

async function* wholeContent(content: Readable, ended: Promise<void>): AsyncGenerator<Uint8Array> {
  yield* content
  await ended
}

/** Some senders put the whole path of the file into its name. */
function baseName(fileName: string): string {
  return fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1)
}

function malformed(detail: string | undefined, cause: unknown): Problem {
  return new Problem('malformed_form', { ...(detail !== undefined && { detail }), cause })
}
