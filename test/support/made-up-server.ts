// A server whose areas are those of the product and those that ADDED lists. When it is ready it says what that took.
import { buildApp } from '../../src/app.ts'
import { AREAS, readConfig } from '../../src/areas.ts'
import { openPlatform } from '../../src/platform.ts'

const added = process.env.ADDED === undefined ? [] : (await import(process.env.ADDED)).MADE_UP
const platform = await openPlatform(readConfig(process.env))
const app = buildApp(platform, [...AREAS, ...added])
await app.start()
const url = await app.http.listen({ host: '127.0.0.1', port: 0 })
await fetch(`${url}/api/health`)
const { user, system } = process.cpuUsage()
process.send?.({ url, cpuMs: (user + system) / 1000, residentMb: process.memoryUsage.rss() / 2 ** 20 })
process.once('SIGTERM', async () => {
  await app.stop()
  await platform.close()
  process.exit()
})
