import { SourceError } from '../errors.ts'
import type { Discovered, DriverNeeds, OpenSource, Step, StreamChunk, StreamRead } from '../index.ts'
import { refuseCursor, unknownStream } from '../machines/records.ts'
import { afterOf, untilLimit } from '../machines/timed.ts'
import { packageStep } from '../packages.ts'
import { reachSteps } from '../reach.ts'
import { describeVariables, findVariables } from './browse.ts'
import type { OpcuaSettings } from './config.ts'
import { NEEDED } from './library.ts'
import { currentOf, historyOf, toStream } from './reads.ts'
import { Connection } from './session.ts'

/** Variables that a test looks at, to find one that it may read. */
const LOOKED_AT = 50
/** The form of the names of nodes. */
const NODE = /^(ns=\d{1,5};)?[isgb]=.+$/s

/** The variables of a server are streams, by their nodes. */
export class OpcuaSource implements OpenSource {
  readonly #settings: OpcuaSettings
  readonly #needs: DriverNeeds
  readonly #closing = new AbortController()

  constructor(settings: OpcuaSettings, needs: DriverNeeds) {
    this.#settings = settings
    this.#needs = needs
  }

  get steps(): readonly Step[] {
    const { packagesFolder, outbound } = this.#needs
    return [packageStep(NEEDED, packagesFolder), ...reachSteps(this.#settings, outbound), ...this.#own()]
  }

  async discover({ limit, signal }: { limit: number; signal: AbortSignal }): Promise<Discovered> {
    return this.#using(signal, async (connection) => {
      const { variables, isWhole } = await findVariables(connection, this.#root(), limit)
      const described = await describeVariables(connection, variables)
      const streams = described.flatMap((variable) => (variable === undefined ? [] : [toStream(variable)]))
      return { streams: streams.sort((a, b) => (a.name < b.name ? -1 : 1)), isWhole }
    })
  }

  async *read(request: StreamRead): AsyncGenerator<StreamChunk> {
    const { stream, cursor } = request
    const connection = await this.#enter(request.signal)
    try {
      const named = NODE.test(stream) ? [{ node: stream, path: '' }] : []
      const [variable] = await describeVariables(connection, named)
      if (variable === undefined) throw unknownStream(stream)
      if (!variable.hasHistory) refuseCursor(cursor)
      const { hasHistory } = variable
      const chunks = hasHistory ? historyOf(connection, variable, afterOf(cursor)) : currentOf(connection, variable)
      yield* untilLimit(chunks, request)
    } finally {
      await connection.close()
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new SourceError('unavailable', 'The source was closed'))
  }

  #own(): Step[] {
    const { isEncrypted, user } = this.#settings
    let streams: Discovered['streams'] = []
    return [
      {
        name: 'tls',
        run: async (signal) => {
          const connection = await Connection.open(this.#settings, this.#needs, this.#ending(signal))
          await connection.close()
          return isEncrypted
            ? 'The channel is encrypted, and the server is the one of the certificate'
            : 'Not encrypted, as configured'
        }
      },
      {
        name: 'authenticate',
        run: async (signal) => {
          await this.#using(signal, async () => {})
          return `${user || 'Nobody in particular'} may enter`
        }
      },
      {
        name: 'list',
        run: async (signal) => {
          streams = (await this.discover({ limit: LOOKED_AT, signal })).streams
          return streams.length === 0 ? 'There are no variables' : 'Variables can be listed'
        }
      },
      {
        name: 'read',
        run: async (signal) => {
          const stream = streams.find(({ isReadable }) => isReadable)
          if (streams.length === 0) return 'there is nothing to read'
          if (stream === undefined)
            throw new SourceError(
              'missing_permission',
              `None of the variables may be read by ${user || 'nobody'}`,
              '/user'
            )
          for await (const _ of this.read({ stream: stream.name, limit: 1, signal })) break
          return `${stream.name} can be read`
        }
      }
    ]
  }

  #root(): string {
    const { root } = this.#settings
    if (NODE.test(root)) return root
    throw new SourceError('bad_request', 'The root has to be a node, such as ns=2;s=Line1', '/root')
  }

  async #enter(signal: AbortSignal): Promise<Connection> {
    const connection = await Connection.open(this.#settings, this.#needs, this.#ending(signal))
    try {
      await connection.signIn(this.#settings)
      return connection
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  async #using<T>(signal: AbortSignal, work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#enter(signal)
    try {
      return await work(connection)
    } finally {
      await connection.close()
    }
  }

  #ending(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#closing.signal])
  }
}
