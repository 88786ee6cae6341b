import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Turns } from './turns.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * How many requests may wait on a connection. The parser can't stop in front of a request with a body, so some have
 * to wait; real clients send no more of them without waiting for an answer.
 */
const MAX_WAITING = 8
const NO_BYTES = new Uint8Array()
/**
 * Tells the parser to leave the rest alone. It is meant for upgrades to other protocols, and is the only way to stop
 * within a piece.
 */
const STOP = 2

/**
 * The parts of Node's HTTP parser that are used here. They are not documented; the tests of this file notice when
 * they change.
 */
interface Parser {
  onIncoming(request: IncomingMessage, keepsAlive: boolean): number
  execute(piece: Uint8Array): number | Error
  resume(): void
  getCurrentBuffer(): Uint8Array
  readonly constructor: { readonly kOnExecute: number }
  [slot: number]: (read: number | Error) => void
}

/** A socket with its parser, and with Node's private flag that keeps everybody from reading it. */
type ParsedSocket = Socket & { readonly parser: Parser | null; _paused: boolean }

interface Needs {
  readonly socket: Socket
  readonly holder: string
  readonly turns: Turns
  readonly handle: Handler
}

/**
 * The requests of one connection, one after the other. The runtime reads 64 KiB at once and hands over all the requests in
 * it, hundreds, each of them to be begun while everybody else waits. Their answers have an order: nothing is gained. Here the
 * parser stops at the first that has to wait, and goes on when nothing is under way and all answers were taken; until then
 * the connection is not read, and whoever sends more finds that it is not taken. Costs nothing while nobody waits.
 */
export class RequestQueue {
  readonly #needs: Needs
  readonly #socket: ParsedSocket
  readonly #waiting: [IncomingMessage, ServerResponse][] = []
  #begun: ServerResponse | undefined
  /** Bytes that were read and not parsed yet; undefined while the connection is read. */
  #rest: Uint8Array | undefined
  #stops = false
  #isGuarded = false
  #tooMany: IncomingMessage | undefined
  /** What Node does with the parser's result for a piece. */
  #onExecute: (read: number | Error) => void = () => {}
  readonly #next = () => this.#goOn()

  constructor(needs: Needs) {
    this.#needs = needs
    this.#socket = needs.socket as ParsedSocket
    const { parser } = this.#socket
    if (parser !== null) this.#watch(parser)
  }

  get isEmpty(): boolean {
    return this.#begun === undefined
  }

  get restBytes(): number {
    return this.#rest?.length ?? 0
  }

  /** The first request that is not taken any more, and the last on this connection. */
  isTooMany(request: IncomingMessage): boolean {
    return request === this.#tooMany
  }

  arrive(request: IncomingMessage, response: ServerResponse): void {
    if (this.#begun === undefined) this.#begin(request, response)
    else this.#waiting.push([request, response])
  }

  #watch(parser: Parser): void {
    const onIncoming = parser.onIncoming
    const { kOnExecute } = parser.constructor
    const onExecute = parser[kOnExecute] as Parser[number]
    this.#onExecute = onExecute
    parser.onIncoming = (request, keepsAlive) => {
      const treatment = onIncoming(request, keepsAlive)
      return this.#waiting.length === 0 || treatment !== 0 ? treatment : this.#stopAt(request)
    }
    parser[kOnExecute] = (read) => {
      const rest = this.#stops ? parser.getCurrentBuffer().subarray(read as number) : undefined
      onExecute(read)
      if (rest !== undefined) this.#keep(rest)
    }
  }

  /** A body is part of its request, so the parser can stop only after a request without one, or for good. */
  #stopAt(request: IncomingMessage): number {
    if (hasBody(request)) {
      if (this.#waiting.length <= MAX_WAITING) return 0
      this.#tooMany = request
    }
    this.#stops = true
    return STOP
  }

  #keep(rest: Uint8Array): void {
    this.#stops = false
    this.#rest = this.#tooMany === undefined ? rest : NO_BYTES
    this.#socket._paused = true
    this.#socket.pause()
    if (this.#isGuarded) return
    this.#isGuarded = true
    // Node starts reading again when an answer was taken.
    this.#socket.on('drain', () => {
      if (this.#rest !== undefined) this.#socket._paused = true
    })
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const { turns, holder, handle } = this.#needs
    this.#begun = response
    response.on('close', this.#next)
    if (turns.take()) handle(request, response)
    else turns.wait(holder, () => !this.#socket.destroyed && handle(request, response))
  }

  #goOn(): void {
    this.#begun = undefined
    if (this.#socket.destroyed) {
      this.#waiting.length = 0
      this.#rest = undefined
      return
    }
    const next = this.#waiting.shift()
    if (next !== undefined) this.#begin(...next)
    else if (this.#rest !== undefined && this.#tooMany === undefined) this.#parse(this.#rest)
  }

  #parse(piece: Uint8Array): void {
    const { parser } = this.#socket
    this.#rest = undefined
    this.#socket._paused = false
    if (parser === null) return
    parser.resume()
    const read = piece.length === 0 ? 0 : parser.execute(piece)
    const rest = this.#stops ? piece.subarray(read as number) : undefined
    this.#onExecute(read)
    if (rest !== undefined) this.#keep(rest)
    else if (!this.#socket._paused) this.#socket.resume()
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
