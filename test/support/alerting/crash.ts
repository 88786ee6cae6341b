import { setTimeout as delay } from 'node:timers/promises'
import type { Metadata } from '../../../src/engines/metadata/index.ts'
import { eventually } from '../eventually.ts'
import { givenUpJob } from '../given-up-job.ts'
import { portOwner } from '../port-owner.ts'
import { callServer } from '../process.ts'
import { randomNumbers } from '../random-numbers.ts'
import { type Replicas, startReplicas } from '../scheduler/replicas.ts'
import { type CallFigures, checkAlerts, checkCalls, checkNews, checkOrder, INTERVAL_MS } from './books.ts'
import { readLog } from './log.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const CHANNELS = 20
const THINGS_PER_RULE = 5
/** The part of all things that changes between two kills. */
const CHANGING = 0.2
/** From then on nothing ends any more, so that all of it has to be told, whatever is killed. */
const LAST_KILLS = 3
/** Where nothing is sent for so long, a server is killed all the same. */
const SENDING_LIMIT_MS = 12_000
/** Every other server is killed so soon that it has hardly begun. */
const MAX_LIFE_MS = 1000
const MAX_CALLS = 30
const [SLOW, MAX_ANSWER_MS, FAILING] = [0.3, 300, 0.04]
/** A message that was cut off is tried again after a minute. */
const SETTLE_LIMIT_MS = 120_000

interface CrashPlan {
  readonly replicas: number
  readonly rules: number
  readonly kills: number
  readonly seed: number
}

interface CrashFigures extends CallFigures {
  readonly alerts: number
  readonly untold: number
  readonly deliveries: number
}

/**
 * Kills servers at random moments while channels are told of alerts that come and go, and starts them again. Throws where a
 * message was forgotten, sent again without need, or overtook another.
 */
export async function crashAlerts(plan: CrashPlan, tell = (_line: string) => {}): Promise<CrashFigures> {
  const random = randomNumbers(plan.seed)
  const receiver = await startReceiver(() => ({
    status: random() < FAILING ? 503 : 200,
    afterMs: random() < SLOW ? random() * MAX_ANSWER_MS : 0
  }))
  const replicas = await startReplicas(plan.replicas)
  const world = new Happenings(replicas.metadata, await make(replicas, plan.rules, receiver.url))
  try {
    for (let kill = 0; kill < plan.kills; kill++) {
      if (kill < plan.kills - LAST_KILLS) await world.change(() => random() < CHANGING)
      else await world.startAll()
      let at = Math.floor(random() * plan.replicas)
      let release = () => {}
      if (kill % 2 === 0) {
        const calls = receiver.calls.length + random() * MAX_CALLS
        await eventually(() => receiver.calls.length > calls, SENDING_LIMIT_MS).catch(() => {})
        release = receiver.hold()
        at = (await sendingReplica(receiver, replicas)) ?? at
      } else await delay(random() * MAX_LIFE_MS) // a random moment is what this is about
      await replicas.kill(at)
      release()
      await replicas.start(at)
      tell(`kill ${kill + 1} of ${plan.kills}: ${receiver.calls.length} calls`)
    }
    await eventually(() => world.isTold(), SETTLE_LIMIT_MS)
    tell(`all told after ${receiver.calls.length} calls`)
    await world.endAll()
    await eventually(() => world.isOver(), SETTLE_LIMIT_MS)
    const log = await readLog(replicas.metadata)
    const figures = { ...checkAlerts(log), deliveries: log.deliveries.length, ...checkCalls(receiver.calls, log) }
    checkOrder(receiver.calls, log)
    checkNews(log)
    return figures
  } finally {
    await replicas.close()
    await receiver.close()
  }
}

