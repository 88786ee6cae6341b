// Prints how many milliseconds of the processor a server needs to do nothing; `without` leaves out the area.
import { buildApp } from '../../src/app.ts'
import { AREAS, readConfig } from '../../src/areas.ts'
import { openPlatform } from '../../src/platform.ts'

const SETTLE_MS = 5000
const IDLE_MS = 20_000

const passed = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const platform = await openPlatform(readConfig(process.env))
const areas = process.argv[2] === 'without' ? AREAS.filter(({ name }) => name !== 'scheduler') : AREAS
const app = buildApp(platform, areas)
await app.start()
await passed(SETTLE_MS)
const before = process.cpuUsage()
await passed(IDLE_MS)
const { user, system } = process.cpuUsage(before)
console.log(Math.round((user + system) / 1000))
await app.stop()
await platform.close()
