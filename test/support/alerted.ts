import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { startTestApp, type TestApp } from './app.ts'
import { eventually } from './eventually.ts'
import { givenUpJob } from './given-up-job.ts'
import { ManualClock } from './manual-clock.ts'

export interface Heard {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages freely
  readonly body: any
}

interface Said {
  readonly status: number
  readonly headers?: Record<string, string>
  /** What it waits for before it answers a message. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages freely
  readonly after?: (body: any) => Promise<unknown> | undefined
}

/** Looks after which the clock moves on by itself. */
const PATIENCE = 50

/** A platform whose clock stands still, rules that fire when a test says so, and a server that hears what is sent. */
export class Alerted {
  readonly clock: ManualClock
  readonly app: TestApp
  readonly url: string
  readonly heard: Heard[] = []
  /** What the server answers, by path; 200 unless said. */
  readonly answers = new Map<string, Said>()
  readonly #stop: () => Promise<void>
  #made = 0

  private constructor(clock: ManualClock, app: TestApp, url: string, stop: () => Promise<void>) {
    this.clock = clock
    this.app = app
    this.url = url
    this.#stop = stop
  }

  static async start(env: Record<string, string> = { ALLOWED_HOSTS: '127.0.0.1' }): Promise<Alerted> {
    const clock = new ManualClock('2026-03-09T08:00:00.000Z')
    const app = await startTestApp({ clock, env: { PUBLIC_URL: 'https://data.example', ...env } })
    let world: Alerted | undefined
    const server = createServer(async (request, response) => {
      const text = Buffer.concat(await request.toArray()).toString()
      const path = request.url ?? ''
      world?.heard.push({ path, headers: request.headers, text, body: JSON.parse(text) })
      const said: Said = world?.answers.get(path) ?? { status: 200 }
      const { status, headers = {} } = said
      await said.after?.(JSON.parse(text))
      response.writeHead(status, headers).end('ok')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const stop = async () => {
      server.closeAllConnections()
      server.close()
      await app.close()
    }
    world = new Alerted(clock, app, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop)
    return world
  }

  close(): Promise<void> {
    return this.#stop()
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  async call(method: string, path: string, body?: unknown, status = 200): Promise<any> {
    // A new token each time: the clock may have moved by a day.
    const as = { token: await this.app.token('ada', 'editor') }
    const answer = await this.app.call(method, `/api/alerts${path}`, { as, body })
    assert.equal(answer.status, status, answer.text)
    return answer.body
  }

  /** A webhook of the server; its path is its name. */
  channel(name: string, more: object = {}, config: object = {}) {
    const webhook = { url: `${this.url}/${name}`, ...config }
    return this.call('POST', '/channels', { name, type: 'webhook', config: webhook, ...more }, 201)
  }

  /** A rule that fires for each thing called so. */
  rule(name: string, more: object = {}) {
    const condition = { event: 'job.given-up', filter: { kind: `${name}.*` } }
    return this.call('POST', '/rules', { name, condition, intervalSeconds: 10, ...more }, 201)
  }

  /** Lets a rule fire that tells a channel, both of this name, and waits for the message. */
  async fire(name: string, more: object = {}) {
    const channel = await this.channel(name, more)
    const rule = await this.rule(name, { channels: [channel.id] })
    await this.happen(`${name}.a`)
    await this.pass(25)
    return { channel, rule }
  }

  /** Lets `rule.thing` fire; it does so at the next evaluation. */
  async happen(kind: string): Promise<void> {
    const row = givenUpJob(`job_made${this.#made++}`, kind, this.clock.now())
    await this.app.platform.metadata.transaction((tx) => tx.insertInto('jobs').values(row).execute())
  }

  async end(kind: string): Promise<void> {
    await this.app.platform.metadata.transaction((tx) => tx.deleteFrom('jobs').where('kind', '=', kind).execute())
  }

  /** Tests a channel. Whoever asks looks now and then whether it is done, so the clock has to go on. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  async test(channelId: string): Promise<any> {
    let isDone = false
    const testing = this.call('POST', `/channels/${channelId}/test`).finally(() => {
      isDone = true
    })
    while (!isDone) {
      this.clock.advance(100)
      await delay(5)
    }
    return testing
  }

  /** Lets time pass in steps of seconds, each until nothing more happens by itself. */
  async pass(seconds: number, step = 10): Promise<void> {
    // A job that is under way while the clock jumps loses its lease.
    await this.#settle()
    for (let left = seconds; left > 0; left -= step) {
      this.clock.advance(1000 * Math.min(left, step))
      this.app.platform.jobs.wake()
      await this.#settle()
    }
  }

  /** A job that lost its lease all the same goes on when that is over, for which the clock has to. */
  async #settle(): Promise<void> {
    let looks = 0
    await eventually(async () => {
      if (await this.#isQuiet()) return true
      if (++looks % PATIENCE === 0) this.clock.advance(1000)
      return false
    })
  }

  async #isQuiet(): Promise<boolean> {
    const { db } = this.app.platform.metadata
    const due = await db
      .selectFrom('jobs')
      .select('id')
      .where('kind', 'like', 'alerts.%')
      .where('finished_at', 'is', null)
      .where('run_at', '<=', this.clock.iso())
      .where('kind', '<>', 'alerts.prune')
      .execute()
    if (due.length > 0) this.app.platform.jobs.wake()
    return due.length === 0
  }

  /** The kinds of messages that a channel has heard. */
  kinds(name: string): string[] {
    return this.heard.filter(({ path }) => path === `/${name}`).map(({ body }) => body.kind)
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  async deliveries(query = ''): Promise<any[]> {
    return (await this.call('GET', `/deliveries${query}`)).deliveries
  }
}

/** What came of each attempt at a message: `failed 503 server_error`. */
export const attempted = (delivery: { attempts: { outcome: string; status: number; code: string }[] }) =>
  delivery.attempts.map(({ outcome, status, code }) => `${outcome} ${status} ${code}`)
