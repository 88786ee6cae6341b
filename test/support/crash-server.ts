// A server like that of src/serve.ts, with a kind of job that leaves marks to count. Made to be killed.
import type { Kysely } from 'kysely'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/areas.ts'
import type { Migration } from '../../src/engines/metadata/index.ts'
import { openPlatform } from '../../src/platform.ts'

const MARK = 'crash.mark'
/** So many that crashes never make a job give up. */
const MAX_ATTEMPTS = 10_000

declare module '../../src/engines/metadata/index.ts' {
  interface Tables {
    crash_marks: { job: string }
  }
}

const marks: Migration = {
  id: 'crash/001-marks',
  async up(db: Kysely<unknown>, type) {
    // Not unique, so that a job which takes effect twice is noticed.
    await db.schema
      .createTable('crash_marks')
      .addColumn('job', type.text, (column) => column.notNull())
      .execute()
    await db.schema.createIndex('crash_marks_job').on('crash_marks').columns(['job']).execute()
  }
}

const config = readConfig(process.env)
const platform = await openPlatform(config)
const { metadata, jobs } = platform
const app = buildApp(platform)
await metadata.migrate([marks])
jobs.handle<null>(MARK, (job) =>
  job.commit(async (tx) => {
    const done = await tx.selectFrom('crash_marks').select('job').where('job', '=', job.id).executeTakeFirst()
    if (done === undefined) await tx.insertInto('crash_marks').values({ job: job.id }).execute()
  })
)
await app.start()
await metadata.transaction(async (tx) => {
  for (let left = Number(process.env.CRASH_JOBS); left > 0; left--) {
    await jobs.enqueue(tx, { kind: MARK, payload: null, maxAttempts: MAX_ATTEMPTS })
  }
})
jobs.wake()
const url = await app.http.listen({ host: config.host, port: config.port })
console.log(`The server to crash is ready at ${url}`)
process.once('SIGTERM', async () => {
  await app.stop()
  await platform.close()
})
