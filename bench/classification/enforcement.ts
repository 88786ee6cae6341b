import { Guard } from '../../src/areas/classification/clearance/guard.ts'
import { startTestApp, type TestApp } from '../../test/support/app.ts'
import { makeSource, writeLines } from '../../test/support/catalog.ts'
import { median } from '../support/servers.ts'

const ROUNDS = 40
const REQUESTS = 100
const AT_ONCE = 4
const LABELS = 1000
const QUESTIONS = 20_000
const LIMIT_PERCENT = 5

/** What it costs a read to be asked for clearance: the same requests to the same server, in turns with and without. */
export async function enforcement(): Promise<boolean> {
  const test = await startTestApp()
  try {
    const token = { token: await test.token('reader', 'viewer') }
    const call = (method: string, path: string, body?: unknown) => test.call(method, path, { as: token, body })
    const sourceId = await prepare(test)
    const query = { sourceId, tags: ['press.temperature'], startTime: '-1h' }
    const guard = await guardOf(() => call('GET', '/api/buckets/bench/objects/small.txt'))
    const reader = { role: 'viewer' } as const
    return [
      await beside(
        'object of 1 KiB',
        () => call('GET', '/api/buckets/bench/objects/small.txt'),
        () => guard.requireObject(reader, 'bench', 'small.txt')
      ),
      await beside(
        '100 points',
        () => call('POST', '/api/catalog/query', query),
        () => guard.requireTags(reader, sourceId, query.tags)
      )
    ].every((isMet) => isMet)
  } finally {
    await test.close()
  }
}

/** Labels that have to be looked through with every read, none of which is about what is read. */
async function prepare(test: TestApp): Promise<string> {
  const as = 'admin' as const
  await test.call('POST', '/api/buckets', { as, body: { name: 'bench' } })
  const headers = { 'content-type': 'text/plain' }
  await test.call('PUT', '/api/buckets/bench/objects/small.txt', { as, body: 'x'.repeat(1024), headers })
  const sourceId = await makeSource(test, 'bench')
  const lines = Array.from({ length: 100 }, (_, n) => `press temperature=${n} ${Date.now() - (n + 1) * 1000}`)
  await writeLines(test, 'bench', lines.join('\n'))
  for (let n = 0; n < LABELS; n++) {
    const resource = n % 2 === 0 ? `object://bench/secret-${n}/*.csv` : `series://${sourceId}/secret-${n}`
    await test.call('POST', '/api/classification/resources', { as, body: { resource, level: 'restricted' } })
  }
  return sourceId
}

type Ask = () => Promise<{ readonly status: number; readonly text: string }>

/** The guard that the server asks. */
async function guardOf(ask: Ask): Promise<Guard> {
  const { requireObject } = Guard.prototype
  const { promise, resolve } = Promise.withResolvers<Guard>()
  Guard.prototype.requireObject = function (...asked) {
    resolve(this)
    return requireObject.apply(this, asked)
  }
  await ask()
  Guard.prototype.requireObject = requireObject
  return promise
}

/**
 * Reads vary by more than the question takes, so that it is asked by itself as well: that is what the limit is for. The
 * difference between reads with and without it is told beside it.
 */
async function beside(what: string, ask: Ask, question: () => Promise<void>) {
  const { requireObject, requireTags } = Guard.prototype
  const nothing = async () => {}
  const without: number[] = []
  const within: number[] = []
  await timed(ask)
  for (let round = 0; round < ROUNDS; round++) {
    Object.assign(Guard.prototype, { requireObject: nothing, requireTags: nothing })
    without.push(await timed(ask))
    Object.assign(Guard.prototype, { requireObject, requireTags })
    within.push(await timed(ask))
  }
  const [bare, asked] = [median(without), median(within)]
  const alone = (await cost(QUESTIONS, question)) / QUESTIONS
  const percent = (alone / (bare / REQUESTS)) * 100
  const isMet = percent < LIMIT_PERCENT
  console.log(
    `${what.padEnd(16)} ${perRead(bare)} without, ${perRead(asked)} with clearance (${((asked / bare - 1) * 100).toFixed(1)} %); the question alone ${(alone * 1000).toFixed(1)} µs, ${percent.toFixed(2)} % of a read, limit ${LIMIT_PERCENT} %${isMet ? '' : '  ABOVE'}`
  )
  return isMet
}

const perRead = (ms: number) => `${((ms * 1000) / REQUESTS).toFixed(0)} µs of processor time`

const timed = (ask: Ask) =>
  cost(REQUESTS, async () => {
    const { status, text } = await ask()
    if (status !== 200) throw new Error(`${status} ${text}`)
  })

/** In milliseconds of processor time, because the machine may have other work. */
async function cost(times: number, ask: () => Promise<void>): Promise<number> {
  const begun = process.cpuUsage()
  let left = times
  const work = async () => {
    while (left-- > 0) await ask()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000
}
