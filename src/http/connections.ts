import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../engines/clock.ts'
import type { Log } from '../engines/log.ts'
import { within } from '../engines/timing.ts'
import { Problem } from '../errors.ts'
import { addressGroup } from './address-group.ts'
import { answerOnSocket } from './client-errors.ts'
import { Connection } from './connection.ts'
import { type Handler, RequestQueue } from './request-queue.ts'
import { Shares } from './shares.ts'
import { Turns } from './turns.ts'
import { UnderWay } from './under-way.ts'

const LOOK_MS = 1000
/** Bytes that may wait on all connections together; those that do not move are closed first. */
const MAX_WAITING_BYTES = 256 * 1024 * 1024
/** A connection that was used a moment ago is likely to be used again in the next. */
const MIN_IDLE_MS = 1000
/** While the server stops: how long to wait for a request that is already on its way on a kept connection. */
const GRACE_MS = 500
/** How long callers that are told of the end have to read it. */
const GIVE_UP_MS = 1000
const TELL_EVERY_MS = 60_000

interface Needs {
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
  readonly maxConnections: number
  /** All connections are the proxy's, so that none of them has to leave room for others. */
  readonly trustProxy: boolean
  readonly nextId: () => string
}

/** All connections of the server: how many, whose, and whether anything moves on them. */
export class Connections {
  readonly #needs: Needs
  readonly #shares: Shares
  readonly #turns: Turns
  readonly #all = new Map<Socket, Connection>()
  /**
   * Idle connections by holder, the longest idle last. Made when room is needed and kept for a moment, so that no
   * request pays for it.
   */
  #idle: Map<string, Connection[]> | undefined
  #isDraining = false
  #cancelLook: (() => void) | undefined
  #toldMs = Number.NEGATIVE_INFINITY

  constructor(needs: Needs) {
    this.#needs = needs
    this.#shares = new Shares(needs.maxConnections)
    this.#turns = new Turns(needs.clock)
  }

