// Prints how many milliseconds of the processor a server needs to do nothing; the areas that are named are left out.
import { buildApp } from '../../src/app.ts'
import { AREAS, readConfig } from '../../src/areas.ts'
import { openPlatform } from '../../src/platform.ts'

const SETTLE_MS = 5000
const IDLE_MS = 20_000

const passed = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const platform = await openPlatform(readConfig(process.env))
const without = process.argv.slice(2)
const unknown = without.filter((name) => !AREAS.some((area) => area.name === name))
if (unknown.length > 0) throw new Error(`There is no area ${unknown.join(', ')}`)
const app = buildApp(
  platform,
  AREAS.filter(({ name }) => !without.includes(name))
)
await app.start()
await passed(SETTLE_MS)
const before = process.cpuUsage()
await passed(IDLE_MS)
const { user, system } = process.cpuUsage(before)
console.log(Math.round((user + system) / 1000))
await app.stop()
await platform.close()