/** The replica whose call waits for its answer, so that a kill cuts it off; undefined where nothing is sent for long. */
async function sendingReplica(receiver: Receiver, { servers }: Replicas): Promise<number | undefined> {
  const pids = servers.map(({ pid }) => pid)
  const find = () => receiver.waiting().flatMap((port) => portOwner(port, pids) ?? [])[0] ?? false
  const pid = await eventually(find, SENDING_LIMIT_MS).catch(() => undefined)
  return typeof pid === 'number' ? pids.indexOf(pid) : undefined
}

/** Makes channels and rules, each of which tells two channels; answers what the rules are about. */
async function make(replicas: Replicas, rules: number, url: string): Promise<string[]> {
  const channels: string[] = []
  for (let at = 0; at < CHANNELS; at++) {
    const { id } = await call(replicas, '/channels', {
      name: `channel ${at}`,
      type: 'webhook',
      config: { url: `${url}/${at}` },
      // Every other one is told of things one by one, or of all that a rule is about.
      groupBy: [at % 2 === 0 ? 'kind' : 'rule'],
      groupWait: '0s',
      groupInterval: `${INTERVAL_MS / 1000}s`
    })
    channels.push(id)
  }
  for (let at = 0; at < rules; at++) {
    await call(replicas, '/rules', {
      name: `rule ${at}`,
      condition: { event: 'job.given-up', filter: { kind: `rule${at}.*` } },
      intervalSeconds: 10,
      channels: [channels[at % CHANNELS], channels[(at + 1) % CHANNELS]]
    })
  }
  return Array.from({ length: rules * THINGS_PER_RULE }, (_, n) => `rule${n % rules}.thing${Math.floor(n / rules)}`)
}

/** What rules fire for: it begins and ends when the test says so. */
class Happenings {
  readonly #metadata: Metadata
  readonly #things: readonly string[]
  readonly #going = new Set<string>()
  #begun = 0

  constructor(metadata: Metadata, things: readonly string[]) {
    this.#metadata = metadata
    this.#things = things
  }

  /** Ends what goes on and begins what does not, of those things that are chosen. */
  async change(isChosen: (thing: string) => boolean): Promise<void> {
    const chosen = this.#things.filter(isChosen)
    const over = chosen.filter((thing) => this.#going.has(thing))
    const begun = chosen.filter((thing) => !this.#going.has(thing))
    await this.#metadata.transaction(async (tx) => {
      if (over.length > 0) await tx.deleteFrom('jobs').where('kind', 'in', over).execute()
      for (const thing of begun) {
        const row = givenUpJob(`job_made${this.#begun++}`, thing, Date.now())
        await tx.insertInto('jobs').values(row).execute()
      }
    })
    for (const thing of over) this.#going.delete(thing)
    for (const thing of begun) this.#going.add(thing)
  }

  startAll(): Promise<void> {
    return this.change((thing) => !this.#going.has(thing))
  }

  endAll(): Promise<void> {
    return this.change((thing) => this.#going.has(thing))
  }

  /** Whether all that goes on has fired, and every channel knows of it. */
  async isTold(): Promise<boolean> {
    const { db } = this.#metadata
    const open = await db.selectFrom('alerts').select('id').where('state', '<>', 'resolved').execute()
    const members = await db.selectFrom('alert_group_members').select(['alert_id', 'told']).execute()
    const told = members.filter((member) => member.told === 'firing').length
    return open.length === this.#going.size && members.length === 2 * open.length && told === members.length
  }

  /** Whether nothing is open, and nobody waits to be told. */
  async isOver(): Promise<boolean> {
    const { db } = this.#metadata
    const open = await db.selectFrom('alerts').select('id').where('state', '<>', 'resolved').execute()
    const members = await db.selectFrom('alert_group_members').select('alert_id').execute()
    const waiting = await db.selectFrom('alert_deliveries').select('id').where('state', '=', 'waiting').execute()
    return open.length + members.length + waiting.length === 0
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
async function call({ servers, token }: Replicas, path: string, body: object): Promise<any> {
  const answer = await callServer(servers[0]?.url as string, token, 'POST', `/api/alerts${path}`, body)
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}
