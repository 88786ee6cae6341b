import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Clock } from '../engines/clock.ts'
import type { Line } from './line.ts'
import { Pace } from './pace.ts'
import type { UnderWay } from './under-way.ts'

/** What was refused may still be on its way; whoever sends it should get to read why. */
export const LINGER_MS = 5000
/** How long a client has to close its side after ours is closed. */
const LEAVE_MS = 500

/** One connection, with what is under way on it. */
export class Connection {
  readonly socket: Socket
  /** Who is counted for it. */
  readonly holder: string
  readonly line: Line
  readonly underWay: UnderWay[] = []
  /** Nothing that comes after what is under way gets an answer. */
  isLast = false
  idleSinceMs: number
  #latest: IncomingMessage | undefined
  #lingers = false
  readonly #clock: Clock
  readonly #taking = new Pace()
  #flushedBytes = 0

  constructor(socket: Socket, holder: string, line: Line, clock: Clock) {
    this.socket = socket
    this.holder = holder
    this.line = line
    this.#clock = clock
    this.idleSinceMs = clock.elapsed()
  }

  add(underWay: UnderWay): void {
    const { request } = underWay
    this.underWay.push(underWay)
    this.#latest = request
    // Only where it may be needed: sockets that are not like all others are slower.
    if (this.#lingers || (request.headers['content-length'] ?? request.headers['transfer-encoding']) === undefined)
      return
    this.#lingers = true
    this.socket.destroySoon = () => this.#closeWhenRead()
  }

  remove(underWay: UnderWay): void {
    const index = this.underWay.indexOf(underWay)
    if (index >= 0) this.underWay.splice(index, 1)
    if (this.underWay.length === 0) this.idleSinceMs = this.#clock.elapsed()
  }

  isIdleFor(ms: number): boolean {
    return this.underWay.length === 0 && this.line.isEmpty && this.#clock.elapsed() - this.idleSinceMs >= ms
  }

  /** The newest answer is the last one, and says so where it has not begun. */
  closeAfterwards(): void {
    const newest = this.underWay.at(-1)?.response
    if (newest === undefined || newest.headersSent) return
    newest.shouldKeepAlive = false
    this.isLast = true
  }

  /** Ends a connection on which nothing is under way. */
  leave(): void {
    this.isLast = true
    this.socket.end()
    this.#destroyAfter(LEAVE_MS)
  }

  /** Bytes of answers that nobody has taken yet, and of requests that wait for that. */
  waitingBytes(): number {
    let bytes = this.line.restBytes
    for (const { response } of this.underWay) bytes += response.writableLength
    return bytes
  }

  /** Whether answers wait that are not taken, or hardly. */
  isNotTaken(nowMs: number): boolean {
    if (this.socket.writableLength > 0) return this.#taking.isTooSlow(flushedBytes(this.socket), nowMs)
    this.#taking.rest()
    return false
  }

  /** Whether anything was taken since this was asked last. */
  hasMoved(): boolean {
    const flushed = flushedBytes(this.socket)
    const hasMoved = flushed !== this.#flushedBytes
    this.#flushedBytes = flushed
    return hasMoved
  }

  /** Closed at once while a body still arrives, the system would tell the sender of a reset in place of the answer. */
  #closeWhenRead(): void {
    if (this.#latest === undefined || this.#latest.complete) {
      Socket.prototype.destroySoon.call(this.socket)
      return
    }
    this.socket.end()
    this.#destroyAfter(LINGER_MS)
  }

  #destroyAfter(ms: number): void {
    this.socket.once(
      'close',
      this.#clock.after(ms, () => this.socket.destroy())
    )
  }
}

/** What the system has taken: bytes given to it, less those that wait there for room. */
function flushedBytes(socket: Socket): number {
  const { _bytesDispatched = 0, _handle } = socket as unknown as {
    _bytesDispatched?: number
    _handle?: { writeQueueSize: number } | null
  }
  return _bytesDispatched - (_handle?.writeQueueSize ?? 0)
}
