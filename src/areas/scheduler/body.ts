import type { AreaBody, AreaNeeds } from '../../area.ts'
import type { Db } from '../../engines/metadata/index.ts'
import { Endings } from './carrying/endings.ts'
import { release } from './carrying/release.ts'
import { Watch } from './carrying/watch.ts'
import { type CarryNeeds, carryOut, recover } from './carrying/worker.ts'
import { accountForGaps } from './due/account.ts'
import { Ticker } from './due/ticker.ts'
import { pruneHistory } from './prune.ts'
import { Backfills } from './runs/backfill.ts'
import { runRoutes } from './runs/routes.ts'
import { ScheduleRuns } from './runs/service.ts'
import { scheduleRoutes } from './schedules/routes.ts'
import { Schedules } from './schedules/service.ts'
import { lockSchedule } from './schedules/store.ts'
import { Targets } from './schedules/targets.ts'
import { Timetables } from './schedules/timing.ts'
import { RunTotals } from './totals.ts'

declare module '../../area.ts' {
  interface Services {
    scheduler: SchedulerService
  }
}

export interface SchedulerService {
  readonly totals: RunTotals
  /** Deals with what is due now, for those who move the clock. */
  tick(): Promise<number>
}

export async function schedulerBody(given: AreaNeeds): Promise<AreaBody> {
  const { clock, bus, log, config } = given
  const onError = (error: unknown) => log.error({ err: error }, 'the scheduler met an error and goes on')
  const users = () => given.service('users')
  const lineage = () => given.service('lineage')
  const settle = async () => (await given.service('classification')).settle()
  const needs = { ...given, onError, users, lineage, settle, timetables: new Timetables(), targets: new Targets(given) }
  const carry: CarryNeeds = { ...needs, endings: new Endings(needs) }
  const releaseOf = async (tx: Db, scheduleId: string) => {
    const schedule = await lockSchedule(tx, scheduleId)
    if (schedule !== undefined) await release(needs, tx, schedule)
  }
  const schedules = new Schedules(needs)
  const ticker = new Ticker(needs)
  const watch = new Watch(carry)
  const totals = new RunTotals(bus)
  const service: SchedulerService = { totals, tick: () => ticker.tick() }
  return {
    routes: [
      ...scheduleRoutes(schedules, needs.targets),
      ...runRoutes(new ScheduleRuns(needs), new Backfills(needs), schedules)
    ],
    service,
    jobs: {
      'scheduler.run': carryOut(carry),
      'scheduler.call': carryOut(carry),
      'scheduler.recover': recover(carry),
      'scheduler.account': accountForGaps({ ...needs, historyDays: config.scheduleHistoryDays, release: releaseOf }),
      'scheduler.prune': pruneHistory(clock, config.scheduleHistoryDays)
    },
    async start() {
      ticker.start()
      watch.start()
    },
    async stop() {
      await ticker.stop()
      await watch.stop()
    }
  }
}