  /** `handle` gets the requests of the server, each when it is its turn. */
  attach(server: Server, handle: Handler): void {
    server.on('connection', (socket: Socket) => this.#take(socket, handle))
    server.on('request', (request, response) => {
      const connection = this.#all.get(request.socket)
      if (connection === undefined) handle(request, response)
      else connection.queue.arrive(request, response)
    })
    // Without a listener this would end the process.
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.syscall === 'accept') this.#tell({ err: error }, 'a connection could not be taken')
    })
    // The runtime would cut off whoever is just sending the next request.
    server.closeIdleConnections = () => this.#drain()
  }

  /** Undefined where nothing more is answered on this connection. */
  begin(request: IncomingMessage, response: ServerResponse): UnderWay | undefined {
    const underWay = new UnderWay(request, response)
    const connection = this.#all.get(request.socket)
    if (connection === undefined) {
      if (request.socket.destroyed) return undefined
      response.on('close', () => underWay.end())
      return underWay
    }
    if (connection.isLast) return undefined
    this.#cancelLook ??= this.#needs.clock.after(LOOK_MS, () => this.#look())
    connection.add(underWay)
    response.on('close', () => this.#over(connection, underWay))
    underWay.isTooMany = connection.queue.isTooMany(request)
    if (this.#isDraining || underWay.isTooMany) connection.closeAfterwards()
    return underWay
  }

  /** Answers the requests that are still under way with an error, rather than hanging up on them. */
  async giveUp(): Promise<void> {
    const { clock, nextId } = this.#needs
    const closed = [...this.#busy()].map(({ socket }) => {
      answerOnSocket(new Problem('shutting_down', { headers: { 'retry-after': '5' } }), socket, nextId())
      return new Promise<void>((resolve) => socket.once('close', () => resolve()))
    })
    await within(clock, GIVE_UP_MS, Promise.all(closed), () => {})
  }

  #take(socket: Socket, handle: Handler): void {
    const { trustProxy, clock } = this.#needs
    const holder = trustProxy ? '' : addressGroup(socket.remoteAddress ?? '')
    if (!this.#hasRoom(holder) && !(this.#makeRoom(holder) && this.#hasRoom(holder))) {
      this.#refuse(socket)
      return
    }
    const queue = new RequestQueue({ socket, holder, turns: this.#turns, handle })
    const connection = new Connection(socket, holder, queue, clock)
    this.#all.set(socket, connection)
    if (this.#isDraining) this.#leaveSoon(connection)
    socket.once('close', () => this.#forget(connection))
  }

  #hasRoom(holder: string): boolean {
    if (this.#needs.trustProxy) return this.#all.size < this.#needs.maxConnections
    return this.#shares.take(holder) === 'taken'
  }

  /**
   * Closes the connection that was idle for the longest: of this holder or, where it has none, of the holder with the
   * most.
   */
  #makeRoom(holder: string): boolean {
    const from = this.#needs.trustProxy || this.#shares.heldBy(holder) > 0 ? holder : (this.#shares.largest() ?? '')
    const idle = this.#longestIdle().get(from) ?? []
    for (let longest = idle.pop(); longest !== undefined; longest = idle.pop()) {
      if (!this.#all.has(longest.socket) || !longest.isIdleFor(MIN_IDLE_MS)) continue
      longest.socket.destroy()
      this.#forget(longest)
      return true
    }
    return false
  }

  #longestIdle(): Map<string, Connection[]> {
    if (this.#idle !== undefined) return this.#idle
    const idle = [...this.#all.values()].filter((connection) => connection.isIdleFor(MIN_IDLE_MS))
    idle.sort((a, b) => a.idleSinceMs - b.idleSinceMs).reverse()
    this.#idle = Map.groupBy(idle, ({ holder }) => holder)
    this.#needs.clock.after(MIN_IDLE_MS, () => {
      this.#idle = undefined
    })
    return this.#idle
  }

  *#busy(): Iterable<Connection> {
    for (const connection of this.#all.values()) if (connection.underWay.length > 0) yield connection
  }

  #refuse(socket: Socket): void {
    const { maxConnections, nextId } = this.#needs
    const detail = 'There are too many connections; close some, or use those that there are for several requests.'
    answerOnSocket(new Problem('too_many_at_once', { detail, headers: { 'retry-after': '5' } }), socket, nextId())
    socket.destroySoon()
    this.#tell({ connections: this.#all.size, maxConnections }, 'a connection was turned away')
  }

  #tell(fields: object, what: string): void {
    const nowMs = this.#needs.clock.elapsed()
    if (nowMs - this.#toldMs < TELL_EVERY_MS) return
    this.#toldMs = nowMs
    const advice =
      'raise the limit of open files (ulimit -n, LimitNOFILE) if there are so many clients; behind a proxy, set TRUST_PROXY'
    this.#needs.log.warn(fields, `${what}: ${advice}`)
  }

  #over(connection: Connection, underWay: UnderWay): void {
    underWay.end()
    connection.remove(underWay)
    if (this.#isDraining && connection.underWay.length === 0 && this.#all.has(connection.socket)) {
      this.#leaveSoon(connection)
    }
  }

  #forget(connection: Connection): void {
    if (!this.#all.delete(connection.socket)) return
    if (!this.#needs.trustProxy) this.#shares.giveBack(connection.holder)
    for (const underWay of connection.underWay) underWay.end()
  }

  #drain(): void {
    if (this.#isDraining) return
    this.#isDraining = true
    for (const connection of this.#all.values()) {
      if (connection.underWay.length > 0) connection.closeAfterwards()
      else this.#leaveSoon(connection)
    }
  }

  #leaveSoon(connection: Connection): void {
    const cancel = this.#needs.clock.after(GRACE_MS, () => {
      if (connection.underWay.length === 0 && connection.queue.isEmpty) connection.leave()
    })
    connection.socket.once('close', cancel)
  }

  /** Closes connections that hold a place and move nothing. */
  #look(): void {
    const { clock } = this.#needs
    const nowMs = clock.elapsed()
    const stuck: { connection: Connection; bytes: number }[] = []
    let waitingBytes = 0
    let isBusy = false
    for (const connection of this.#busy()) {
      isBusy = true
      for (const underWay of connection.underWay) underWay.lookAtArrival(nowMs)
      if (connection.isNotTaken(nowMs)) connection.socket.destroy()
      const bytes = connection.waitingBytes()
      waitingBytes += bytes
      if (!connection.hasMoved()) stuck.push({ connection, bytes })
    }
    stuck.sort((a, b) => b.bytes - a.bytes)
    for (const { connection, bytes } of stuck) {
      if (waitingBytes <= MAX_WAITING_BYTES) break
      waitingBytes -= bytes
      connection.socket.destroy()
    }
    this.#cancelLook = isBusy ? clock.after(LOOK_MS, () => this.#look()) : undefined
  }
}
