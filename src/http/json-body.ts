import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../errors.ts'
import { DigestCheck } from './digests.ts'

const MAX_DEPTH = 64
/** No item of a list is read where something in the text nests this deeply: what it takes to hold that is not worth it. */
const MAX_READ_DEPTH = 1000
/** Below this a body can't nest deeply enough to exhaust the stack of anything that walks it. */
const SHALLOW_BYTES = 512

const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b
const CLOSE_BRACE = 0x7d
const CLOSE_BRACKET = 0x5d
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Reads JSON bodies and refuses what a database, a log or a later reader would stumble over. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  readJsonAs(app, ['application/json'])
}

/** Reads bodies of these media types as JSON. */
export function readJsonAs(app: FastifyInstance, mediaTypes: readonly string[]): void {
  app.addContentTypeParser([...mediaTypes], { parseAs: 'buffer' }, (request, body, done) => {
    try {
      requireDigest(request.headers, body as Buffer)
      done(null, parseJson(body as Buffer))
    } catch (error) {
      done(error as Problem)
    }
  })
}

function requireDigest(headers: IncomingHttpHeaders, body: Buffer): void {
  const check = new DigestCheck(headers)
  check.update(body)
  check.require()
}

export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined
  if (!isUtf8(body)) throw malformed('The body is not valid UTF-8.')
  if (isTooDeep(body, MAX_DEPTH)) throw tooDeep()
  const text = body.toString('utf8')
  const value = parse(text)
  if (mayBeHostile(text)) refuseHostile(value)
  return value
}

/** The items of a list, or the only one; in place of one that is refused stands why. The others are read all the same. */
export function parseJsonItems(body: Buffer): (unknown | Problem)[] {
  if (!isUtf8(body)) throw malformed('The body is not valid UTF-8.')
  if (isTooDeep(body, MAX_READ_DEPTH)) throw tooDeep()
  const text = body.toString('utf8')
  const value = parse(text)
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  // Of items of a list one level is the list's own.
  const isDeep = isTooDeep(body, MAX_DEPTH)
  const isHostile = mayBeHostile(text)
  if (!isDeep && !isHostile) return [...items]
  return items.map((item) => {
    try {
      if (isDeep) refuseDeep(item, MAX_DEPTH)
      if (isHostile) refuseHostile(item)
      return item
    } catch (error) {
      if (error instanceof Problem) return error
      throw error
    }
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw malformed(`The body is not valid JSON: ${(error as Error).message.slice(0, 200)}.`)
  }
}

/** Walking every value is only worth it where the text shows that there may be something to find. */
const mayBeHostile = (text: string): boolean => /\\u00[0-7]|\\u[dD][89a-fA-F]|__proto__/.test(text)

const tooDeep = (): Problem => malformed(`Nest at most ${MAX_DEPTH} levels deep.`)

function refuseDeep(value: unknown, levels: number): void {
  if (typeof value !== 'object' || value === null) return
  if (levels === 0) throw tooDeep()
  for (const member of Object.values(value)) refuseDeep(member, levels - 1)
}

function malformed(detail: string): Problem {
  return new Problem('malformed_json', { detail })
}

/** Whether the text nests too deeply, without building anything. */
function isTooDeep(body: Buffer, most: number): boolean {
  if (body.length <= SHALLOW_BYTES) return false
  let level = 0
  let quoted = false
  for (let i = 0; i < body.length; i++) {
    const byte = body[i]
    if (quoted) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) quoted = false
    } else if (byte === QUOTE) quoted = true
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++level > most) return true
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) level--
  }
  return false
}

function refuseHostile(value: unknown): void {
  if (typeof value === 'string') refuseText(value)
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') throw malformed('A field can’t be named __proto__.')
    refuseText(name)
    refuseHostile(member)
  }
}

function refuseText(text: string): void {
  if (text.includes('\0')) throw malformed('Text can’t hold a NUL character.')
  if (!text.isWellFormed()) throw malformed('Text can’t hold half of a surrogate pair.')
}
