import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../../src/app.ts'
import type { ScheduleRow } from '../../src/areas/scheduler/migrations.ts'
import { readConfig } from '../../src/areas.ts'
import { toIso } from '../../src/engines/clock.ts'
import { openPlatform, type Platform } from '../../src/platform.ts'

const ROWS_AT_ONCE = 500
const CALLS_AT_ONCE = 64
const KIND = 'bench.call'
const FAR_MS = 365 * 86_400_000

/** A platform in this process, so that what a tick takes can be measured by itself. */
export interface Site {
  readonly platform: Platform
  /** Deals with what is due; answers how many milliseconds that took. */
  tick(): Promise<number>
  /** Stores so many schedules, none of them due. */
  fill(count: number): Promise<void>
  /** Has so many of them due once, at this moment. */
  makeDue(count: number, atMs: number): Promise<void>
  /** Calls the address from bare jobs; answers how long it took until all were done. */
  callFromJobs(count: number): Promise<number>
  close(): Promise<void>
}

export async function openSite(url: string): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  const settings = { DATA_DIR: folder, PORT: '0', RATE_LIMIT: '0', LOG_LEVEL: 'warn', ALLOWED_HOSTS: '127.0.0.1' }
  const platform = await openPlatform(readConfig(settings))
  const { metadata, jobs } = platform
  const app = buildApp(platform)
  let left = 0
  let allDone = () => {}
  const call = async () => {
    const response = await (await platform.outbound()).request(url, { method: 'POST', timeoutMs: 30_000 })
    for await (const _ of response.body) break
    left -= 1
    if (left === 0) allDone()
  }
  jobs.handle<null>(KIND, call, { concurrency: CALLS_AT_ONCE })
  await app.start()
  const origin = await app.http.listen({ host: '127.0.0.1', port: 0 })
  const first = await createFirst(platform, origin, url)
  const service = await app.service('scheduler')
  return {
    platform,
    async tick() {
      const startedMs = performance.now()
      await service.tick()
      return performance.now() - startedMs
    },
    fill: (count) =>
      metadata.transaction(async (tx) => {
        for (let from = 1; from <= count; from += ROWS_AT_ONCE) {
          const size = Math.min(ROWS_AT_ONCE, count + 1 - from)
          const rows = Array.from({ length: size }, (_, at) => copyOf(first, from + at))
          await tx.insertInto('schedules').values(rows).execute()
        }
      }),
    makeDue: (count, atMs) =>
      metadata.transaction(async (tx) => {
        const at = toIso(atMs)
        const timing = JSON.stringify({ ...(JSON.parse(first.timing) as object), at })
        const change = { timing, next_due_at: at, next_fire_at: at }
        await tx.updateTable('schedules').set(change).where('id', '<', numbered(count)).execute()
      }),
    async callFromJobs(count) {
      left = count
      const done = new Promise<void>((resolve) => {
        allDone = resolve
      })
      const startedMs = performance.now()
      await metadata.transaction((tx) =>
        jobs.enqueueAll(
          tx,
          Array.from({ length: count }, () => ({ kind: KIND, payload: null }))
        )
      )
      jobs.wake()
      await done
      return performance.now() - startedMs
    },
    async close() {
      await app.stop()
      await platform.close()
      rmSync(folder, { recursive: true })
    }
  }
}

const numbered = (number: number) => `sch_0${String(number).padStart(7, '0')}`

function copyOf(first: ScheduleRow, number: number): ScheduleRow {
  const id = numbered(number - 1)
  return { ...first, id, name: `bench ${number}` }
}

/** Made by way of the API, so that the others are copies of what a user makes. */
async function createFirst(platform: Platform, origin: string, url: string): Promise<ScheduleRow> {
  const who = { subject: 'bench', name: 'bench', roles: ['admin'] as const, ttlMs: 3600_000 }
  const token = await platform.issuer?.issue({ ...who, roles: [...who.roles] })
  const response = await fetch(`${origin}/api/scheduler/schedules`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'bench',
      at: toIso(Date.now() + FAR_MS),
      overlap: 'allow',
      target: { type: 'http', config: { url } }
    })
  })
  if (!response.ok) throw new Error(await response.text())
  return platform.metadata.db.selectFrom('schedules').selectAll().executeTakeFirstOrThrow()
}
