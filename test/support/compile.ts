// Loads what most tests load, started by test/run.ts where nothing has been compiled yet: workers that all begin with it would
// each do the same, at the expense of their first files.
import { startTestApp } from './app.ts'

const test = await startTestApp()
await test.app.load()
await import('../../src/areas/pipelines/host/host.ts')
await test.close()
