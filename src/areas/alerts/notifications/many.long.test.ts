// Both: how many values a statement may have differs.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { KyselyPlugin } from 'kysely'
import { Alerted } from '../../../../test/support/alerted.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import type { RunningJob } from '../../../engines/jobs/index.ts'
import { testAlert } from '../deliveries/test-alert.ts'
import { insertAlerts } from '../history/store.ts'
import { GroupNotices } from './group-notices.ts'
import { teller } from './teller.ts'

const MANY = 2000
/** Rows that go in one statement. */
const AT_ONCE = 100

describe('many alerts at once', () => {
  let world: Alerted
  before(async () => {
    world = await Alerted.start()
  })
  after(() => world.close())

  /** Lets alerts of a rule fire as an evaluation does; answers the number of statements. */
  async function fire(rule: { readonly id: string; readonly name: string }, count: number): Promise<number> {
    const { platform } = world.app
    const alerts = Array.from({ length: count }, (_, at) => ({
      ...testAlert(world.clock.iso()),
      id: platform.makeId('alt'),
      rule_id: rule.id,
      rule_name: rule.name,
      labels: JSON.stringify({ part: String(at) })
    }))
    const counter = new Counter()
    await platform.metadata.transaction(async (tx) => {
      await insertAlerts(tx, alerts)
      await new GroupNotices(platform).changed(tx.withPlugin(counter), alerts, 'fired')
    })
    return counter.count
  }

  /** Looks at the groups that are due, before the job that would do it is; answers the number of statements. */
  async function look(): Promise<number> {
    const { platform } = world.app
    const counter = new Counter()
    const job: Pick<RunningJob<null>, 'signal' | 'commit'> = {
      signal: new AbortController().signal,
      commit: (work) => platform.metadata.transaction((tx) => work(tx.withPlugin(counter)))
    }
    await teller({ ...platform, notices: new GroupNotices(platform) })(job as RunningJob<null>)
    return counter.count
  }

  it('are one message that lists 50 of a group and counts the rest, made with few statements', async () => {
    const { id } = await world.channel('mass', { groupBy: [], groupWait: '0s' })
    const rule = await world.rule('mass', { channels: [id] })
    const joining = await fire(rule, MANY)
    assert.ok(joining <= (3 * MANY) / AT_ONCE, `${joining} statements to join`)
    const looking = await look()
    assert.ok(looking <= MANY / AT_ONCE + 20, `${looking} statements to look`)
    await eventually(() => world.heard.some(({ path }) => path === '/mass'))
    const body = world.heard.find(({ path }) => path === '/mass')?.body
    assert.deepEqual([body.alerts.length, body.truncatedAlerts], [50, MANY - 50])
    assert.match(body.title, / and 1999 more$/)
    await eventually(async () => (await world.deliveries(`?channelId=${id}`))[0]?.state === 'sent')
    const [delivery] = await world.deliveries(`?channelId=${id}`)
    const { alerts } = await world.call('GET', `/deliveries/${delivery.id}`)
    assert.equal(alerts.length, MANY, 'the log knows all of them')
    world.clock.advance(300_000)
    assert.ok((await look()) <= 10, 'nothing is new')
    await world.pass(30)
    assert.deepEqual(world.kinds('mass'), ['firing'])
  })

  it('reach a channel although the answer to one of them is awaited', async () => {
    const { id } = await world.channel('slow', { groupBy: ['part'], groupWait: '0s' })
    const rule = await world.rule('slow', { channels: [id] })
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    const isAwaited = (body: { groupLabels: { part: string } }) => body.groupLabels.part === '0'
    world.answers.set('/slow', { status: 200, after: (body) => (isAwaited(body) ? answered : undefined) })
    await fire(rule, 20)
    await look()
    await eventually(() => world.kinds('slow').length === 20)
    const states = async () => (await world.deliveries(`?channelId=${id}&limit=100`)).map(({ state }) => state).sort()
    await eventually(async () => assert.deepEqual(await states(), [...Array(19).fill('sent'), 'waiting']))
    answer()
    await eventually(async () => assert.deepEqual(await states(), Array(20).fill('sent')))
    assert.equal(world.kinds('slow').length, 20)
  })
})

/** Counts statements. */
class Counter implements KyselyPlugin {
  count = 0

  transformQuery({ node }: Parameters<KyselyPlugin['transformQuery']>[0]) {
    this.count += 1
    return node
  }

  async transformResult({ result }: Parameters<KyselyPlugin['transformResult']>[0]) {
    return result
  }
}
