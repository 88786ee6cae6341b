import { loadavg } from 'node:os'
import { freePort } from '../test/support/free-port.ts'
import { openSite, type Site } from './alerts/site.ts'
import { idleMs } from './support/idle-time.ts'
import { median, startServer } from './support/servers.ts'

const RULES = 10_000
const ROUNDS = 3
const EVALUATION_LIMIT_MS = 5000
/** A group for each alert, and one for all. */
const GROUPINGS: readonly (readonly string[])[] = [['rule'], []]
/** Long enough for an evaluation of all, so that one group has one message. */
const GROUP_WAIT_S = 5
const PATIENCE_MS = 120_000
const [CALM, HOT] = [10, 90]

/** What an evaluation of many rules takes, how soon many alerts are told, and what the areas cost when they have nothing to do. */
export async function run(): Promise<boolean> {
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`)
  const both = ['scheduler', 'alerts']
  console.log(`processor time of 20 s idle: ${idleMs([])} ms, without ${both.join(' and ')} ${idleMs(both)} ms`)
  const passed: boolean[] = []
  for (const groupBy of GROUPINGS) {
    const port = await freePort()
    const receiver = await startServer(['bench/alerts/receiver.ts'], port, '/', { PORT: String(port) })
    const site = await openSite(RULES, { url: `http://127.0.0.1:${port}/`, groupBy, groupWait: `${GROUP_WAIT_S}s` })
    try {
      if (passed.length === 0) passed.push(await evaluations(site))
      await allAtOnce(site, port, groupBy.length === 0 ? 1 : RULES)
    } finally {
      await site.close()
      await receiver.stop()
    }
  }
  return passed.every((ok) => ok)
}

/** Beside the bare question, in turn. */
async function evaluations(site: Site): Promise<boolean> {
  await site.write(CALM)
  const firstMs = await site.evaluate()
  await site.compareBare()
  const rounds: { ownMs: number; bareMs: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ bareMs: await site.compareBare(), ownMs: await site.evaluate() })
  }
  const [own, bare] = [median(rounds.map(({ ownMs }) => ownMs)), median(rounds.map(({ bareMs }) => bareMs))]
  const ok = Math.max(firstMs, own) < EVALUATION_LIMIT_MS
  console.log(
    `${RULES} rules due at once: ${own.toFixed(0)} ms, the first time ${firstMs.toFixed(0)} ms ` +
      `(limit ${EVALUATION_LIMIT_MS})${ok ? '' : '  ABOVE'}; one question and a loop ${bare.toFixed(0)} ms, ` +
      `ratio ${(own / bare).toFixed(1)}`
  )
  return ok
}

async function allAtOnce(site: Site, port: number, expected: number): Promise<void> {
  await site.write(HOT)
  const before = process.cpuUsage()
  const evaluatedMs = await site.evaluate()
  const startedMs = await firedMs(site)
  const endMs = Date.now() + PATIENCE_MS
  for (;;) {
    const heard = (await (await fetch(`http://127.0.0.1:${port}/`)).json()) as Heard
    if (heard.alerts >= RULES) {
      const { user, system } = process.cpuUsage(before)
      console.log(
        `${RULES} alerts at once in ${expected} groups: evaluated in ${evaluatedMs.toFixed(0)} ms, ` +
          `${heard.messages} messages, the last one ${((heard.lastAtMs - startedMs) / 1000).toFixed(1)} s after the evaluation began, ${GROUP_WAIT_S} s of them waited for others, ` +
          `${((user + system) / 1e6).toFixed(1)} s of the processor in all`
      )
      return
    }
    if (Date.now() > endMs)
      throw new Error(`${heard.alerts} of ${RULES} alerts were told in ${heard.messages} messages`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

interface Heard {
  readonly messages: number
  readonly alerts: number
  readonly lastAtMs: number
}

/** When the evaluation began in which they fired. */
async function firedMs({ platform }: Site): Promise<number> {
  const { at } = await platform.metadata.db
    .selectFrom('alerts')
    .select((select) => select.fn.min<string>('started_at').as('at'))
    .executeTakeFirstOrThrow()
  return Date.parse(at)
}
